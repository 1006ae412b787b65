import { describe, expect, test } from 'bun:test';
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Fetched } from '../../../src/fleet/sources/fetched.ts';
import { denying } from '../../policy/support.ts';
import { fetchNamed } from '../../sources/fetch-named.ts';
import { repositoryIn, sshScript } from '../../sources/git-repository.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function fetch(
  name: string,
  pinned?: string,
  env: Readonly<Record<string, string>> = {},
  timeoutMs = 30_000,
): Promise<Fetched> {
  return fetchNamed(name, pinned, { env, timeoutMs });
}

describe('a git repository', () => {
  test('is fetched by tag, annotated tag, branch, commit and default branch', async () => {
    const repository = repositoryIn(temporaryFolder());
    const { source, git } = repository;
    const one = repository.commit({ 'a.yaml': denying('a'), 'notes.md': 'no', 'deep/b.yml': denying('b') });
    git('tag', 'v1');
    git('tag', '--annotate', '--message=x', 'v1.1');
    git('branch', 'release/1.x');
    const two = repository.commit({ 'c.yaml': denying('c') });
    for (const revision of ['#v1', '#v1.1', '#release/1.x', `#${one}`]) {
      const { revision: commit, files } = await fetch(source + revision);
      expect([revision, commit, [...files.keys()]]).toEqual([revision, one, ['a.yaml', 'deep/b.yml']]);
    }
    for (const revision of ['', '#main', `#${two}`]) {
      const { revision: commit, files } = await fetch(source + revision);
      expect([revision, commit, files.size]).toEqual([revision, two, 3]);
    }
    expect(new TextDecoder().decode((await fetch(source)).files.get('c.yaml'))).toBe(denying('c'));
  });

  test('gives the commit that is locked, though its branch has gone on', async () => {
    const repository = repositoryIn(temporaryFolder());
    const one = repository.commit({ 'a.yaml': denying('a') });
    repository.commit({ 'a.yaml': denying('b') });
    const { revision, files } = await fetch(`${repository.source}#main`, one);
    expect([revision, new TextDecoder().decode(files.get('a.yaml'))]).toEqual([one, denying('a')]);
  });

  test('has moved a tag: both commits are named', async () => {
    const repository = repositoryIn(temporaryFolder());
    const one = repository.commit({ 'a.yaml': denying('a') });
    repository.git('tag', 'v1');
    const two = repository.commit({ 'a.yaml': denying('b') });
    repository.git('tag', '--force', 'v1');
    await expect(fetch(`${repository.source}#v1`, one)).rejects.toThrow(
      `tag v1 has moved: it was ${one} when it was locked and is ${two} now. If that is intended, run policy lock --update`,
    );
    expect((await fetch(`${repository.source}#v1`)).revision).toBe(two);
  });

  test.each([
    ['#v9', 'it has no tag and no branch v9'],
    [`#${'1'.repeat(40)}`, 'git says'],
  ])('has no %s: %s', async (revision, cause) => {
    const { source, commit } = repositoryIn(temporaryFolder());
    commit({ 'a.yaml': denying('a') });
    await expect(fetch(source + revision)).rejects.toThrow(`Cannot fetch "${source}${revision}": ${cause}`);
  });

  test('that is not there, or has no policies, says so', async () => {
    const folder = temporaryFolder();
    await expect(fetch(`git+file://${folder}/none`)).rejects.toThrow('git says: fatal');
    const { source, commit } = repositoryIn(folder);
    commit({ 'notes.md': 'no policies' });
    await expect(fetch(source)).rejects.toThrow('it has no policy files');
  });

  test('with a link to a policy is refused, other links and odd names are left out', async () => {
    const repository = repositoryIn(temporaryFolder());
    symlinkSync('/etc/passwd', join(repository.folder, 'notes'));
    repository.commit({ 'a.yaml': denying('a'), 'odd:name\\.md': '' });
    expect([...(await fetch(repository.source)).files.keys()]).toEqual(['a.yaml']);
    symlinkSync('/etc/passwd', join(repository.folder, 'b.yaml'));
    repository.commit({});
    await expect(fetch(repository.source)).rejects.toThrow('its file "b.yaml" is a link');
  });

  test('runs no hook and no transport of another kind, whatever the configuration says', async () => {
    const folder = temporaryFolder();
    const { source, commit } = repositoryIn(join(folder, 'r'));
    commit({ 'a.yaml': denying('a') });
    const config = join(folder, 'config');
    execFileSync('git', [
      'config',
      '--file',
      config,
      `url.ext::sh -c touch% ${folder}/harm.insteadOf`,
      source.slice(4),
    ]);
    await expect(fetch(source, undefined, { GIT_CONFIG_GLOBAL: config })).rejects.toThrow(
      "transport 'ext' not allowed",
    );
    expect(readdirSync(folder).sort()).toEqual(['config', 'r']);
  });

  test('is not taken for that of the directory', async () => {
    const { source, commit, folder } = repositoryIn(temporaryFolder());
    const one = commit({ 'a.yaml': denying('a') });
    expect(
      (await fetch(source, undefined, { GIT_DIR: '/nonexistent', GIT_WORK_TREE: folder })).revision,
    ).toBe(one);
  });
});

