import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Repository, repositoryIn } from '../../sources/git-repository.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { commandIn } from '../hook/in-process.ts';
import { type Workplace, workplaceIn } from '../hook/workplace.ts';
import { denying } from './denying.ts';
import { reasonOf, sourcesOf } from './judged.ts';

const LOCK = 'project/.policy/policy.lock';

/** A project that extends the policies of a team, which is a repository with a first commit and the tag v1. */
function teamAndProject(revision: string): {
  place: Workplace;
  team: Repository;
  source: string;
  at: string;
} {
  const at = temporaryFolder();
  const team = repositoryIn(join(at, 'team'));
  team.commit({ 'curl.yaml': denying('curl') });
  team.git('tag', 'v1');
  const place = workplaceIn(at);
  const source = `${team.source}${revision}`;
  place.write({ 'project/.policy/own.yaml': `version: 1\nextends: ['${source}']\n` });
  return { place, team, source, at };
}

describe('a source that is not locked', () => {
  test('refuses every call and names the command that helps', async () => {
    const { place } = teamAndProject('#v1');
    const reason = await reasonOf(place, 'ls');
    expect(reason).toContain('.policy/own.yaml:2:11');
    expect(reason).toContain('run policy lock');
    const check = await commandIn(place, ['check']);
    expect([check.exitCode, check.stdout]).toEqual([3, expect.stringContaining('there is no policy.lock')]);
    const missing = await commandIn(place, ['lock', '--check']);
    expect([missing.exitCode, missing.stdout]).toEqual([1, expect.stringContaining('unlocked')]);
    expect(existsSync(join(place.project, '.policy/policy.lock'))).toBe(false);
  });
});

