import { describe, expect, test } from 'bun:test';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bareEvent } from '../../src/language/calls/bare-event.ts';
import { createEngine } from '../../src/language/engine/engine.ts';
import { evaluate } from '../../src/language/engine/evaluate.ts';
import { compileFiles } from '../../src/language/policy/compile/compile-files.ts';
import { type LoadOptions, loadProgram, type SetCache } from '../../src/language/policy/compile/load.ts';
import { trustRecordOf } from '../../src/language/policy/compile/trust.ts';
import { runSteps } from '../../src/lib/steps.ts';
import { testMemory } from '../support/builders.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeFiles } from '../support/write-files.ts';
import { optionsIn as laidOut, packsOf, problemsOf, trusting } from './support.ts';

const QUIET = 'version: 1\npolicies: [{id: a, command: no-such-program, action: deny}]\n';

function optionsIn(folder: string, parts: Partial<LoadOptions> = {}): LoadOptions {
  return laidOut(folder, { packs: packsOf({ baseline: QUIET, 'self-protection': QUIET }), ...parts });
}

const SCRIPTS = '{file: package.json, at: scripts, keys: true}';

function scripts(action: string, list = SCRIPTS): string {
  return `version: 1
policies:
  - id: scripts
    command: {subcommand: [npm, run], args: {first: {one_of: ${list}}}}
    action: ${action}
    reason: known
  - {id: other, command: shutdown, action: deny, reason: no}
`;
}

/** A repository with a policy of it, and what its package.json says. */
function projectWith(policy: string, data: string | undefined): string {
  const folder = temporaryFolder({ 'project/.git/HEAD': '', 'project/.policy/p.yaml': policy });
  if (data !== undefined) writeFileSync(join(folder, 'project/package.json'), data);
  return folder;
}

function load(options: LoadOptions) {
  const loaded = runSteps(loadProgram(options));
  if (!loaded.ok) throw new Error(loaded.diagnostics.map(({ message }) => message).join());
  return loaded.program;
}

function judge(options: LoadOptions, command: string) {
  const event = bareEvent({ on: 'before_tool', tool: 'shell', arguments: { command } });
  const { action, reason } = evaluate(createEngine(load(options)), event, { memory: testMemory() }).decision;
  return reason === undefined ? action : `${action}: ${reason}`;
}

const DATA = '{"scripts": {"build": "tsc", "lint:fix": "x"}, "files": ["a", 1, true], "name": "n"}';