/** False for one that has ended, though nobody may have asked how. */
function isRunning(pid: string): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' });
  return /^[^Z]/.test(stdout.trim());
}

describe('a git server over ssh', () => {
  const SOURCE = 'git+ssh://example.com/policies#v1';

  test('is asked through the ssh that is set up', async () => {
    const folder = temporaryFolder();
    const repository = repositoryIn(join(folder, 'r'));
    const one = repository.commit({ 'a.yaml': denying('a') });
    repository.git('tag', 'v1');
    const ssh = sshScript(folder, `exec git-upload-pack '${repository.folder}'`);
    expect((await fetch(SOURCE, undefined, { GIT_SSH_COMMAND: ssh })).revision).toBe(one);
  });

  test('that stalls is given up, with all that was started', async () => {
    const folder = temporaryFolder();
    const ssh = sshScript(folder, `echo $$ > ${folder}/pid; exec sleep 300`);
    const startMs = performance.now();
    await expect(fetch(SOURCE, undefined, { GIT_SSH_COMMAND: ssh }, 1_000)).rejects.toThrow(
      `Cannot fetch "${SOURCE}": git was not through after 1 s`,
    );
    expect(performance.now() - startMs).toBeLessThan(20_000);
    const pid = execFileSync('cat', [join(folder, 'pid')], { encoding: 'utf8' }).trim();
    while (isRunning(pid)) await Bun.sleep(50);
  });

  test('that sends another commit than it names is not believed', async () => {
    const folder = temporaryFolder();
    const honest = repositoryIn(join(folder, 'honest'));
    honest.commit({ 'a.yaml': denying('a') });
    honest.git('tag', 'v1');
    const other = repositoryIn(join(folder, 'other'));
    other.commit({ 'a.yaml': denying('b') });
    other.git('tag', 'v1');
    const ssh = sshScript(
      folder,
      `if [ -e ${folder}/seen ]; then exec git-upload-pack '${other.folder}'; fi
touch ${folder}/seen; exec git-upload-pack '${honest.folder}'`,
    );
    await expect(fetch(SOURCE, undefined, { GIT_SSH_COMMAND: ssh })).rejects.toThrow('try again');
  });

  test('that talks nonsense, or dies, is an error with its words', async () => {
    const folder = temporaryFolder();
    const ssh = sshScript(folder, 'echo "go away" >&2; exit 255');
    await expect(fetch(SOURCE, undefined, { GIT_SSH_COMMAND: ssh })).rejects.toThrow('git says: fatal');
    const noise = sshScript(folder, 'head -c 100000 /dev/zero');
    await expect(fetch(SOURCE, undefined, { GIT_SSH_COMMAND: noise })).rejects.toThrow('git says');
  });
});

test('without git says so', async () => {
  await expect(fetch('git+https://example.com/a', undefined, { PATH: '/nonexistent' })).rejects.toThrow(
    'git cannot be started',
  );
});
