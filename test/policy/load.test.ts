import { describe, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { compileFiles } from '../../src/language/policy/compile/compile-files.ts';
import {
  type LoadOptions,
  type LoadResult,
  loadProgram,
  type SetCache,
} from '../../src/language/policy/compile/load.ts';
import { trustRecordOf } from '../../src/language/policy/compile/trust.ts';
import { runSteps } from '../../src/lib/steps.ts';
import { OutOfTime } from '../../src/lib/time-limit.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeFiles } from '../support/write-files.ts';
import {
  denying,
  idsOf,
  NOTHING_TRUSTED,
  optionsIn,
  packsOf,
  placeIn,
  problemsOf,
  trusting,
} from './support.ts';

function loadNow(options: LoadOptions): LoadResult {
  return runSteps(loadProgram(options));
}

function named(folder: string, ...names: readonly string[]): LoadOptions {
  return optionsIn(folder, { place: placeIn(folder, { named: names }) });
}

/** Trusts the project as its files are now. */
function trustingAsItIs(folder: string) {
  const [set] = compileFiles(optionsIn(folder)).trustSets;
  if (set === undefined) throw new Error('no set');
  expect(set.root).toBe(join(folder, 'project'));
  return trusting({ [set.root]: trustRecordOf(set) });
}

/** The policies of a project and its user, kept in the cache or read. */
function idsOfLoaded(folder: string, cache: SetCache) {
  const loaded = loadNow(optionsIn(folder, { cache }));
  return loaded.ok ? loaded.program.rules.map(({ id }) => id).slice(2) : loaded.diagnostics;
}

describe('extends', () => {
  test('loads files relative to the extending one, before it and once', () => {
    const folder = temporaryFolder({
      'top.yaml': denying('t', 'extends: [one/a.yaml, two/b.yaml]'),
      'one/a.yaml': denying('a', 'extends: [../two/b.yaml]'),
      'two/b.yaml': denying('b'),
    });
    expect(idsOf(compileFiles(named(folder, 'top.yaml')).program)).toEqual([
      ['b/b', 'named'],
      ['a/a', 'named'],
      ['top/t', 'named'],
    ]);
  });

  test('loads packs, and what they extend, in the layer of the file', () => {
    const folder = temporaryFolder({ 'top.yaml': denying('t', 'extends: [builtin:outer]') });
    const packs = packsOf({ outer: denying('o', 'extends: [builtin:inner]'), inner: denying('i') });
    expect(idsOf(compileFiles({ ...named(folder, 'top.yaml'), packs }).program)).toEqual([
      ['inner/i', 'named'],
      ['outer/o', 'named'],
      ['top/t', 'named'],
    ]);
  });

  test('leaves the defaults of the extending file out of the extended one', () => {
    const folder = temporaryFolder({
      'top.yaml': denying('t', 'extends: [base.yaml]\ndefaults: {mode: monitor}'),
      'base.yaml': denying('b'),
    });
    const { rules } = compileFiles(named(folder, 'top.yaml')).program;
    expect(rules.map(({ id, mode }) => [id, mode])).toEqual([
      ['base/b', 'enforce'],
      ['top/t', 'monitor'],
    ]);
  });

  test('shows the circle in which files extend each other', () => {
    const folder = temporaryFolder({
      'a.yaml': denying('a', 'extends: [b.yaml]'),
      'b.yaml': denying('b', 'extends: [sub/../c.yaml]'),
      'c.yaml': denying('c', 'extends: [a.yaml]'),
      'sub/x': '',
    });
    expect(problemsOf(named(folder, 'a.yaml'))).toEqual([
      'c.yaml:2:11 extends Cannot extend "a.yaml": the files extend each other in a circle | the circle is a.yaml > b.yaml > c.yaml > a.yaml',
    ]);
  });

  test('complains of a file that extends itself, is missing, is a folder or is no policy file', () => {
    const folder = temporaryFolder({
      'a.yaml': denying('a', 'extends: [a.yaml, none.yaml, folder.yaml, b.json, builtin:basline]'),
      'folder.yaml/x': '',
      'b.json': '{}',
    });
    expect(problemsOf(named(folder, 'a.yaml'))).toEqual([
      'a.yaml:2:11 extends Cannot extend "a.yaml": the files extend each other in a circle | the circle is a.yaml > a.yaml',
      'a.yaml:2:19 extends Cannot extend "none.yaml": there is no such file',
      'a.yaml:2:30 extends Cannot extend "folder.yaml": it has no policy files',
      'a.yaml:2:43 extends Cannot extend "b.json": it is not a policy file: *.yaml or *.yml',
      'a.yaml:2:51 extends Cannot load "builtin:basline": there is no such pack | did you mean "builtin:baseline"?',
    ]);
  });

  test('loads the policy files of a folder and those that fit a glob, sorted, each once', () => {
    const folder = temporaryFolder({
      'top.yaml': denying('t', "extends: ['./sets/*.yaml', sets/deep, './sets/**/*.yml', './[x].yaml']"),
      'sets/b.yaml': denying('b'),
      'sets/a.yaml': denying('a'),
      'sets/a.test.yaml': 'no policies',
      'sets/notes.txt': 'no policies',
      'sets/deep/d.yaml': denying('d'),
      'sets/deep/er/e.yaml': denying('e'),
      'sets/node_modules/n/n.yml': denying('n'),
      'sets/y.yml': denying('y'),
      '[x].yaml': denying('x', 'name: x'),
    });
    expect(
      idsOf(compileFiles(named(folder, 'top.yaml')).program)
        .map(([id]) => id)
        .join(),
    ).toBe('a/a,b/b,d/d,e/e,y/y,x/x,top/t');
  });

  test('complains of folders and globs without policies, bad globs, and circles through folders', () => {
    const folder = temporaryFolder({
      'a.yaml': denying('a', "extends: [empty, none, '*.yml', none/*.yaml, '[z-a].yaml', sets, '*/c.yaml']"),
      'empty/notes.txt': '',
      'sets/c.yaml': denying('c', 'extends: [../a.yaml]'),
      'links/c.yaml': denying('d'),
    });
    symlinkSync('../nowhere', join(folder, 'sets/l.yaml'));
    const circle = 'the files extend each other in a circle | the circle is a.yaml > sets/c.yaml > a.yaml';
    expect(problemsOf(named(folder, 'a.yaml'))).toEqual([
      'a.yaml:2:11 extends Cannot extend "empty": it has no policy files',
      'a.yaml:2:18 extends Cannot extend "none": there is no such file',
      'a.yaml:2:24 extends Cannot extend "*.yml": no policy file fits it',
      'a.yaml:2:33 extends Cannot extend "none/*.yaml": there is no such file',
      expect.stringMatching(
        /^a.yaml:2:46 extends Cannot extend "\[z-a\].yaml": its wildcards cannot be used: /,
      ),
      'a.yaml:2:60 extends Cannot extend "sets": sets/l.yaml: it is a link that leads nowhere',
      `sets/c.yaml:2:11 extends Cannot extend "../a.yaml": ${circle}`,
    ]);
  });

  test('looks only as deep as a glob goes', () => {
    const folder = temporaryFolder({
      'top.yaml': denying('t', "extends: ['*/s.yaml']"),
      'a/s.yaml': denying('s'),
    });
    writeFiles(folder, { 'a/deep/x.yaml': denying('x') });
    symlinkSync('deep', join(folder, 'a/link'));
    for (let i = 0; i < 40; i++) mkdirSync(join(folder, 'a/deep', 'd/'.repeat(i)), { recursive: true });
    expect(problemsOf(named(folder, 'top.yaml'))).toEqual([]);
  });

  test('keeps the folders that a project extends inside its repository, and counts the names in folders', () => {
    const folder = temporaryFolder({
      'outside/x.yaml': denying('x'),
      'project/.git/HEAD': '',
      'project/.policy/p.yaml': denying('p', "extends: [../../outside, '../../outside/*.yaml', ../inside]"),
      'project/inside/i.yaml': denying('i'),
    });
    const cause = `it lies outside of "${join(folder, 'project')}"`;
    expect(problemsOf(optionsIn(folder))).toEqual([
      `project/.policy/p.yaml:2:11 extends Cannot extend "../../outside": ${cause}`,
      `project/.policy/p.yaml:2:26 extends Cannot extend "../../outside/*.yaml": ${cause}`,
    ]);
    for (let i = 0; i <= 20_000; i++) writeFileSync(join(folder, `project/inside/${i}.txt`), '');
    expect(problemsOf(optionsIn(folder)).join()).toContain('20000');
    rmSync(join(folder, 'project/.policy'), { recursive: true });
    renameSync(join(folder, 'project/inside'), join(folder, 'project/.policy'));
    expect(problemsOf(optionsIn(folder)).join()).toContain('20000');
  });

  test('keeps a project inside its repository, links followed', () => {
    const folder = temporaryFolder({
      'outside.yaml': denying('x'),
      'project/.git/HEAD': '',
      'project/inside.yaml': denying('i'),
      'project/.policy/p.yaml': denying('p', 'extends: [../inside.yaml, ../../outside.yaml, ../link.yaml]'),
    });
    symlinkSync('../outside.yaml', join(folder, 'project/link.yaml'));
    const cause = `it lies outside of "${join(folder, 'project')}"`;
    expect(problemsOf(optionsIn(folder))).toEqual([
      `project/.policy/p.yaml:2:27 extends Cannot extend "../../outside.yaml": ${cause}`,
      `project/.policy/p.yaml:2:47 extends Cannot extend "../link.yaml": ${cause}`,
    ]);
  });

  test('reports the problems of all files at once, sorted', () => {
    const folder = temporaryFolder({
      'b.yaml': 'version: 1\npolicies: [{id: b, action: dney}]',
      'a.yaml': 'version: 1\nextends: [c.yaml, none.yaml]\npolicies: [{id: a, acton: deny}]',
      'c.yaml': 'version: 3',
    });
    expect(
      problemsOf(named(folder, 'b.yaml', 'a.yaml', 'missing')).map((line) => line.split(' ', 2).join(' ')),
    ).toEqual([
      'a.yaml:2:19 extends',
      'a.yaml:3:20 unknown-key',
      'b.yaml:2:28 bad-value',
      'c.yaml:1:1 missing-key',
      'c.yaml:1:10 bad-value',
      'missing:1:1 file',
    ]);
  });
});

test.each([
  ['block', 'deny'],
  ['Allow', 'approve'],
  ['confirm', 'ask'],
  ['dney', 'deny'],
])('knows which action is meant by %s', (written, meant) => {
  const folder = temporaryFolder({
    'a.yaml': `version: 1\npolicies: [{id: a, tool: shell, action: ${written}}]`,
  });
  expect(problemsOf(named(folder, 'a.yaml'))).toEqual([
    `a.yaml:2:41 bad-value Cannot use action "${written}" in policy "a" | did you mean "${meant}"?`,
  ]);
});

describe('layers', () => {
  test('unmatched: deny counts for the layer of its file', () => {
    const folder = temporaryFolder({
      'config/policy/u.yaml': denying('u', 'defaults: {unmatched: deny}'),
      'project/.policy/p.yaml': denying('p', 'defaults: {unmatched: deny}'),
    });
    expect(compileFiles(optionsIn(folder)).program.unmatchedDeny).toEqual([
      { layer: 'user', file: 'config/policy/u.yaml' },
      { layer: 'project', file: 'project/.policy/p.yaml' },
    ]);
  });

  test.each([
    ['org/x.yaml', true],
    ['config/policy/x.yaml', true],
    ['project/.policy/x.yaml', false],
  ])('on_error: continue in %s has effect: %p', (name, expected) => {
    const folder = temporaryFolder({ [name]: denying('x', 'defaults: {on_error: continue}') });
    const { program, notices } = compileFiles(optionsIn(folder));
    expect(program.onErrorContinue).toBe(expected);
    expect(notices.map(({ message }) => message)).toEqual(
      expected ? [] : ['Cannot use "on_error" in a project file: it has no effect'],
    );
  });

  test('on_error: continue of a sound file keeps in force what is sound of the others', () => {
    const folder = temporaryFolder({
      'config/policy/u.yaml': denying('u', 'defaults: {on_error: continue}'),
      'project/.policy/p.yaml': 'version: 1\npolicies: {',
      'project/.policy/q.yaml': denying('q'),
    });
    const loaded = loadNow(optionsIn(folder));
    if (!loaded.ok) throw new Error('nothing is in force');
    expect(loaded.broken).toMatchObject([{ position: { file: 'project/.policy/p.yaml' } }]);
    expect(loaded.program.rules.map(({ id }) => id)).toEqual(expect.arrayContaining(['u/u', 'q/q']));
    rmSync(join(folder, 'config'), { recursive: true });
    expect(loadNow(optionsIn(folder)).ok).toBe(false);
  });

  test('a set without what is broken has another digest than the same set with nothing broken', () => {
    const folder = temporaryFolder({
      'config/policy/u.yaml': denying('u', 'defaults: {on_error: continue}'),
    });
    mkdirSync(join(folder, 'project/.policy/p.yaml'), { recursive: true });
    const broken = loadNow(optionsIn(folder));
    rmSync(join(folder, 'project/.policy'), { recursive: true });
    const sound = loadNow(optionsIn(folder));
    if (!broken.ok || !sound.ok) throw new Error('nothing is in force');
    expect([broken.broken.length, sound.broken.length]).toEqual([1, 0]);
    expect(broken.program.digest).not.toBe(sound.program.digest);
  });
});

describe('disable', () => {
  const packs = packsOf({
    baseline: 'version: 1\npolicies: [{id: one, action: deny}, {id: two, action: deny}]',
    extra: denying('e', 'defaults: {unmatched: deny}'),
  });
  const idsWith = (files: Readonly<Record<string, string>>) => {
    const folder = temporaryFolder(files);
    const { program, diagnostics, notices } = compileFiles(optionsIn(folder, { packs }));
    return { ids: program.rules.map(({ id }) => id), program, diagnostics, notices };
  };
  const disabling = (target: string) => `version: 1\ndisable: ['${target}']`;

  test('the user can leave out one policy of a pack or all of it', () => {
    expect(idsWith({ 'config/policy/u.yaml': disabling('baseline/one') }).ids).toEqual([
      'baseline/two',
      'self-protection/b',
    ]);
    expect(idsWith({ 'org/o.yaml': disabling('builtin:baseline') }).ids).toEqual(['self-protection/b']);
  });

  test('a project cannot', () => {
    const { ids, notices } = idsWith({ 'project/.policy/p.yaml': disabling('builtin:baseline') });
    expect(ids).toEqual(['baseline/one', 'baseline/two', 'self-protection/b']);
    expect(notices.map(({ code, message }) => [code, message])).toEqual([
      ['trust', 'Cannot disable "builtin:baseline" in a project file: it has no effect'],
    ]);
  });

  test('the user cannot undo what the organisation adds, but what a project adds', () => {
    const organisation = idsWith({
      'org/o.yaml': 'version: 1\nextends: [builtin:extra]',
      'config/policy/u.yaml': disabling('builtin:extra'),
    });
    expect(organisation.ids).toContain('extra/e');
    expect(organisation.program.unmatchedDeny).toHaveLength(1);
    const project = idsWith({
      'config/policy/u.yaml': disabling('builtin:extra'),
      'project/.policy/p.yaml': 'version: 1\nextends: [builtin:extra]',
    });
    expect(project.ids).not.toContain('extra/e');
    expect(project.program.unmatchedDeny).toEqual([]);
  });

  test('names what does not exist', () => {
    const { diagnostics } = idsWith({ 'config/policy/u.yaml': disabling('baseline/tow') });
    expect(diagnostics.map(({ code, message, hint }) => [code, message, hint])).toEqual([
      [
        'bad-value',
        'Cannot disable "baseline/tow": no built-in pack or policy has this name',
        'did you mean "baseline/two"?',
      ],
    ]);
  });

  test('guesses what was meant a few times only: in time for the many names of a hostile file', () => {
    const names = Array.from({ length: 100 }, (_, index) => `baseline/tw${index}`);
    const { diagnostics } = idsWith({ 'project/.policy/p.yaml': `version: 1\ndisable: [${names}]` });
    expect(diagnostics).toHaveLength(100);
    expect(diagnostics.filter(({ hint }) => hint?.startsWith('did you mean'))).toHaveLength(20);
  });
});

describe('trust', () => {
  const PROJECT = [
    'version: 1',
    'extends: [../more.yaml]',
    'policies:',
    '  - {id: deny, action: deny}',
    '  - {id: ask, action: ask}',
    '  - {id: retry, on: after_turn, action: retry_feedback, feedback: x}',
    '  - {id: abort, action: abort_turn}',
    '  - {id: stop, action: hard_abort}',
    '  - {id: approve, action: approve}',
    '  - {id: modify, action: modify, rewrite: {set: {cwd: /tmp}}}',
    '  - {id: respond, action: respond, result: x}',
    '  - {id: continue, action: continue}',
    'tools: [{name: t, description: d, parameters: {}, run: [date]}]',
  ].join('\n');
  const MORE = 'version: 1\npolicies: [{id: approve, action: approve}]';
  function project(): string {
    return temporaryFolder({
      'project/.git/HEAD': '',
      'project/.policy/p.yaml': PROJECT,
      'project/more.yaml': MORE,
    });
  }
  const statesIn = (options: LoadOptions) =>
    Object.fromEntries(compileFiles(options).program.rules.map(({ id, trust }) => [id, trust]));
  const stateOf = (ids: readonly string[], state: string) => Object.fromEntries(ids.map((id) => [id, state]));
  const ACTIVE = stateOf(['p/deny', 'p/ask', 'p/retry', 'p/abort', 'p/stop'], 'active');
  const ACTS = ['more/approve', 'p/approve', 'p/modify', 'p/respond', 'p/continue'];
  const inState = (state: string) => stateOf([...ACTS, 'p/t:inject', 'p/t:arguments', 'p/t:answer'], state);

  test('without trust a project can only refuse, and the rest is named', () => {
    const folder = project();
    expect(statesIn(optionsIn(folder))).toMatchObject({ ...ACTIVE, ...inState('untrusted') });
    const { notices } = compileFiles(optionsIn(folder));
    expect(notices.map(({ code, severity }) => `${code} ${severity}`)).toEqual(Array(8).fill('trust note'));
    expect(notices.map(({ message }) => message)).toContain(
      'Cannot use action "approve" of policy "p/approve": its project is not trusted',
    );
  });

  test('a recorded set is active, packs and extended files included', () => {
    const folder = project();
    const trust = trustingAsItIs(folder);
    expect(statesIn(optionsIn(folder, { trust }))).toMatchObject({ ...ACTIVE, ...inState('active') });
    expect(trust.asked).toEqual([join(folder, 'project')]);
  });

  test('of a set that has changed, the changed and new policies are marked, the others stay', () => {
    const folder = project();
    const trust = trustingAsItIs(folder);
    const changed = PROJECT.replace('result: x', 'result: y').replace(
      'tools:',
      '  - {id: new, action: approve}\n  - {id: new-deny, action: deny}\ntools:',
    );
    writeFiles(folder, { 'project/.policy/p.yaml': changed });
    expect(statesIn(optionsIn(folder, { trust }))).toMatchObject({
      ...ACTIVE,
      ...inState('active'),
      'p/respond': 'changed',
      'p/new': 'changed',
      'p/new-deny': 'active',
    });
  });

  test('a policy that only moves stays trusted', () => {
    const folder = project();
    const trust = trustingAsItIs(folder);
    writeFiles(folder, { 'project/.policy/p.yaml': `# a comment\n${PROJECT}` });
    expect(statesIn(optionsIn(folder, { trust }))).toMatchObject(inState('active'));
  });

  test('is not asked for where there is nothing to trust', () => {
    const folder = temporaryFolder({
      'project/.policy/p.yaml': denying('x'),
      'config/policy/u.yaml': 'version: 1\npolicies: [{id: a, action: approve}]',
    });
    const trust = trusting({});
    compileFiles(optionsIn(folder, { trust }));
    expect(trust.asked).toEqual([]);
  });

  test('a pack that a project extends needs trust like the project', () => {
    const folder = temporaryFolder({ 'project/.policy/p.yaml': 'version: 1\nextends: [builtin:loose]' });
    const packs = packsOf({ loose: 'version: 1\npolicies: [{id: all, action: approve}]' });
    expect(statesIn(optionsIn(folder, { packs }))).toMatchObject({ 'loose/all': 'untrusted' });
  });

  test('changes the digest of the program', () => {
    const folder = project();
    const { program } = compileFiles(optionsIn(folder));
    const trust = trustingAsItIs(folder);
    expect(compileFiles(optionsIn(folder, { trust })).program.digest).not.toBe(program.digest);
  });
});

/** A cache in memory that counts. */
function memoryCache() {
  const texts = new Map<string, string>();
  const counts = { hits: 0, writes: 0 };
  const cache: SetCache = {
    read: (digest) => {
      const text = texts.get(digest);
      if (text !== undefined) counts.hits++;
      return text;
    },
    write: (digest, text) => {
      counts.writes++;
      texts.set(digest, text);
    },
  };
  return { cache, texts, counts };
}

describe('loadProgram', () => {
  const FILES = {
    'config/policy/u.yaml': denying(
      'u',
      'extends: [../more.yaml]\ndefaults: {unmatched: deny, on_error: continue}',
    ),
    'config/more.yaml': denying('m'),
    'project/.policy/p.yaml': 'version: 1\npolicies: [{id: a, action: approve}]',
  };

  test('gives from the cache what compiling gives', () => {
    const folder = temporaryFolder(FILES);
    const { cache, counts } = memoryCache();
    const compiled = loadNow(optionsIn(folder, { cache }));
    expect(compiled.ok).toBe(true);
    expect(loadNow(optionsIn(folder, { cache }))).toEqual(compiled);
    expect(counts).toEqual({ hits: 1, writes: 1 });
  });

  test('compiles anew when a text, an extended text, the place or the session changes', () => {
    const folder = temporaryFolder(FILES);
    const { cache, counts } = memoryCache();
    const load = (parts = {}) => {
      const loaded = loadNow(optionsIn(folder, { cache, place: placeIn(folder, parts) }));
      return loaded.ok ? loaded.program.digest : loaded.diagnostics;
    };
    const digests = new Set([load()]);
    writeFiles(folder, { 'project/.policy/p.yaml': denying('changed') });
    digests.add(load());
    writeFiles(folder, { 'config/more.yaml': denying('changed') });
    digests.add(load());
    digests.add(load({ cwd: join(folder, 'project') }));
    digests.add(load({ sessionDirectory: folder }));
    expect(digests.size).toBe(5);
    expect(counts.writes).toBe(5);
  });

  test('an extended file that disappears is an error in spite of the cache', () => {
    const folder = temporaryFolder(FILES);
    const { cache } = memoryCache();
    expect(loadNow(optionsIn(folder, { cache })).ok).toBe(true);
    rmSync(join(folder, 'config/more.yaml'));
    expect(loadNow(optionsIn(folder, { cache }))).toMatchObject({ broken: [{ code: 'extends' }] });
  });

  test('an extended file that a link leads to is another one once the link leads elsewhere', () => {
    const folder = temporaryFolder({
      'config/policy/u.yaml': denying('u', 'extends: [../../current/base.yaml, ../../current/found.yaml]'),
      'config/policy/found.yaml': denying('f'),
      'v1/base.yaml': denying('old'),
      'v2/base.yaml': denying('new'),
      'v2/found.yaml': denying('other', 'name: other'),
    });
    symlinkSync('v1', join(folder, 'current'));
    symlinkSync('../config/policy/found.yaml', join(folder, 'v1/found.yaml'));
    const { cache, counts } = memoryCache();
    const ids = () => idsOfLoaded(folder, cache);
    expect(ids()).toEqual(['found/f', 'base/old', 'u/u']);
    expect(ids()).toEqual(['found/f', 'base/old', 'u/u']);
    expect(counts).toEqual({ hits: 1, writes: 1 });
    rmSync(join(folder, 'current'));
    symlinkSync('v2', join(folder, 'current'));
    expect(ids()).toEqual(['found/f', 'base/new', 'other/other', 'u/u']);
  });

  test.each([
    ['a folder', 'sets'],
    ['a glob', 'sets/*.yaml'],
  ])('a file that comes into %s that is extended, or goes, is noticed', (_, name) => {
    const folder = temporaryFolder({
      'config/policy/u.yaml': denying('u', `extends: ['../../${name}']`),
      'sets/a.yaml': denying('a'),
    });
    const { cache, counts } = memoryCache();
    const ids = () => idsOfLoaded(folder, cache);
    expect(ids()).toEqual(['a/a', 'u/u']);
    writeFiles(folder, { 'sets/b.yaml': denying('b') });
    expect(ids()).toEqual(['a/a', 'b/b', 'u/u']);
    writeFiles(folder, { 'sets/notes.txt': 'no policy' });
    expect(ids()).toEqual(['a/a', 'b/b', 'u/u']);
    expect(counts.writes).toBe(2);
    rmSync(join(folder, 'sets/a.yaml'));
    expect(ids()).toEqual(['b/b', 'u/u']);
  });

  test.each([
    ['nothing', () => ''],
    ['half of it', (text: string) => text.slice(0, text.length / 2)],
    ['a changed letter', (text: string) => text.replace('deny', 'dent')],
    ['another format', (text: string) => text.replace('policy-set-', 'policy-set-0')],
  ])('compiles where the cache holds %s', (_, damage) => {
    const folder = temporaryFolder(FILES);
    const { cache, texts, counts } = memoryCache();
    const compiled = loadNow(optionsIn(folder, { cache }));
    for (const [digest, text] of texts) texts.set(digest, damage(text));
    expect(loadNow(optionsIn(folder, { cache }))).toEqual(compiled);
    expect(counts.writes).toBe(2);
  });

  test('trust is looked up anew for a cached set', () => {
    const folder = temporaryFolder(FILES);
    const { cache } = memoryCache();
    const approve = (trust = NOTHING_TRUSTED) => {
      const loaded = loadNow(optionsIn(folder, { cache, trust }));
      return loaded.ok ? loaded.program.rules.find(({ id }) => id === 'p/a')?.trust : undefined;
    };
    expect(approve()).toBe('untrusted');
    expect(approve(trustingAsItIs(folder))).toBe('active');
    expect(approve()).toBe('untrusted');
  });

  test('broken sets are neither used nor kept', () => {
    const folder = temporaryFolder({ 'project/.policy/p.yaml': 'version: 2' });
    const { cache, counts } = memoryCache();
    expect(loadNow(optionsIn(folder, { cache })).ok).toBe(false);
    writeFiles(folder, { 'config/policy/u.yaml': denying('u', 'defaults: {on_error: continue}') });
    expect(loadNow(optionsIn(folder, { cache })).ok).toBe(true);
    expect(counts.writes).toBe(0);
  });

  test('packs alone are kept like any other set', () => {
    const folder = temporaryFolder();
    const { cache, counts } = memoryCache();
    const loaded = loadNow(optionsIn(folder, { cache }));
    expect(loaded.ok && idsOf(loaded.program)).toEqual([
      ['baseline/a', 'builtin'],
      ['self-protection/b', 'builtin'],
    ]);
    expect(counts.writes).toBe(1);
    expect(loadNow(optionsIn(folder, { cache }))).toEqual(loaded);
  });

  test('can be given up at any point, which leaves nothing behind', () => {
    const folder = temporaryFolder(FILES);
    const { cache, counts } = memoryCache();
    for (let left = 0; ; left++) {
      let taken = 0;
      const giveUp = () => {
        if (++taken > left) throw new OutOfTime('given up');
      };
      try {
        const loaded = runSteps(loadProgram(optionsIn(folder, { cache })), giveUp);
        expect(loaded.ok).toBe(true);
        expect(left).toBeGreaterThan(5);
        return;
      } catch (error) {
        expect(error).toBeInstanceOf(OutOfTime);
        expect(counts.writes).toBe(0);
      }
    }
  });

  test('a program survives the way through JSON, and compiling gives the same every time', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'set'));
    const words = fc.stringMatching(/^[a-z]{1,8}$/);
    const policy = fc.record({ word: words, action: fc.constantFrom('deny', 'approve', 'continue', 'ask') });
    fc.assert(
      fc.property(fc.array(policy, { minLength: 1, maxLength: 8 }), (policies) => {
        const lines = policies.map(
          ({ word, action }, i) => `  - {id: p${i}, action: ${action}, arguments: {command: '${word} *x'}}`,
        );
        writeFileSync(join(folder, 'set/a.yaml'), ['version: 1', 'policies:', ...lines].join('\n'));
        const { program } = compileFiles(named(folder, 'set'));
        expect(program.rules).toHaveLength(policies.length);
        expect(JSON.parse(JSON.stringify(program))).toEqual(program);
        expect(compileFiles(named(folder, 'set')).program).toEqual(program);
      }),
      { numRuns: 30 },
    );
  });

  test('loads no parser and no validator for packs alone or a cached set', () => {
    const folder = temporaryFolder(FILES);
    const script = `
      const { loadProgram } = require(${JSON.stringify(join(import.meta.dir, '../../src/language/policy/compile/load.ts'))});
      const { runSteps } = require(${JSON.stringify(join(import.meta.dir, '../../src/lib/steps.ts'))});
      const texts = new Map(JSON.parse(process.argv[2] ?? '[]'));
      const cache = { read: (digest) => texts.get(digest), write: (digest, text) => texts.set(digest, text) };
      const place = JSON.parse(process.argv[1]);
      const loaded = runSteps(loadProgram({ place, cache, trust: { trusted: () => undefined } }));
      const heavy = ['js-yaml', 'ajv', 're2js', 'picomatch', 'policy-validator', 'unbash'];
      const used = heavy.filter((name) => Object.keys(require.cache).some((path) => path.includes('/' + name)));
      console.log(JSON.stringify({ ok: loaded.ok, used, texts: [...texts] }));
    `;
    const run = (place: unknown, texts: unknown) => {
      const args = ['-e', script, JSON.stringify(place), JSON.stringify(texts)];
      return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
    };
    expect(run(placeIn(temporaryFolder()), [])).toMatchObject({ ok: true, used: [] });
    const first = run(placeIn(folder), []);
    expect(first).toMatchObject({ ok: true, used: expect.arrayContaining(['js-yaml', 'policy-validator']) });
    expect(run(placeIn(folder), first.texts)).toMatchObject({ ok: true, used: [] });
  });
});