describe('a list in a data file', () => {
  test('is read from the folder that holds .policy', () => {
    const options = optionsIn(projectWith(scripts('deny'), DATA));
    expect(judge(options, 'npm run build')).toStartWith('deny: Refused by p/scripts: known');
    expect(judge(options, 'npm run lint:fix -- a')).toStartWith('deny');
    expect(judge(options, 'npm run deploy')).toBe('continue');
    expect(judge(options, 'npm run toString')).toBe('continue');
  });

  test.each<[list: string, value: string]>([
    ['{file: package.json, at: files}', 'a'],
    ['{file: package.json, at: name}', 'n'],
    ["{file: package.json, at: 'scripts.*'}", 'tsc'],
    ['{file: package.json, keys: true}', 'scripts'],
    ['{file: ./data/names.yaml}', 'y'],
  ])('%s has %s', (list, value) => {
    const folder = projectWith(scripts('deny', list), DATA);
    writeFiles(folder, { 'project/data/names.yaml': '- x\n- y\n' });
    expect(judge(optionsIn(folder), `npm run ${value}`)).toStartWith('deny');
    expect(judge(optionsIn(folder), 'npm run other')).toBe('continue');
  });

  test('gives hosts as well, each exactly', () => {
    const policy =
      'version: 1\npolicies: [{id: a, url: {except: {host: {one_of: {file: hosts.json}}}}, action: deny}]\n';
    const folder = projectWith(policy, undefined);
    writeFiles(folder, { 'project/hosts.json': '["a.example"]' });
    expect(judge(optionsIn(folder), 'curl https://a.example/')).toBe('continue');
    expect(judge(optionsIn(folder), 'curl https://b.a.example/')).toStartWith('deny');
  });

  test.each<[state: string, data: string | undefined, list: string, place: string, cause: string]>([
    ['missing', undefined, SCRIPTS, '4:69', 'there is no such file'],
    ['no JSON', '{"scripts": ', SCRIPTS, '4:69', 'it is not JSON'],
    ['deep', '['.repeat(200_000), SCRIPTS, '4:69', 'it is not JSON'],
    ['large', `"${'x'.repeat(256 * 1024)}"`, SCRIPTS, '4:69', 'it is larger than 256 KiB'],
    ['elsewhere', '{}', SCRIPTS, '4:87', 'there is no "scripts"'],
    ['a list', '{"scripts": []}', SCRIPTS, '4:87', '"scripts" is no mapping, so that it has no keys'],
    [
      'a mapping',
      DATA,
      '{file: package.json, at: scripts}',
      '4:87',
      '"scripts" is a mapping; write keys: true for its names',
    ],
    [
      'nested',
      '{"a": [[1]]}',
      '{file: package.json, at: a}',
      '4:87',
      '"a" holds other things than texts, numbers, true and false',
    ],
    ['outside', DATA, '{file: ../outside.json}', '4:69', 'it lies outside of'],
    ['no YAML', DATA, '{file: bad.yaml}', '4:69', 'it is not YAML'],
  ])(`that cannot be used, because it is %s, refuses the calls it decides`, (_, data, list, place, cause) => {
    for (const action of ['deny', 'deny\n    when_unknown: skip']) {
      const folder = projectWith(scripts(action, list), data);
      writeFiles(folder, { 'outside.json': '[]', 'project/bad.yaml': 'a: [' });
      const options = optionsIn(folder);
      const [found] = problemsOf(options);
      expect(found).toContain(`p.yaml:${place} data Cannot use data file`);
      expect(found).toContain(cause);
      const refused = judge(options, 'npm run build');
      expect(refused).toContain('deny: Refused by p/scripts: cannot use data file "');
      expect(refused).toContain(cause);
      expect(judge(options, 'npm ci')).toBe('continue');
      expect(judge(options, 'shutdown')).toStartWith('deny: Refused by p/other: no');
    }
  });

  test('may be a file of JSON or YAML only', () => {
    const folder = projectWith(scripts('deny', '{file: Makefile}'), undefined);
    expect(problemsOf(optionsIn(folder))).toEqual([
      'project/.policy/p.yaml:4:69 bad-value Cannot read "Makefile" as data: it is neither JSON nor YAML | name a *.json, *.yaml or *.yml file',
    ]);
  });

  test('does not follow a link out of the repository, nor wait for a pipe', () => {
    const folder = projectWith(scripts('deny'), undefined);
    writeFiles(folder, { 'outside.json': DATA });
    symlinkSync('../outside.json', join(folder, 'project/package.json'));
    expect(problemsOf(optionsIn(folder))[0]).toContain('it lies outside of');
    rmSync(join(folder, 'project/package.json'));
    mkdirSync(join(folder, 'project/package.json'));
    expect(problemsOf(optionsIn(folder))[0]).toContain('it is not a regular file');
  });

  test('is no part of an exception', () => {
    const folder = temporaryFolder();
    const policy = `version: 1
exceptions: [{policy: a/b, arguments: {command: {one_of: {file: a.json}}}, owner: me, reason: r, expires: 2099-01-01}]
`;
    writeFiles(folder, { 'config/policy/e.yaml': policy });
    expect(problemsOf(optionsIn(folder))).toEqual([
      'config/policy/e.yaml:2:58 exception Cannot except by a data file: what it lets pass would change without a word | list the values',
    ]);
  });

  test('takes effect when it changes, in cached sets too', () => {
    const kept = new Map<string, string>();
    let hits = 0;
    const cache: SetCache = {
      read: (digest) => {
        const text = kept.get(digest);
        if (text !== undefined) hits++;
        return text;
      },
      write: (digest, text) => kept.set(digest, text),
    };
    const folder = projectWith(scripts('deny'), undefined);
    const options = { ...optionsIn(folder), cache };
    const digests = [undefined, undefined, DATA, DATA, '{"scripts": {"x": ""}}'].map((data) => {
      if (data !== undefined) writeFileSync(join(folder, 'project/package.json'), data);
      return load(options).digest;
    });
    expect(hits).toBeGreaterThan(2);
    expect(new Set(digests).size).toBe(3);
    expect(judge(options, 'npm run build')).toBe('continue');
    expect(judge(options, 'npm run x')).toStartWith('deny');
  });

  test('is part of what is trusted', () => {
    const folder = projectWith(scripts('approve').replace('    reason: known\n', ''), DATA);
    const { trustSets } = compileFiles(optionsIn(folder));
    const records = Object.fromEntries(trustSets.map((set) => [set.root, trustRecordOf(set)]));
    const options = { ...optionsIn(folder), trust: trusting(records) };
    expect(judge(options, 'npm run build')).toBe('approve');
    writeFileSync(join(folder, 'project/package.json'), '{"scripts": {"build": "", "evil": ""}}');
    expect(judge(options, 'npm run evil')).toContain('have changed since they were trusted');
    expect(judge(options, 'npm run other')).toBe('continue');
  });
});
