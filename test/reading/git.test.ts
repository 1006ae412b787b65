import { describe, expect, test } from 'bun:test';
import { does, last, read, runs } from './reads.ts';

const flags = (text: string) => last(text).flags.map(({ name }) => name);

describe('readCommand with git', () => {
  test.each([
    ['git push -f', ['push'], ['-f']],
    ['git -C repo push --force origin main', ['push', 'origin', 'main'], ['-C', '--force']],
    ['git --git-dir=x --no-pager reset --hard', ['reset'], ['--git-dir', '--no-pager', '--hard']],
    ['git -c a.b=c commit -m "-f" -a', ['commit'], ['-c', '-m', '-a']],
    ['git stash drop 1', ['stash', 'drop', '1'], []],
    ['git worktree remove -f x', ['worktree', 'remove', 'x'], ['-f']],
    ['git checkout -b x y', ['checkout', 'y'], ['-b']],
    ['git clean -fdx', ['clean'], ['-f', '-d', '-x']],
    ['git log -5 --grep x', ['log'], ['-5', '--grep']],
    ['git commit -am msg', ['commit'], ['-a', '-m']],
    ['git lfs migrate import --everything', ['lfs', 'migrate', 'import'], ['--everything']],
    ['git subtree push -P lib origin main', ['subtree', 'push', 'origin', 'main'], ['-P']],
    ['git send-pack --push-option=x host:p main', ['send-pack', 'host:p', 'main'], ['--push-option']],
    ['git svn -r 5 fetch', ['svn', 'fetch'], ['-r']],
  ])('takes %p apart', (text, operands, names) => {
    expect(
      last(text).operands.map((word) =>
        word.map((part) => (part.type === 'text' ? part.text : '?')).join(''),
      ),
    ).toEqual(operands);
    expect(flags(text)).toEqual(names);
  });

  test.each([
    ['git-reset --hard', 'git reset --hard'],
    ['/usr/lib/git-core/git-clean -f', 'git clean -f'],
  ])('reads %p as the command that it comes to', (text, line) => {
    expect(runs(text)).toEqual([line]);
  });

  test('says that it cannot tell what is run in each repository', () => {
    const { gaps } = read('git for-each-repo --config=a.b reset --hard');
    expect(gaps.map(({ reason }) => reason)).toEqual(['unknown_script']);
  });

  test.each([
    ['git -c gc.pruneExpire=now gc', ['-c', '--prune']],
    ["git -c gc.pruneExpire='2 weeks ago' gc", ['-c']],
  ])('knows which flags %p is as good as', (text, names) => {
    expect(flags(text)).toEqual(names);
  });

  test.each([
    ['git checkout main a $B', ['writes /work/a and everything below', 'writes ‹$B› and everything below']],
    ['git checkout main', []],
    ['git checkout -b a main', []],
    ["git checkout '*.ts'", ['writes /work/*.ts and everything below']],
    ['git config -e', ['writes /work/.git/config']],
    ['git config --global --edit', ['writes /home/me/.gitconfig']],
    ['git config --edit -f a', ['reads /work/a', 'writes /work/a']],
    ['git restore --no-worktree a', []],
    ['git archive HEAD .env', ['reads /work/.env']],
    ['git stash show -p -- a', ['reads /work/a']],
    ['git stash show --stat -- a', []],
  ])('says what %p does to files', (text, effects) => {
    expect(does(text)).toEqual(effects as typeof effects & []);
  });

  test.each([
    ['git reset --har', ['--hard']],
    ['git branch --dele --forc x', ['--delete', '--force']],
    ['git clean --forc --dry', ['--force', '--dry-run']],
    ['git push --forc', ['--forc']],
    ['git read-tree --rese', ['--reset']],
    ['git gc --prune=now --no-prune', ['--no-prune']],
    ['git lfs prune --forc', ['--force']],
    ['git push --force --no-force', ['--no-force']],
    ['git push -f --no-force', ['--no-force']],
    ['git push --no-force -f', ['-f']],
    ['git restore --staged --no-staged x', ['--no-staged']],
  ])('knows which flags of %p are in force', (text, names) => {
    expect(flags(text)).toEqual(names);
  });

  test.each([
    ["git -c alias.x='!rm y' x", 'rm y'],
    ["git -c alias.toString='!rm y' toString", 'rm y'],
    ["git -c alias.x='!rm' x y", 'rm y'],
    ["git -c alias.a=b -c alias.b='reset --hard' b HEAD~1", 'git reset --hard HEAD~1'],
    ["git -c core.sshCommand='rm y' fetch", 'rm y'],
    ["GIT_SSH_COMMAND='rm y' git push", 'rm y'],
    ["export GIT_SSH_COMMAND='rm y'; git pull", 'rm y'],
    ["GIT_PAGER='rm y' git log", 'rm y'],
    ["git -c core.pager='rm y' diff", 'rm y'],
    ["GIT_EDITOR='rm y' git commit", 'rm y'],
    ["git -c core.fsmonitor='rm y' status", 'rm y'],
    ["git -c credential.helper='!rm y' fetch", 'rm y'],
    ["GIT_EXTERNAL_DIFF='rm y' git diff", 'rm y'],
    ["git rebase -x 'rm y' main", 'rm y'],
    ['git bisect run rm y', 'rm y'],
    ["git submodule foreach 'rm y'", 'rm y'],
    ["git filter-branch --tree-filter 'rm y' HEAD", 'rm y'],
    ["git difftool -x 'rm y'", 'rm y'],
    ["git clone -u 'rm y' host:x", 'rm y'],
  ])('sees what %p runs', (text, line) => {
    expect(runs(text)).toContain(line);
  });

  test.each([
    "git -c alias.status='!rm y' status",
    "git commit -m '!rm y'",
    'unset GIT_SSH_COMMAND; git fetch',
  ])('sees that %p runs nothing else', (text) => {
    expect(runs(text).filter((line) => line.startsWith('rm') || line === 'cat')).toEqual([]);
  });

  test.each([
    ['git clean -fd', ['deletes /work and everything below']],
    ['git clean -f src', ['deletes /work/src']],
    ['git clean -nfd', []],
    ['git rm -r src', ['deletes /work/src and everything below']],
    ['git rm --cached x', []],
    [
      'git mv a b',
      [
        'reads /work/a and everything below',
        'deletes /work/a and everything below',
        'writes /work/b, or a in it and everything below',
      ],
    ],
    ['git restore a', ['writes /work/a and everything below']],
    ['git restore --staged a', []],
    ['git checkout -- a', ['writes /work/a and everything below']],
    ['git checkout main', []],
    ['git reset --hard', ['writes /work and everything below']],
    ['git reset HEAD~1', []],
    ['git -C sub reset --hard', ['writes /work/sub and everything below']],
    ['git -C sub clean -f', ['deletes /work/sub']],
    ['git worktree remove x', ['deletes /work/x and everything below']],
    ['git worktree add x', ['writes /work/x and everything below']],
    ['git submodule add ./a x', ['writes /work/x and everything below']],
    [
      'git clone https://git.example/a/b.git',
      ['fetches https://git.example/a/b.git (https)', 'writes /work/b and everything below'],
    ],
    ['git push git@host.example:a/b main', ['sends to git@host.example:a/b (ssh)']],
    ['git push origin main:main', ['sends to its configured destination']],
    ['git push origin :old', ['sends to its configured destination']],
    ['git push ../copy main', []],
    ['git push', ['sends to its configured destination']],
    ['git push "$R"', ['sends to ‹$R› (ssh)']],
    ['git push --repo=https://git.example/a', ['sends to https://git.example/a (https)']],
    ['git fetch --all', ['fetches from its configured source']],
    ['git fetch host.example:a/b', ['fetches host.example:a/b (ssh)']],
    ['git pull --rebase', ['fetches from its configured source']],
    ['git ls-remote', ['fetches from its configured source']],
    ['git clone ../a b', ['writes /work/b and everything below']],
    ['git clone file:///srv/a b', ['writes /work/b and everything below']],
    ['git remote', []],
    ['git remote show origin', ['fetches from its configured source']],
    ['git remote update', ['fetches from its configured source']],
    ['git remote add x https://git.example/a', ['connects to https://git.example/a (https)']],
    ['git submodule update --init', ['fetches from its configured source']],
    ['git submodule status', []],
    ['git lfs pull', ['fetches from its configured source']],
    ['git lfs track x', []],
    ['git archive --remote=host.example:a HEAD', ['fetches host.example:a (ssh)']],
    ['git -c http.proxy=http://p.example:1 fetch', ['fetches http://p.example:1 (http)']],
    ['git -c url.https://m.example/.insteadOf=git: pull', ['fetches https://m.example/ (https)']],
    ['git show HEAD~1:config/a', ['reads /work/config/a']],
    ['git cat-file -p main:a', ['reads /work/a']],
    ['git show HEAD', []],
    ['git blame -L 1,5 a', ['reads /work/a']],
    ['git diff --no-index a /tmp/b', ['reads /work/a', 'reads /tmp/b']],
    ['git diff a b', []],
    ['git show :0:a', ['reads /work/a']],
    ['git show :2:./b/a', ['reads /work/b/a']],
    ['git show HEAD -- a', ['reads /work/a']],
    ['git show --stat HEAD -- a', []],
    ['git show --stat -p HEAD -- a', ['reads /work/a']],
    ['git log -p -- a b', ['reads /work/a', 'reads /work/b']],
    ['git log -U1 .a', ['reads /work/.a']],
    ['git log -- a', []],
    ['git diff main -- a', ['reads /work/a']],
    ['git diff .a', ['reads /work/.a']],
    ['git diff ..main', []],
    ['git diff --name-only -- a', []],
    ['git diff /dev/null ~/a', ['reads /home/me/a']],
    ['git diff a ../b', ['reads /work/a', 'reads /b']],
    ["git diff -- ':!a' ':(exclude)b' ':^c' ':/d' ':(top)e'", ['reads /work/d', 'reads /work/e']],
    ['git grep . -- a', ['reads /work/a']],
    ['git grep .a', []],
    ['git grep -e .a .b', ['reads /work/.b']],
    ['git grep -l x -- a', []],
    ['git add .env', ['reads /work/.env and everything below']],
  ])('says what %p does', (text, effects) => {
    expect(does(text)).toEqual(effects);
  });

  test('reads git as git however it is run', () => {
    for (const text of [
      '/usr/lib/git-core/git push -f',
      'sudo git push -f',
      "bash -c 'git push -f'",
      'GIT.EXE push -f',
    ]) {
      const found = read(text).commands.at(-1);
      expect(found?.name).toBe('git');
      expect(found?.flags.map(({ name }) => name)).toEqual(['-f']);
    }
  });
});
