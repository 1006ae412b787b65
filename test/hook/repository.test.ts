import { describe, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryAt } from '../../src/hook/repository.ts';
import { machineSurroundings } from '../../src/hook/surroundings.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

function git(cwd: string, ...args: readonly string[]): void {
  const own = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'protocol.file.allow=always'];
  execFileSync('git', [...own, ...args], { cwd, stdio: 'ignore', env: { ...process.env, HOME: cwd } });
}

function repository(...remotes: readonly (readonly [name: string, url: string])[]): string {
  const root = realpathSync(temporaryFolder());
  git(root, 'init', '-q', '-b', 'main');
  for (const [name, url] of remotes) git(root, 'remote', 'add', name, url);
  return root;
}

describe('repositoryAt', () => {
  test.each([
    ['git@GitHub.com:acme/shop.git', 'github.com/acme/shop'],
    ['https://github.com/acme/shop', 'github.com/acme/shop'],
    ['https://me:secret@git.example.com:8443/acme/team/shop.git/', 'git.example.com/acme/team/shop'],
    ['ssh://git@example.com:2222/acme/shop.git', 'example.com/acme/shop'],
    ['/srv/git/shop.git', undefined],
    ['git@GitHub.com:ACME/Shop.git', 'github.com/acme/shop'],
    ['ssh://git@ssh.github.com:443/acme/shop.git', 'github.com/acme/shop'],
    ['https://www.github.com/acme/shop', 'github.com/acme/shop'],
    ['ssh://git@altssh.gitlab.com:443/acme/shop.git', 'gitlab.com/acme/shop'],
  ])('names %s %p', (url, name) => {
    const root = repository(['origin', url]);
    mkdirSync(join(root, 'a/b'), { recursive: true });
    expect(repositoryAt(join(root, 'a/b'))).toEqual({ root, name, branch: 'main' });
  });

  test('takes origin, or the only remote', () => {
    const other = ['up', 'https://example.com/a/up'] as const;
    const origin = ['origin', 'https://example.com/a/b'] as const;
    expect(repositoryAt(repository(other, origin))?.name).toBe('example.com/a/b');
    expect(repositoryAt(repository(other))?.name).toBe('example.com/a/up');
    expect(repositoryAt(repository(other, ['fork', 'https://example.com/c/b']))?.name).toBeUndefined();
    const root = repository();
    expect(repositoryAt(root)?.name).toBeNull();
    writeFileSync(join(root, '.git/config'), '[remote "origin"]\r\n\turl = https://example.com/a/b\r\n');
    expect(repositoryAt(root)?.name).toBe('example.com/a/b');
  });

  test.each([
    '[include]\n\tpath = remotes\n',
    '[includeIf "onbranch:main"]\n\tpath = remotes\n',
    '[remote "origin"] url = https://example.com/a/b\n',
    '[remote "origin"]\n\turl = \\\n\thttps://example.com/a/b\n',
  ])('does not say that there is no remote where git may find one: %j', (config) => {
    const root = repository();
    writeFileSync(join(root, '.git/config'), config);
    expect(repositoryAt(root)).toEqual({ root, name: undefined, branch: 'main' });
  });

  test('knows worktrees and submodules', () => {
    const root = repository(['origin', 'https://example.com/a/b']);
    git(root, 'commit', '-q', '--allow-empty', '-m', 'x');
    const tree = join(realpathSync(temporaryFolder()), 'tree');
    git(root, 'worktree', 'add', '-q', tree);
    expect(repositoryAt(tree)).toEqual({ root: tree, name: 'example.com/a/b', branch: 'tree' });
    git(tree, 'checkout', '-q', '--detach');
    expect(repositoryAt(tree)?.branch).toBeNull();
    const outer = repository(['origin', 'https://example.com/a/outer']);
    git(outer, 'submodule', '--quiet', 'add', root, 'inner');
    git(join(outer, 'inner'), 'remote', 'set-url', 'origin', 'https://example.com/a/inner');
    expect(repositoryAt(join(outer, 'inner'))).toEqual({
      root: join(outer, 'inner'),
      name: 'example.com/a/inner',
      branch: 'main',
    });
    expect(repositoryAt(outer)?.name).toBe('example.com/a/outer');
  });

  test('says where there is none, and where nobody can tell', () => {
    expect(repositoryAt(temporaryFolder())).toBeNull();
    const broken = temporaryFolder({ '.git': 'gitdir: nowhere\n' });
    expect(repositoryAt(broken)).toBeUndefined();
    expect(machineSurroundings({}, undefined).repository?.()).toBeUndefined();
  });
});
