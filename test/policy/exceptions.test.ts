import { describe, expect, test } from 'bun:test';
import { compileFiles } from '../../src/language/policy/compile/compile-files.ts';
import { endOf } from '../../src/language/policy/parse/read-exception.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeFiles } from '../support/write-files.ts';
import { denying, optionsIn, placeIn, problemsOf } from './support.ts';

/** An exception as a file has it; what is given goes over the usual. */
function exception(parts: Readonly<Record<string, unknown>> = {}): string {
  const usual = { policy: 'p/x', tool: 'shell', owner: 'me', reason: 'needed', expires: '2026-12-31' };
  return JSON.stringify({ ...usual, ...parts });
}

function excepting(...exceptions: readonly string[]): string {
  return `version: 1\nexceptions:\n${exceptions.map((each) => `  - ${each}\n`).join('')}`;
}

/** The policies that have exceptions in a set of files, with the number of them. */
function exceptedIn(folder: string): readonly string[] {
  const { program } = compileFiles(optionsIn(folder));
  return program.rules.flatMap(({ id, exceptions = [] }) =>
    exceptions.length === 0 ? [] : [`${id} ${exceptions.length}`],
  );
}

function problemsWith(text: string): readonly string[] {
  const folder = temporaryFolder({ 'config/policy/e.yaml': text, 'project/.policy/p.yaml': denying('x') });
  return problemsOf(optionsIn(folder)).map((line) => line.replace(/^\S*e\.yaml:/, ''));
}

describe('exceptions', () => {
  test('reach policies of their own layer and below, and the packs that always load', () => {
    const folder = temporaryFolder({
      'config/policy/e.yaml': excepting(
        exception(),
        exception({ policy: 'u/x' }),
        exception({ policy: 'baseline/a' }),
        exception({ tool: 'write' }),
      ),
      'config/policy/u.yaml': denying('x'),
      'project/.policy/p.yaml': denying('x'),
    });
    expect(exceptedIn(folder)).toEqual(['baseline/a 1', 'u/x 1', 'p/x 2']);
  });

  test.each([
    [
      'above',
      { 'config/policy/e.yaml': 'e', 'org/p.yaml': denying('x') },
      'layer "organisation", which is above',
    ],
    [
      'of another file of that name',
      { 'config/policy/e.yaml': 'e', 'project/.policy/p.yaml': denying('xx') },
      'there is no such policy',
    ],
    [
      'locked',
      { 'org/e.yaml': 'e', 'org/p.yaml': 'version: 1\npolicies: [{id: x, action: deny, locked: true}]' },
      'it is locked',
    ],
    [
      'of a project',
      { 'project/.policy/e.yaml': 'e', 'project/.policy/p.yaml': denying('x') },
      'this is a project file',
    ],
  ])('have no effect, and check says so: %s', (_name, files, why) => {
    const folder = temporaryFolder(
      Object.fromEntries(
        Object.entries(files).map(([name, text]) => [name, text === 'e' ? excepting(exception()) : text]),
      ),
    );
    expect(exceptedIn(folder)).toEqual([]);
    const { diagnostics, notices } = compileFiles(optionsIn(folder));
    const found = [...diagnostics, ...notices].filter(({ code }) => code === 'exception');
    expect(found.map(({ severity }) => severity)).toEqual(['warning']);
    expect(found[0]?.message).toContain(why);
  });

  test('of a project do not reach a policy of another repository around it', () => {
    const folder = temporaryFolder({
      '.git/HEAD': '',
      '.policy/p.yaml': denying('x'),
      'project/.git/HEAD': '',
      'project/.policy/e.yaml': excepting(exception()),
    });
    expect(exceptedIn(folder)).toEqual([]);
  });

  test('of a policy that is loaded elsewhere wait for it', () => {
    expect(problemsWith(excepting(exception({ policy: 'elsewhere/x' })))).toEqual([]);
  });

  test.each([
    [{ tool: undefined }, 'missing-key Cannot except every call'],
    [{ expires: '2026-06-31' }, 'bad-value Cannot use "2026-06-31" as an end'],
    [{ expires: 'soon' }, 'bad-value'],
    [{ owner: undefined }, 'missing-key'],
    [{ reason: '' }, 'bad-value'],
    [{ command: { run: 'rm' } }, 'unknown-key'],
    [{ path: 'build/**' }, 'unknown-key'],
    [{ arguments: { '*': 'x' } }, 'exception Cannot except by "*"'],
    [{ arguments: { command: { contains: 'x' } } }, 'exception Cannot except by "contains"'],
    [{ arguments: { command: '(x' } }, 'regex'],
  ])('are refused where they are not what they must be: %j', (parts, problem) => {
    const problems = problemsWith(excepting(exception(parts)));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(problem);
  });

  test('make a file by themselves', () => {
    expect(problemsWith(excepting(exception()))).toEqual([]);
    expect(problemsWith(excepting())).toHaveLength(1);
  });

  test('cannot be had of the policies that guard the guard', () => {
    const folder = temporaryFolder();
    const policies = 'state state-key binary binary-copy trust install allow hook-process'.split(' ');
    writeFiles(folder, {
      'config/policy/e.yaml': excepting(
        ...policies.map((id) => exception({ policy: `self-protection/${id}` })),
        exception({ policy: 'self-protection/policies' }),
      ),
    });
    const { program } = compileFiles({ place: placeIn(folder), trust: { trusted: () => undefined } });
    const excepted = program.rules.flatMap(({ id, exceptions }) => (exceptions === undefined ? [] : [id]));
    expect(excepted).toEqual(['self-protection/policies']);
  });
});

describe('endOf', () => {
  test('takes a day to its end and a moment as it is', () => {
    expect(new Date(endOf('2026-12-31')).toISOString()).toBe('2027-01-01T00:00:00.000Z');
    expect(new Date(endOf('2026-12-31T18:00Z')).toISOString()).toBe('2026-12-31T18:00:00.000Z');
    expect(endOf('2026-02-30')).toBeNaN();
    expect(endOf('2026-02-30T10:00Z')).toBeNaN();
  });
});