describe('compileFiles', () => {
  test('gives the text of every file that positions name, packs included', () => {
    const folder = temporaryFolder({
      'a.yaml': denying('a', 'extends: [sub/b.yaml, builtin:extra]'),
      'sub/b.yaml': denying('b'),
    });
    const packs = packsOf({ extra: denying('e') });
    const { program, texts } = compileFiles({ ...named(folder, 'a.yaml'), packs });
    expect(texts.get('sub/b.yaml')).toBe(denying('b'));
    expect(texts.get('builtin:extra')).toBe(denying('e'));
    for (const { position } of program.rules) expect(texts.has(position.file)).toBe(true);
  });

  test('gives the sound policies beside the broken ones, and examples', () => {
    const folder = temporaryFolder();
    const policies = '[{id: a, action: dney}, {id: b, action: deny, examples: {hit: [{command: x}]}}]';
    writeFiles(folder, { 'x.yaml': `version: 1\npolicies: ${policies}` });
    const { program, examples, diagnostics } = compileFiles(named(folder, 'x.yaml'));
    expect(idsOf(program)).toEqual([['x/b', 'named']]);
    expect(examples.map(({ ruleId, expect, call }) => [ruleId, expect, call])).toEqual([
      ['x/b', 'hit', { command: 'x' }],
    ]);
    expect(diagnostics).toHaveLength(1);
  });
});

describe.skipIf(process.getuid?.() !== 0)('what the organisation extends', () => {
  const load = (folder: string) => compileFiles(optionsIn(folder));

  test.each(['../shared/a.yaml', '../shared', '../shared/*.yaml'])(
    'as %s is changed by root alone',
    (name) => {
      const folder = temporaryFolder({
        'org/o.yaml': `version: 1\nextends: [${name}]`,
        'shared/a.yaml': denying('a'),
      });
      expect(load(folder).diagnostics).toEqual([]);
      for (const open of ['shared/a.yaml', 'shared']) {
        chmodSync(join(folder, open), 0o777);
        expect(load(folder).diagnostics.map(({ code, message }) => [code, message])).toEqual([
          ['owner', expect.stringContaining(`others than root may change "${join(folder, open)}"`)],
        ]);
        chmodSync(join(folder, open), 0o755);
      }
    },
  );

  test('is not asked of what a user extends', () => {
    const folder = temporaryFolder({
      'config/policy/u.yaml': 'version: 1\nextends: [../../shared/a.yaml]',
      'shared/a.yaml': denying('a'),
    });
    chmodSync(join(folder, 'shared/a.yaml'), 0o666);
    expect(load(folder).diagnostics).toEqual([]);
  });
});
