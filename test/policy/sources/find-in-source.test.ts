import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFiles } from '../../../src/language/policy/compile/compile-files.ts';
import { loadProgram, type SetCache } from '../../../src/language/policy/compile/load.ts';
import { lockText } from '../../../src/language/policy/sources/lock.ts';
import type { SourceStore } from '../../../src/language/policy/sources/source-store.ts';
import { runSteps } from '../../../src/lib/steps.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writeFiles } from '../../support/write-files.ts';
import { denying, idsOf, optionsIn, placeIn, problemsOf } from '../support.ts';

const NAME = 'git+https://example.com/acme/policies#v1';
const OTHER = 'git+https://example.com/acme/policies#v2';
const digest = (letter: string) => `sha256:${letter.repeat(64)}`;

/** A store that has these texts under digests of one letter, and counts how often it is asked. */
function storeOf(contents: Readonly<Record<string, Readonly<Record<string, string>> | 'altered'>>) {
  const opened: string[] = [];
  const store: SourceStore = {
    open: (wanted) => {
      opened.push(wanted);
      const [letter, found] = Object.entries(contents).find(([each]) => digest(each) === wanted) ?? [];
      if (found === undefined || found === 'altered') return found ?? 'missing';
      return { folder: `/state/${letter}`, files: new Map(Object.entries(found).sort()) };
    },
  };
  return { store, opened };
}

function lockOf(entries: Readonly<Record<string, string>>): string {
  return lockText(
    new Map(
      Object.entries(entries).map(([name, letter]) => [
        name,
        { revision: 'c'.repeat(40), digest: digest(letter) },
      ]),
    ),
  );
}

/** A project that extends this, with a lock. */
function projectWith(entries: string, lock?: string): string {
  const folder = temporaryFolder({
    'project/.git/HEAD': '',
    'project/.policy/deep/own.yaml': denying('own', `extends: [${entries}]`),
    ...(lock === undefined ? {} : { 'project/.policy/policy.lock': lock }),
  });
  return folder;
}

const FILES = {
  'a.yaml': denying('a'),
  'a.test.yaml': 'no policies',
  'shell/b.yaml': denying('b', 'extends: [../base/c.yaml]'),
  'base/c.yaml': denying('c'),
  'data.json': '["x"]',
  '.github/workflows/ci.yml': 'on: push',
  '.gitlab-ci.yml': 'stages: [test]',
  '.hidden/h.yaml': denying('h'),
};

test('a source that two layers extend counts at the version of the upper one, file by file', () => {
  const { store } = storeOf({
    a: { 'a.yaml': denying('upper'), 'only.yaml': denying('only') },
    b: { 'a.yaml': denying('lower'), 'new.yaml': denying('new') },
  });
  const folder = projectWith(OTHER, lockOf({ [OTHER]: 'b' }));
  writeFiles(folder, {
    'config/policy/mine.yaml': denying('mine', `extends: ['${NAME}:a.yaml']`),
    'config/policy/policy.lock': lockOf({ [NAME]: 'a' }),
  });
  const options = optionsIn(folder, { place: placeIn(folder, { sources: store }) });
  const { program, diagnostics } = compileFiles(options);
  expect(idsOf(program).slice(2)).toEqual([
    ['a/upper', 'user'],
    ['mine/mine', 'user'],
    ['new/new', 'project'],
    ['own/own', 'project'],
  ]);
  expect(diagnostics.map(({ code, severity, message }) => [code, severity, message])).toEqual([
    [
      'duplicate-id',
      'warning',
      `Cannot use "${OTHER}:a.yaml" here: the user has ${NAME}:a.yaml, which holds; this one is left out`,
    ],
  ]);
});

