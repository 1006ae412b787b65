import { describe, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { discover } from '../../src/language/policy/files/discovery.ts';
import { splitPolicyPath } from '../../src/language/policy/files/pack-names.ts';
import type { PolicyPlace } from '../../src/language/policy/files/place.ts';
import { runSteps } from '../../src/lib/steps.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { placeIn } from './support.ts';

/** What was found, as `layer file` or `layer builtin:NAME`. */
function found(place: PolicyPlace): readonly string[] {
  return runSteps(discover(place)).found.map((item) =>
    'pack' in item ? `${item.layer} builtin:${item.pack}` : `${item.layer} ${item.file}`,
  );
}

function problems(place: PolicyPlace): readonly string[] {
  return runSteps(discover(place)).diagnostics.map(({ code, message }) => `${code} ${message}`);
}

const PACKS = ['builtin builtin:baseline', 'builtin builtin:self-protection'];

describe('discover', () => {
  test('takes the layers from the organisation down to the project', () => {
    const folder = temporaryFolder({
      'org/o.yaml': '',
      'config/policy/u.yaml': '',
      'project/.git/HEAD': '',
      'project/.policy/p.yaml': '',
      'project/a/b/.policy/deep/q.yaml': '',
      '.policy/outside-of-the-repository.yaml': '',
    });
    const env = { XDG_CONFIG_HOME: join(folder, 'config'), POLICY_PATH: '' };
    const place = placeIn(folder, { sessionDirectory: join(folder, 'project/a/b'), env });
    expect(found(place)).toEqual([
      ...PACKS,
      'organisation org/o.yaml',
      'user config/policy/u.yaml',
      'project project/.policy/p.yaml',
      'project project/a/b/.policy/deep/q.yaml',
    ]);
    expect(problems(place)).toEqual([]);
  });

  test('outside of a repository looks into the session directory only', () => {
    const folder = temporaryFolder({ '.policy/above.yaml': '', 'project/.policy/here.yaml': '' });
    expect(found(placeIn(folder))).toEqual([...PACKS, 'project project/.policy/here.yaml']);
  });

  test('looks at where a linked session directory really is', () => {
    const folder = temporaryFolder({ 'repo/.git/HEAD': '', 'repo/.policy/p.yaml': '', 'repo/sub/x': '' });
    symlinkSync(join(folder, 'repo/sub'), join(folder, 'project'));
    expect(found(placeIn(folder))).toEqual([...PACKS, 'project repo/.policy/p.yaml']);
  });

  test('takes the user folder from HOME where XDG_CONFIG_HOME is empty', () => {
    const folder = temporaryFolder({ '.config/policy/u.yaml': '' });
    const place = placeIn(folder, { env: { HOME: folder, XDG_CONFIG_HOME: '' } });
    expect(found(place)).toEqual([...PACKS, 'user .config/policy/u.yaml']);
  });

  test.each([
    ['is not set', {}],
    ['is empty', { HOME: '' }],
    ['is relative', { HOME: 'project', XDG_CONFIG_HOME: 'project' }],
  ])('has no user folder where HOME %s', (_how, env) => {
    const folder = temporaryFolder({ 'project/.config/policy/not-mine.yaml': '' });
    expect(found(placeIn(folder, { env }))).toEqual(PACKS);
  });

  test('with names takes exactly these, each file once', () => {
    const folder = temporaryFolder({
      'org/o.yaml': '',
      'a.yaml': '',
      'more/b.yml': '',
      'more/b.test.yaml': '',
    });
    const named = ['builtin:git', 'more', 'a.yaml', 'more/b.yml'];
    expect(found(placeIn(folder, { named }))).toEqual([
      'named builtin:git',
      'named more/b.yml',
      'named a.yaml',
    ]);
  });

  test('takes POLICY_PATH for names, unless there are some or it is empty', () => {
    const folder = temporaryFolder({ 'a.yaml': '', 'b.yaml': '' });
    const env = { POLICY_PATH: 'a.yaml:builtin:git' };
    expect(found(placeIn(folder, { env }))).toEqual(['named a.yaml', 'named builtin:git']);
    expect(found(placeIn(folder, { env, named: ['b.yaml'] }))).toEqual(['named b.yaml']);
    expect(found(placeIn(folder, { env: { POLICY_PATH: '' } }))).toEqual(PACKS);
  });

  test('complains of what is named and not there, or not for policies', () => {
    const folder = temporaryFolder({ 'empty/readme.md': '', 'a.test.yaml': '' });
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const named = ['missing.yaml', 'empty', 'a.test.yaml', 'pipe', '/dev/null'];
    expect(problems(placeIn(folder, { named }))).toEqual([
      'file Cannot read policy file "missing.yaml": there is no such file or folder',
      'file Cannot read policy folder "empty": it has no policy files',
      'file Cannot read policy file "a.test.yaml": it is a test',
      'file Cannot read policy file "pipe": it is not a regular file',
      'file Cannot read policy file "/dev/null": it is not a regular file',
    ]);
  });

  test('complains of a project folder that is a file or a link out of the repository', () => {
    const folder = temporaryFolder({
      'outside/x.yaml': '',
      'project/.git/HEAD': '',
      'project/sub/.policy': '',
    });
    symlinkSync(join(folder, 'outside'), join(folder, 'project/.policy'));
    expect(problems(placeIn(folder, { sessionDirectory: join(folder, 'project/sub') }))).toEqual([
      `file Cannot read policy file "project/.policy": it lies outside of "${join(folder, 'project')}"`,
      'file Cannot read policy folder "project/sub/.policy": it is not a folder',
    ]);
  });

  test('takes no complaint from folders that are not there', () => {
    const folder = temporaryFolder();
    expect(problems(placeIn(folder))).toEqual([]);
    mkdirSync(join(folder, 'config/policy'), { recursive: true });
    expect(problems(placeIn(folder))).toEqual([]);
  });

  test('names files outside of the working directory in full', () => {
    const folder = temporaryFolder({ 'a.yaml': '', 'sub/x': '' });
    const place = placeIn(folder, { cwd: join(folder, 'sub'), named: ['../a.yaml'] });
    expect(found(place)).toEqual([`named ${join(folder, 'a.yaml')}`]);
  });
});

describe('splitPolicyPath', () => {
  test.each([
    ['', []],
    ['a', ['a']],
    ['a:b', ['a', 'b']],
    [':a::b:', ['a', 'b']],
    ['builtin:git', ['builtin:git']],
    ['a:builtin:git:b', ['a', 'builtin:git', 'b']],
    ['builtin', ['builtin']],
    ['./builtin:git', ['./builtin', 'git']],
  ])('%j', (text, names) => {
    expect(splitPolicyPath(text)).toEqual(names);
  });
});