describe('a locked source', () => {
  test('that cannot be loaded is named at once', async () => {
    const { place, team } = teamAndProject('#main');
    team.commit({ 'curl.yaml': 'version: 1\npolices: []\n' });
    const { exitCode, stdout, stderr } = await commandIn(place, ['lock']);
    expect([exitCode, stdout]).toEqual([3, expect.stringContaining('Wrote')]);
    expect(stderr).toContain('curl.yaml:2:1 error unknown-key  Cannot use key "polices"');
    expect(stderr).not.toContain('missing-key');
  });

  test('is in force without its server, and stays what it was when its branch goes on', async () => {
    const { place, team } = teamAndProject('#main');
    expect((await commandIn(place, ['lock'])).exitCode).toBe(0);
    team.commit({ 'curl.yaml': denying('wget') });
    expect(await reasonOf(place, 'curl x')).toContain('curl/no-curl');
    expect(await reasonOf(place, 'wget x')).toBe('');
    rmSync(team.folder, { recursive: true });
    expect(await reasonOf(place, 'curl x')).toContain('curl/no-curl');
    const again = await commandIn(place, ['lock']);
    expect([again.exitCode, again.stdout]).toEqual([0, expect.stringMatching(/^kept /)]);
  });

  test('is fetched again after a clone, and has to be the same', async () => {
    const { place, at } = teamAndProject('#v1');
    await commandIn(place, ['lock']);
    const kept = sourcesOf(place);
    rmSync(kept, { recursive: true });
    expect(await reasonOf(place, 'ls')).toContain('run policy lock');
    const fetched = await commandIn(place, ['lock']);
    expect([fetched.exitCode, fetched.stdout]).toEqual([0, expect.stringMatching(/^fetched /)]);
    expect(await reasonOf(place, 'ls')).toBe('');

    rmSync(kept, { recursive: true });
    const lock = join(at, LOCK);
    place.write({ [LOCK]: readFileSync(lock, 'utf8').replace(/sha256:.{6}/, 'sha256:000000') });
    const other = await commandIn(place, ['lock']);
    expect([other.exitCode, other.stderr]).toEqual([
      3,
      expect.stringContaining('are not those that were locked'),
    ]);
    expect(await reasonOf(place, 'ls')).toContain('run policy lock');
  });

  test('whose files were changed on this machine refuses until it is locked again', async () => {
    const { place } = teamAndProject('#v1');
    await commandIn(place, ['lock']);
    const kept = sourcesOf(place);
    const file = readdirSync(kept, { recursive: true, encoding: 'utf8' }).find((name) =>
      name.endsWith('.yaml'),
    );
    place.write({ [`home/.local/state/policy/sources/${file}`]: denying('wget') });
    expect(await reasonOf(place, 'curl x')).toContain('cannot be judged');
    expect((await commandIn(place, ['lock'])).exitCode).toBe(0);
    expect(await reasonOf(place, 'curl x')).toContain('curl/no-curl');
  });

  test('whose files were changed behind a hook that has read them: what was locked stays in force, and check and doctor say so', async () => {
    const { place } = teamAndProject('#v1');
    await commandIn(place, ['lock']);
    expect(await reasonOf(place, 'curl x')).toContain('curl/no-curl');
    const file = readdirSync(sourcesOf(place), { recursive: true, encoding: 'utf8' }).find((name) =>
      name.endsWith('.yaml'),
    );
    place.write({ [`home/.local/state/policy/sources/${file}`]: denying('wget') });
    expect(await reasonOf(place, 'curl x')).toContain('curl/no-curl');
    const checked = await commandIn(place, ['check']);
    expect([checked.exitCode, checked.stdout]).toEqual([
      3,
      expect.stringContaining('its files on this machine differ from the locked ones'),
    ]);
    expect(checked.stdout).toContain('run policy lock');
    place.write({ 'home/.gemini/settings.json': '{}' });
    await place.run({ args: ['install', '--yes', '--host', 'gemini'] });
    const doctor = await place.run({ args: ['doctor'] });
    expect([doctor.exitCode, doctor.stdout]).toEqual([1, expect.stringContaining('not a valid policy')]);
    expect((await commandIn(place, ['lock'])).stdout).toContain('fetched');
    expect((await commandIn(place, ['check'])).stdout).not.toContain('differ from the locked ones');
  });

  test('whose tag has moved is not taken without being asked for', async () => {
    const { place, team } = teamAndProject('#v1');
    await commandIn(place, ['lock']);
    team.commit({ 'curl.yaml': denying('wget') });
    team.git('tag', '--force', 'v1');
    rmSync(sourcesOf(place), { recursive: true });
    const moved = await commandIn(place, ['lock']);
    expect([moved.exitCode, moved.stderr]).toEqual([3, expect.stringContaining('tag v1 has moved')]);
    expect(moved.stderr).toContain('policy lock --update');
    expect((await commandIn(place, ['lock', '--update', '--yes'])).exitCode).toBe(0);
    expect(await reasonOf(place, 'wget x')).toContain('no-wget');
  });

  test.each([
    ['{"version": 2, "sources": {}}', 'of version 2, which a newer policy has written'],
    ['{"version": 1, "sources": {"a": 1}}', 'what it says of "a"'],
    ['<<<<<<< HEAD', 'it is not the JSON'],
  ])('with a lock like %s refuses and says why', async (lock, why) => {
    const { place } = teamAndProject('#v1');
    await commandIn(place, ['lock']);
    place.write({ [LOCK]: lock });
    expect(await reasonOf(place, 'ls')).toContain('cannot be judged');
    const { exitCode, stdout, stderr } = await commandIn(place, ['check']);
    expect([exitCode, stdout + stderr]).toEqual([3, expect.stringContaining(why)]);
    const locked = await commandIn(place, ['lock']);
    expect([locked.exitCode, locked.stderr]).toEqual([expect.any(Number), expect.stringContaining(why)]);
    expect(locked.exitCode).not.toBe(0);
    expect(readFileSync(join(place.project, '.policy/policy.lock'), 'utf8')).toBe(lock);
  });
});

test('a lock hands git no options: policy lock runs nothing that a repository has put there', async () => {
  const { place, team, at } = teamAndProject('#v1');
  const source = `${team.source}#${'0'.repeat(40)}`;
  const revision = `--upload-pack=touch ${join(at, 'ran')};false`;
  const digest = `sha256:${'0'.repeat(64)}`;
  place.write({
    'project/.policy/own.yaml': `version: 1\nextends: ['${source}']\n`,
    [LOCK]: JSON.stringify({ version: 1, sources: { [source]: { revision, digest } } }),
  });
  const { exitCode, stderr } = await commandIn(place, ['lock']);
  expect(exitCode).not.toBe(0);
  expect(existsSync(join(at, 'ran'))).toBe(false);
  expect(stderr).toContain('not what policy lock writes');
});

