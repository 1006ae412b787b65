import { describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { bareEvent } from '../../src/language/calls/bare-event.ts';
import { createEngine } from '../../src/language/engine/engine.ts';
import { evaluate } from '../../src/language/engine/evaluate.ts';
import { compileFiles } from '../../src/language/policy/compile/compile-files.ts';
import { type LoadOptions, loadProgram } from '../../src/language/policy/compile/load.ts';
import type { PackSource } from '../../src/language/policy/compile/packs.ts';
import { runSteps } from '../../src/lib/steps.ts';
import { refuses } from '../../src/model/action.ts';
import { testMemory } from '../support/builders.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeFiles } from '../support/write-files.ts';
import { denying, idsOf, optionsIn, packsOf, placeIn, problemsOf } from './support.ts';

/** A policy file: each id with the command that it is about and what it does. */
function file(policies: Readonly<Record<string, readonly [command: string, action: string]>>): string {
  const lines = Object.entries(policies).map(
    ([id, [command, action]]) =>
      `  - {id: ${id}, tool: shell, arguments: {command: '^${command}$'}, ${action}}`,
  );
  return `version: 1\npolicies:\n${lines.join('\n')}\n`;
}

const DENY = 'action: deny';
const MODIFY = 'action: modify, rewrite: {set: {command: safe}}';
const RESPOND = 'action: respond, result: canned';

function laidOut(files: Readonly<Record<string, string>>): string {
  return temporaryFolder({ 'project/.git/HEAD': '', 'project/sub/x': '', ...files });
}

/** The session is in a folder of the project. */
function below(folder: string): LoadOptions {
  return optionsIn(folder, {
    packs: packsWith(),
    place: placeIn(folder, { sessionDirectory: join(folder, 'project/sub') }),
  });
}

/** What becomes of commands: the action, and the policy whose it is. */
function fates(options: LoadOptions, ...commands: readonly string[]): readonly string[] {
  const loaded = runSteps(loadProgram(options));
  if (!loaded.ok) throw new Error(loaded.diagnostics.map(({ message }) => message).join());
  const engine = createEngine(loaded.program);
  return commands.map((command) => {
    const event = bareEvent({ on: 'before_tool', tool: 'shell', arguments: { command } });
    const { action, policyId = '' } = evaluate(engine, event, { memory: testMemory() }).decision;
    return `${action} ${policyId}`.trim();
  });
}

/** Packs that always load, which refuse nothing here unless given, and others. */
function packsWith(texts: Readonly<Record<string, string>> = {}): PackSource {
  const none = file({ none: ['none', DENY] });
  return packsOf({ baseline: none, 'self-protection': none, ...texts });
}

describe('an id that an upper layer has', () => {
  test('keeps no refusal of a lower one from holding, and leaves out what does more', () => {
    const folder = laidOut({
      'org/git.yaml': file({ a: ['one', DENY] }),
      'config/policy/git.yaml': file({ a: ['two', 'action: ask'], b: ['three', MODIFY] }),
      'project/.policy/git.yaml': file({ a: ['four', DENY], b: ['five', MODIFY], c: ['six', DENY] }),
    });
    const options = optionsIn(folder, { packs: packsWith() });
    expect(problemsOf(options)).toEqual([]);
    expect(fates(options, 'one', 'two', 'three', 'four', 'five', 'six')).toEqual([
      'deny git/a',
      'ask git/a@user',
      'modify git/b',
      'deny git/a@project',
      'continue',
      'deny git/c',
    ]);
    const found = compileFiles(options).notices.map(({ code, severity, message }) => [
      code,
      severity,
      message,
    ]);
    expect(found).toEqual([
      ['duplicate-id', 'note', 'Policy "git/a" holds as "git/a@user": the id belongs to org/git.yaml'],
      ['duplicate-id', 'note', 'Policy "git/a" holds as "git/a@project": the id belongs to org/git.yaml'],
      [
        'duplicate-id',
        'warning',
        'Cannot use action "modify" of policy "git/b": the id belongs to config/policy/git.yaml, which is above; it is left out',
      ],
    ]);
  });

  test.each(['action: approve', 'action: continue', MODIFY, RESPOND])('leaves out a lower %s', (action) => {
    const folder = laidOut({
      'config/policy/a.yaml': file({ x: ['one', DENY] }),
      'project/.policy/a.yaml': file({ x: ['two', action] }),
    });
    expect(idsOf(compileFiles(optionsIn(folder)).program).slice(2)).toEqual([['a/x', 'user']]);
  });

  test('of the same policy makes it count once, in the upper layer', () => {
    const folder = laidOut({
      'config/policy/a.yaml': file({ x: ['one', DENY], y: ['two', MODIFY] }),
      'project/.policy/a.yaml': file({ x: ['one', DENY], y: ['two', MODIFY] }),
    });
    const { program, notices, trustSets } = compileFiles(optionsIn(folder));
    expect(idsOf(program).slice(2)).toEqual([
      ['a/x', 'user'],
      ['a/y', 'user'],
    ]);
    expect([...notices, ...trustSets]).toEqual([]);
  });

  test('runs examples against the policy of their own file', () => {
    const text = (command: string) =>
      `version: 1\npolicies: [{id: x, command: ${command}, action: deny, examples: {hit: [{command: ${command}}], miss: [{command: ls}]}}]\n`;
    const folder = laidOut({ 'config/policy/a.yaml': text('npm'), 'project/.policy/a.yaml': text('yarn') });
    expect(compileFiles(optionsIn(folder)).examples.map(({ ruleId }) => ruleId)).toEqual([
      'a/x',
      'a/x',
      'a/x@project',
      'a/x@project',
    ]);
  });
});

describe('an id that two files of a layer have', () => {
  test('holds in both, whatever they do; a folder below says where it is', () => {
    const folder = laidOut({
      'project/.policy/a.yaml': file({ x: ['one', DENY], y: ['two', DENY] }),
      'project/sub/.policy/a.yaml': file({ x: ['three', DENY], y: ['four', 'action: ask'] }),
    });
    expect(problemsOf(below(folder))).toEqual([]);
    expect(fates(below(folder), 'one', 'two', 'three', 'four')).toEqual([
      'deny a/x',
      'deny a/y',
      'deny a/x@project/sub/.policy/a.yaml',
      'ask a/y@project/sub/.policy/a.yaml',
    ]);
    const named = optionsIn(folder, {
      place: placeIn(folder, { named: ['project/.policy', 'project/sub/.policy'] }),
    });
    expect(idsOf(compileFiles(named).program)).toEqual([
      ['a/x', 'named'],
      ['a/y', 'named'],
      ['a/x@named/.policy/a.yaml', 'named'],
      ['a/y@named/.policy/a.yaml', 'named'],
    ]);
  });

  test('goes to the first of the lower layer under its short name', () => {
    const folder = laidOut({
      'config/policy/a.yaml': file({ x: ['zero', DENY] }),
      'project/.policy/a.yaml': file({ x: ['one', DENY] }),
      'project/sub/.policy/a.yaml': file({ x: ['two', DENY] }),
      'project/sub/.policy/more/a.yaml': file({ x: ['three', DENY] }),
    });
    expect(fates(below(folder), 'zero', 'one', 'two', 'three')).toEqual([
      'deny a/x',
      'deny a/x@project',
      'deny a/x@project/sub/.policy/a.yaml',
      'deny a/x@project/sub/.policy/more/a.yaml',
    ]);
  });
});

describe('the id of a pack', () => {
  const packs = packsWith({ baseline: file({ x: ['one', DENY] }), extra: file({ y: ['two', DENY] }) });

  test('stays the pack’s, whatever the files of users and projects are called', () => {
    const folder = laidOut({
      'org/baseline.yaml': file({ x: ['three', DENY] }),
      'project/.policy/baseline.yaml': file({ x: ['four', DENY], own: ['five', DENY] }),
    });
    expect(fates({ ...optionsIn(folder), packs }, 'one', 'three', 'four', 'five')).toEqual([
      'deny baseline/x',
      'deny baseline/x@organisation',
      'deny baseline/x@project',
      'deny baseline/own',
    ]);
  });

  test('is the pack’s as well where a lower layer has brought it, and takes no rewrite away from an upper one', () => {
    const folder = laidOut({
      'config/policy/extra.yaml': file({ y: ['three', MODIFY] }),
      'project/.policy/p.yaml': 'version: 1\nextends: [builtin:extra]\n',
    });
    expect(fates({ ...optionsIn(folder), packs }, 'two', 'three')).toEqual([
      'deny extra/y',
      'modify extra/y@user',
    ]);
  });

  test('is not free where the pack is off: a copy of it holds under another', () => {
    const copy = `${file({ x: ['one', DENY] })}disable: [builtin:baseline]\n`;
    const folder = laidOut({ 'config/policy/baseline.yaml': copy });
    expect(fates({ ...optionsIn(folder), packs }, 'one')).toEqual(['deny baseline/x@user']);
  });
});

test('an exception reaches the policy that it names, and no other of that name', () => {
  const exception = (policy: string) =>
    `version: 1\nexceptions: [{policy: ${policy}, tool: shell, owner: me, reason: why, expires: 2999-12-31}]\n`;
  const files = {
    'org/a.yaml': file({ x: ['one', DENY] }),
    'project/.policy/a.yaml': file({ x: ['two', DENY] }),
  };
  const excepted = (policy: string, rest = files) => {
    const folder = laidOut({ ...rest, 'config/policy/e.yaml': exception(policy) });
    const { program, notices } = compileFiles(optionsIn(folder));
    const found = program.rules.flatMap(({ id, exceptions }) => (exceptions === undefined ? [] : [id]));
    return [...found, ...notices.filter(({ code }) => code === 'exception').map(({ hint }) => hint)];
  };
  expect(excepted('a/x')).toEqual(['write it in a file of that layer']);
  expect(excepted('a/x@project')).toEqual(['a/x@project']);
  const { 'org/a.yaml': _upper, ...lower } = files;
  expect(excepted('a/x@project', lower as typeof files)).toEqual(['a/x']);
  expect(excepted('a/x', lower as typeof files)).toEqual(['a/x']);
});

test('a judge that two layers define is that of the upper one', () => {
  const judges = (model: string) =>
    `version: 1\njudges:\n  default: {provider: anthropic, model: ${model}, api_key_env: K}\n`;
  const folder = laidOut({ 'org/a.yaml': judges('upper'), 'config/policy/b.yaml': judges('lower') });
  const { diagnostics, notices } = compileFiles(optionsIn(folder));
  expect(diagnostics).toEqual([]);
  expect(notices.map(({ severity, message }) => [severity, message])).toEqual([
    ['warning', 'Cannot define judge "default" again: it belongs to org/a.yaml, whose settings hold'],
  ]);
});

describe('a file more', () => {
  const COMMANDS = ['one', 'two', 'three'];
  const PLACES = [
    'org',
    'org/more',
    'config/policy',
    'config/policy/more',
    'project/.policy',
    'project/.policy/more',
    'project/sub/.policy',
  ];
  const actions = fc.constantFrom(
    DENY,
    DENY,
    'action: ask',
    'action: hard_abort',
    'action: approve',
    MODIFY,
    RESPOND,
  );
  const texts = fc
    .dictionary(fc.constantFrom('x', 'y', 'z'), fc.tuple(fc.constantFrom(...COMMANDS), actions), {
      minKeys: 1,
      maxKeys: 3,
      noNullPrototype: true,
    })
    .map((policies) => file(policies));
  const policyFiles = fc.record({
    place: fc.constantFrom(...PLACES),
    name: fc.constantFrom('a', 'b', 'baseline', 'extra'),
    text: fc.oneof(
      { arbitrary: texts, weight: 5 },
      { arbitrary: fc.constant('version: 1\nextends: [builtin:extra]\n'), weight: 1 },
    ),
  });
  const exceptions = fc.array(
    fc.tuple(
      fc.constantFrom('a', 'b', 'baseline'),
      fc.constantFrom('x', 'y'),
      fc.constantFrom('', '@project'),
    ),
    { maxLength: 3 },
  );
  const packs = packsWith({
    baseline: file({ x: ['one', DENY] }),
    extra: file({ x: ['two', DENY], y: ['none', DENY] }),
  });

  test('is never a refusal less, nor what keeps all from loading', () => {
    const folder = temporaryFolder();
    fc.assert(
      fc.property(
        fc.array(policyFiles, { minLength: 1, maxLength: 5 }),
        policyFiles,
        exceptions,
        (files, more, excepted) => {
          rmSync(folder, { recursive: true, force: true });
          writeFiles(folder, { 'project/.git/HEAD': '', 'project/sub/x': '' });
          const lines = excepted.map(
            ([name, id, layer]) =>
              `  - {policy: ${name}/${id}${layer}, tool: shell, owner: me, reason: why, expires: 2999-12-31}\n`,
          );
          if (lines.length > 0)
            writeFiles(folder, {
              'config/policy/exceptions.yaml': `version: 1\nexceptions:\n${lines.join('')}`,
            });
          for (const { place, name, text } of files) writeFiles(folder, { [`${place}/${name}.yaml`]: text });
          const { place, name, text } = more;
          fc.pre(!files.some((each) => each.place === place && each.name === name));
          const options = { ...below(folder), packs };
          const before = fates(options, ...COMMANDS);
          writeFiles(folder, { [`${place}/${name}.yaml`]: text });
          const after = fates(options, ...COMMANDS);
          const { rules } = compileFiles(options).program;
          expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
          for (const [index, fate] of before.entries()) {
            if (isRefused(fate)) expect([fate, after[index]]).toSatisfy(([, now]) => isRefused(now ?? ''));
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});

function isRefused(fate: string): boolean {
  return refuses(fate.split(' ')[0] as Parameters<typeof refuses>[0]);
}

test('a set of which no two files have a name keeps its ids', () => {
  const folder = laidOut({ 'org/a.yaml': denying('x'), 'project/.policy/b.yaml': denying('x') });
  expect(idsOf(compileFiles({ ...optionsIn(folder), packs: packsWith() }).program).slice(2)).toEqual([
    ['a/x', 'organisation'],
    ['b/x', 'project'],
  ]);
});