describe('a locked source', () => {
  test.each([
    [NAME, ['h/h', 'a/a', 'c/c', 'b/b']],
    [`${NAME}:a.yaml`, ['a/a']],
    [`${NAME}:shell`, ['c/c', 'b/b']],
    [`'${NAME}:*.yaml'`, ['a/a']],
    [`'${NAME}:**/c.yaml'`, ['c/c']],
    [`${NAME}:.hidden`, ['h/h']],
    [`'${NAME}:.hidden/*.yaml'`, ['h/h']],
  ])('gives the files that %s names', (entry, ids) => {
    const { store, opened } = storeOf({ a: FILES });
    const folder = projectWith(entry, lockOf({ [NAME]: 'a' }));
    const options = optionsIn(folder, { place: placeIn(folder, { sources: store }) });
    expect(problemsOf(options)).toEqual([]);
    const { rules } = compileFiles(options).program;
    expect(rules.slice(2).map(({ id, layer }) => [id, layer])).toEqual(
      [...ids, 'own/own'].map((id) => [id, 'project']),
    );
    expect(rules[2]?.position.file).toStartWith(`${NAME}:`);
    expect(new Set(opened).size).toBe(1);
  });

  test('gives data to its own policies', () => {
    const policies = '[{id: d, action: deny, arguments: {command: {one_of: {file: data.json}}}}]';
    const { store } = storeOf({ a: { ...FILES, 'd.yaml': `version: 1\npolicies: ${policies}` } });
    const folder = projectWith(`${NAME}:d.yaml`, lockOf({ [NAME]: 'a' }));
    const options = optionsIn(folder, { place: placeIn(folder, { sources: store }) });
    expect(problemsOf(options)).toEqual([]);
    expect(JSON.stringify(compileFiles(options).program.rules[2]?.when)).toContain('"values":["x"]');
  });

  test.each([
    ['no lock', undefined, { a: FILES }, 'there is no policy.lock beside the policies'],
    ['a lock without it', lockOf({ [OTHER]: 'a' }), { a: FILES }, 'it is not in policy.lock'],
    ['files that are not here', lockOf({ [NAME]: 'a' }), {}, 'it has not been fetched to this machine'],
    ['altered files', lockOf({ [NAME]: 'a' }), { a: 'altered' as const }, 'differ from the locked ones'],
    ['a broken lock', '{', { a: FILES }, 'cannot be used'],
    [
      'a lock of a newer version',
      '{"version": 9, "sources": {}}',
      { a: FILES },
      'a newer policy has written',
    ],
  ])('cannot be used with %s', (_, lock, contents, cause) => {
    const { store } = storeOf(contents);
    const folder = projectWith(NAME, lock);
    const options = optionsIn(folder, { place: placeIn(folder, { sources: store }) });
    expect(problemsOf(options)).toEqual([expect.stringContaining(cause)]);
    expect(problemsOf(options)).toEqual([
      expect.stringMatching(/own\.yaml:2:11 source Cannot .* (?:policy lock|install the version)/),
    ]);
    expect(runSteps(loadProgram(options))).toMatchObject({ ok: false });
  });

  test.each([
    [`${NAME}:none.yaml`, 'there is no such file in it'],
    [`${NAME}:data.json`, 'it has no policy files there'],
    [`'${NAME}:[z-a].yaml'`, 'its wildcards cannot be used'],
    ['http://example.com/x', 'sources are'],
  ])('%s cannot be extended: %s', (entry, cause) => {
    const { store } = storeOf({ a: FILES });
    const folder = projectWith(entry, lockOf({ [NAME]: 'a' }));
    expect(problemsOf(optionsIn(folder, { place: placeIn(folder, { sources: store }) }))).toEqual([
      expect.stringContaining(cause),
    ]);
  });

  test.each([
    ['../../../etc/passwd.yaml', 'it leads out of the source'],
    [OTHER, 'a source can extend only its own files'],
    ['node_modules/x/y.yaml', 'there is no such file in it'],
  ])('cannot extend %s itself: %s', (entry, cause) => {
    const { store } = storeOf({ a: { 'a.yaml': denying('a', `extends: ['${entry}']`) } });
    const folder = projectWith(NAME, lockOf({ [NAME]: 'a', [OTHER]: 'a' }));
    expect(problemsOf(optionsIn(folder, { place: placeIn(folder, { sources: store }) }))).toEqual([
      expect.stringMatching(new RegExp(`^${NAME.replace('+', '\\+')}:a.yaml:2:11 extends .*${cause}`)),
    ]);
  });

  test('brings no more than a project may', () => {
    const { store } = storeOf({ a: { 'a.yaml': `${denying('a')}#${'x'.repeat(600 * 1024)}` } });
    const folder = projectWith(NAME, lockOf({ [NAME]: 'a' }));
    const options = optionsIn(folder, { place: placeIn(folder, { sources: store }) });
    expect(problemsOf(options)).toEqual([expect.stringContaining('512 KiB')]);
    writeFiles(folder, {
      'config/policy/u.yaml': `version: 1\nextends: ['${NAME}']`,
      'config/policy/policy.lock': lockOf({ [NAME]: 'a' }),
      'project/.policy/deep/own.yaml': denying('own'),
    });
    expect(problemsOf(options)).toEqual([]);
  });

  test('is trusted with the project that extends it', () => {
    const policies = '[{id: yes, action: approve, tool: shell}]';
    const { store } = storeOf({ a: { 'a.yaml': `version: 1\npolicies: ${policies}` }, b: FILES });
    const folder = projectWith(NAME, lockOf({ [NAME]: 'a' }));
    const { program, trustSets } = compileFiles(
      optionsIn(folder, { place: placeIn(folder, { sources: store }) }),
    );
    expect(program.rules.find(({ id }) => id === 'a/yes')?.trust).toBe('untrusted');
    expect(trustSets.map(({ root }) => root)).toEqual([join(folder, 'project')]);
  });
});

test('a kept set asks no store, and counts until its lock changes', () => {
  const { store, opened } = storeOf({ a: { 'x.yaml': denying('one') }, b: { 'x.yaml': denying('two') } });
  const folder = projectWith(NAME, lockOf({ [NAME]: 'a' }));
  const texts = new Map<string, string>();
  const cache: SetCache = {
    read: (key) => texts.get(key),
    write: (key, text) => {
      texts.set(key, text);
    },
  };
  const load = () => {
    const place = placeIn(folder, { sources: store });
    const loaded = runSteps(loadProgram(optionsIn(folder, { cache, place })));
    if (!loaded.ok) return [];
    expect(loaded.files).toContain(join(folder, 'project/.policy/policy.lock'));
    return [loaded.program.digest, ...idsOf(loaded.program).map(([id]) => id)];
  };
  const first = load();
  expect(first).toContain('x/one');
  expect(load()).toEqual(first);
  expect(opened).toHaveLength(1);
  writeFileSync(join(folder, 'project/.policy/policy.lock'), lockOf({ [NAME]: 'b' }));
  expect(load()).toContain('x/two');
  expect(load()[0]).not.toBe(first[0]);
  expect(opened).toHaveLength(2);
});