test('2,000 shared policies in 40 files are one file of the cache, and no file of theirs is read', async () => {
  const at = temporaryFolder();
  const team = repositoryIn(join(at, 'team'));
  const policies = (file: number) =>
    Array.from({ length: 50 }, (_, index) => `  - {id: p${index}, command: c${file}-${index}, action: deny}`);
  team.commit(
    Object.fromEntries(
      Array.from({ length: 40 }, (_, file) => [
        `${file}.yaml`,
        `version: 1\nname: f${file}\npolicies:\n${policies(file).join('\n')}\n`,
      ]),
    ),
  );
  const place = workplaceIn(at);
  place.write({ 'project/.policy/own.yaml': `version: 1\nextends: ['${team.source}']\n` });
  expect((await commandIn(place, ['lock'])).exitCode).toBe(0);
  expect(await reasonOf(place, 'c39-49')).toContain('f39/p49');
  expect(readdirSync(join(place.state, 'cache'))).toHaveLength(1);
  rmSync(sourcesOf(place), { recursive: true });
  expect(await reasonOf(place, 'c0-0')).toContain('f0/p0');
  expect(await reasonOf(place, 'ls')).toBe('');
});

test('policy test runs the examples of what a project extends, where it has no policies of its own', async () => {
  const { place, team } = teamAndProject('#main');
  await commandIn(place, ['lock']);
  const { exitCode, stdout } = await commandIn(place, ['test']);
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/2 passed/)]);
  team.commit({ 'curl.yaml': denying('curl').replace('{command: curl x}', '{command: wget x}') });
  await commandIn(place, ['lock', '--update', '--yes']);
  expect((await commandIn(place, ['test'])).exitCode).toBe(1);
  place.write({ 'project/.policy/own.yaml': 'version: 1\nextends: [builtin:git-safety]\n' });
  const pack = await commandIn(place, ['test']);
  expect([pack.exitCode, pack.stderr]).toEqual([0, expect.stringContaining('are extended here load')]);
  place.write({ 'project/.policy/own.yaml': 'version: 1\nextends: [builtin:nothing]\n' });
  expect((await commandIn(place, ['test'])).exitCode).toBe(3);
  place.write({ 'project/.policy/own.yaml': 'version: 1\npolicies: [{id: a, command: b, action: deny}]\n' });
  expect((await commandIn(place, ['test'])).exitCode).toBe(2);
});

describe('an update', () => {
  test('shows what would be decided otherwise, and writes when it is agreed to', async () => {
    const { place, team } = teamAndProject('#main');
    await commandIn(place, ['lock']);
    team.commit({ 'curl.yaml': denying('wget') });
    const before = readFileSync(join(place.project, '.policy/policy.lock'), 'utf8');
    const checked = await commandIn(place, ['lock', '--update', '--check']);
    expect([checked.exitCode, checked.stdout]).toEqual([
      1,
      expect.stringContaining('loosened  curl/no-curl'),
    ]);
    expect(checked.stdout).toContain('tightened  curl/no-wget');
    const one = await commandIn(place, ['lock', `--update=${team.source}`, '--check']);
    expect([one.exitCode, one.stdout]).toEqual([1, expect.stringContaining('tightened  curl/no-wget')]);
    const other = await commandIn(place, ['lock', '--update=git+https://other.example/x', '--check']);
    expect([other.exitCode, other.stderr]).toEqual([2, expect.stringContaining('no policy here extends it')]);
    const unasked = await commandIn(place, ['lock', '--update']);
    expect([unasked.exitCode, unasked.stderr]).toEqual([2, expect.stringContaining('--yes')]);
    expect(readFileSync(join(place.project, '.policy/policy.lock'), 'utf8')).toBe(before);
    expect(await reasonOf(place, 'curl x')).toContain('no-curl');
    expect((await commandIn(place, ['lock', '--update', '--yes'])).exitCode).toBe(0);
    expect(await reasonOf(place, 'wget x')).toContain('no-wget');
    expect((await commandIn(place, ['lock', '--update', '--check'])).exitCode).toBe(0);
  });

  test('to another tag is held against what was locked of the one before, and says what the policies say otherwise', async () => {
    const { place, team } = teamAndProject('#v1');
    const extending = (tag: string) =>
      place.write({ 'project/.policy/own.yaml': `version: 1\nextends: ['${team.source}#${tag}']\n` });
    // No call tells the difference: there are no examples.
    const file = (mode: string, rest: string) => `version: 1
policies:
  - {id: no-curl, command: curl, action: deny, mode: ${mode}, reason: no}
${rest}`;
    const exception = (policy: string) =>
      `exceptions: [{policy: ${policy}, tool: shell, owner: ada, reason: moves, expires: 2999-12-31}]\n`;
    team.commit({
      'curl.yaml': file(
        'enforce',
        `  - {id: no-wget, command: wget, action: deny, reason: no}\n${exception('curl/no-curl')}`,
      ),
    });
    team.git('tag', 'v2');
    team.commit({
      'curl.yaml': `${file('monitor', `  - {id: no-nc, command: nc, action: ask, reason: no}\n${exception('baseline/delete-home')}`)}disable: [builtin:baseline]\ndefaults: {on_error: continue}\n`,
    });
    team.git('tag', 'v3');
    extending('v2');
    expect((await commandIn(place, ['lock'])).exitCode).toBe(0);
    extending('v3');
    const { exitCode, stdout, stderr } = await commandIn(place, ['lock', '--update', '--check']);
    expect([exitCode, stderr]).toEqual([1, '']);
    expect(stdout).toMatch(/^updated +git\+file:.*#v3 +[0-9a-f]{12} → [0-9a-f]{12}$/m);
    const lines = stdout.slice(stdout.indexOf('removed')).trim().split('\n');
    expect(lines.map((line) => line.trim().replaceAll(/ {2,}/g, '  '))).toEqual([
      'removed  policy curl/no-wget  action deny',
      'removed  exception from curl/no-curl  owner ada, until 3000-01-01T00:00:00.000Z',
      'changed  policy curl/no-curl  mode enforce → monitor',
      'added  policy curl/no-nc  action ask',
      'added  exception from baseline/delete-home  owner ada, until 3000-01-01T00:00:00.000Z',
      'added  disable builtin:baseline',
      'added  on_error: continue in curl',
    ]);
    expect((await commandIn(place, ['lock', '--update', '--yes'])).exitCode).toBe(0);
    const lock = JSON.parse(readFileSync(join(place.project, '.policy/policy.lock'), 'utf8'));
    expect(Object.keys(lock.sources)).toEqual([`${team.source}#v3`]);
    expect(await reasonOf(place, 'nc x')).toContain('curl/no-nc');
    team.git('tag', 'v4');
    extending('v4');
    const same = await commandIn(place, ['lock', '--update', '--check']);
    expect(same.stdout).toContain('No policy, mode, exception or setting changes');
  });

  test('to what cannot be loaded leaves in force what was locked', async () => {
    const { place, team } = teamAndProject('#main');
    await commandIn(place, ['lock']);
    team.commit({ 'curl.yaml': 'version: 1\npolicies: [{id: a, acton: deny}]\n' });
    const { exitCode, stderr } = await commandIn(place, ['lock', '--update', '--yes']);
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining('The locked ones stay in force')]);
    expect(stderr).toContain('acton');
    expect(await reasonOf(place, 'curl x')).toContain('no-curl');
  });

  test('that cannot be kept leaves in force what was locked', async () => {
    const { place, team } = teamAndProject('#main');
    await commandIn(place, ['lock']);
    team.commit({ 'curl.yaml': denying('wget') });
    // Nothing can be written into files, as on a disk that is full.
    const shell = `trap '' XFSZ; ulimit -f 0; exec "$@"`;
    const { exitCode, stderr } = await place.run({ args: ['lock', '--update', '--yes'], shell });
    expect([exitCode, stderr]).toEqual([expect.any(Number), expect.stringContaining('Cannot')]);
    expect(exitCode).not.toBe(0);
    expect(await reasonOf(place, 'curl x')).toContain('no-curl');
  });
});
