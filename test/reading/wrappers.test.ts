import { describe, expect, test } from 'bun:test';
import { last, read, runs } from './reads.ts';

describe('readCommand with programs that run others', () => {
  test.each(['sudo -e /etc/hosts', 'sudo --edit /etc/hosts', 'sudo -u me -e /etc/hosts'])(
    'takes %p for sudoedit',
    (text) => {
      expect(runs(text)).toContain('sudoedit /etc/hosts');
    },
  );

  test.each([
    "PAGER='rm x' man ls",
    "export GIT_EDITOR='rm x'; git commit",
    "EDITOR='rm x'; crontab -e",
    `export ${Array.from({ length: 70 }, (_, index) => `A${index}=1`).join(' ')}; export GIT_EDITOR='rm x'; git commit`,
    "if a; then export GIT_EDITOR='rm x'; fi; git commit",
    "[ -d .git ] && export GIT_SSH_COMMAND='rm x'; git fetch",
    "case x in x) export GIT_SSH_COMMAND='rm x';; esac; git fetch",
    "for x in a b; do [ $x = b ] && export GIT_PAGER='rm x'; done; git log",
    "git status || export EDITOR='rm x'; git commit",
    "if a; then export EDITOR='rm x'; else export EDITOR=vim; fi; git commit",
    "if a; then export PAGER='rm x'; fi; man ls",
    "while a; do export PAGER='rm x'; break; done; man ls",
    "f() { if a; then export PAGER='rm x'; fi; }; f; man ls",
    'pwsh -c "if (\\$x) { \\$env:GIT_EDITOR=\'rm x\' }; git commit"',
    "if a; then export GIT_CONFIG_KEY_0=core.pager GIT_CONFIG_VALUE_0='rm x'; else export GIT_CONFIG_VALUE_0=less; fi; git log",
    'export EDITOR=vi; git log; vi() { rm x; }; export -f vi; git log',
    "env KUBE_EDITOR='rm x' kubectl edit deploy a",
    "BROWSER='rm x' unknown",
    "PAGER='rm x' ssh h psql",
    "PAGER='rm x' su - me -c psql",
    "export GIT_SSH_COMMAND='rm x'; docker exec h git fetch",
    "docker exec -e PAGER='rm x' h psql",
    "export A='rm x'; ssh h '$A'",
    "f() { gh pr list; }; GH_PAGER='rm x' f",
    'PAGER=\'VISUAL="rm x" crontab -e\' man ls',
    'env A=1 nodemon -x rm x',
    "export CC='rm x;'; make",
    "CXX='rm x; c++' ./configure",
    'fish -c \'set -gx GIT_EDITOR "rm x"; git commit\'',
    'csh -c \'setenv GIT_EDITOR "rm x"; git commit\'',
    'elvish -c \'set-env GIT_EDITOR "rm x"; git commit\'',
    'export GIT_EDITOR=\'rm x\'; env -u "$X" git commit',
    `${Array.from({ length: 99 }, (_, index) => `export A${index}=1`).join('; ')}; echo 'rm x' > e; BASH_ENV=e; export BASH_ENV; bash -c ls`,
  ])('runs the command that a variable or a setting holds: %p', (text) => {
    expect(runs(text)).toContain('rm x');
  });

  test.each([
    ['EDITOR=vim VISUAL=vim PAGER=cat man ls', ['man ls', 'vim', 'vim', 'cat']],
    ['EDITOR="$VISUAL" BROWSER="$1" man ls', ['man ls']],
    ["PAGER='rm x'; cd a", ['cd a']],
    ['make "SHELL = bash" a', ["make 'SHELL = bash' a"]],
    ['nodemon a.js', ['nodemon a.js', 'node a.js']],
    ['dune build', ['dune build']],
    ["npm run a -- --script-shell 'rm x'", ["npm run a -- --script-shell 'rm x'"]],
    ['PAGER= git log', ['git log']],
    ["BROWSER='/c/a (x86)/b' unknown", ['unknown', '/c/a/b']],
    ['VISUAL="$EDITOR"; git log', ['git log']],
    ['. ./a; GIT_EDITOR="$GIT_EDITOR" git log', ['. ./a', 'git log']],
    ['if a; then export PAGER=cat; fi; git log', ['a', 'export PAGER=cat', 'git log', 'cat']],
    ['if a; then export TAR_OPTIONS=--to-command=b; fi; tar xf c', expect.arrayContaining(['b'])],
    ['export EDITOR=vi; a; b; git log', ['export EDITOR=vi', 'a', 'vi', 'b', 'git log', 'vi']],
    ['export PAGER="less -R"; a; b; c', ["export 'PAGER=less -R'", 'a', 'less -R', 'b', 'c']],
    ['CC="ccache gcc" make', ['make', 'gcc']],
    ['CC=gcc CXX="$CXX -O2" AR="$(which ar)" make', ['which ar', 'make']],
    ['fish -c "set -x A rm x; set B rm x"', ['set -x A rm x', 'set B rm x']],
  ])('runs nothing else for the variables of %p', (text, lines) => {
    expect(runs(text)).toEqual(lines);
    expect(read(text).gaps).toEqual([]);
  });

  test.each(['. ./a; GIT_EDITOR="$EDITOR" git commit', 'GIT_SSH_COMMAND="$LESSOPEN" git fetch'])(
    "does not take the variable in %p for the person's own",
    (text) => {
      expect(read(text).gaps.map(({ reason }) => reason)).toContain('unknown_script');
    },
  );

  test.each(["at now <<< 'rm x'", "echo '* * * * * rm x' | crontab -"])('finds the command in %p', (text) => {
    const lines = runs(text).filter((line) => !line.startsWith('echo') && !/^(?:at|crontab)/.test(line));
    expect(lines).toEqual(['rm x']);
  });

  test.each([
    'env -S rm x',
    'env --argv0 name rm x',
    'choom -n 5 -- rm x',
    'setarch x86_64 -R rm x',
    'faketime "1 day ago" rm x',
    'chronic rm x',
    'tini -- rm x',
    '/lib64/ld-linux-x86-64.so.2 /bin/rm x',
    'mise exec -- rm x',
    'mise exec node@22 -- rm x',
    'nix shell nixpkgs#git -c rm x',
    'opam exec -- rm x',
    'podman unshare rm x',
    'xterm -e rm x',
    "xterm -title t -e 'rm x'",
    'wsl -d Debian -e rm x',
    "entr -s 'rm x'",
    "fish --command='rm x'",
    "bash /dev/fd/0 <<< 'rm x'",
    "eval -- 'rm x'",
    "split --filter='rm x' f",
    "sort --compress-program='rm x' f",
    "man -P 'rm x' ls",
    "install --strip-program='rm x' a b",
    "rsync --rsync-path='rm x' a host:b",
    "scp -S 'rm x' a host:b",
    "nc -e 'rm x' host 1",
    "less '+!rm x' f",
    "sftp host <<< '!rm x'",
    'sem rm x',
    'parallel --eta rm ::: x',
  ])('finds it in %p too', (text) => {
    expect(runs(text).filter((line) => /^(?:\/bin\/)?rm x$/.test(line))).toHaveLength(1);
  });

  test.each([
    'ssh host rm x',
    'ssh -p 22 -i key me@host "rm x"',
    'ssh host -- rm x',
    'ssh host -t "rm x"',
    'ssh -t host -p 22 "rm x"',
    'ssh host -p 22 -- rm x',
    'ssh host <<< "rm x"',
    'docker exec -it -u root box rm x',
    'docker run --rm -v a:/b image rm x',
    'podman container run image rm x',
    'docker compose exec web rm x',
    'docker-compose run -e A=1 web rm x',
    'kubectl exec -it pod -c main -- rm x',
    'kubectl -n prod exec pod -- rm x',
    'kubectl run box --image=i -- rm x',
  ])('says of %p that it runs elsewhere', (text) => {
    expect(runs(text).filter((line) => line === 'rm x')).toEqual(['rm x']);
    expect(last(text)).toMatchObject({ name: 'rm', remote: true });
  });

  test.each(['sudo rm x', 'doas rm x', 'su -c "rm x"', 'sudo sh -c "env rm x"', 'ssh h sudo rm x'])(
    'says that rm in %p has other rights',
    (text) => {
      expect(last(text)).toMatchObject({ name: 'rm', privileged: true });
    },
  );

  test.each([
    ['command -v rm', 'command'],
    ['sudo -l', 'sudo'],
    ['env A=1', 'env'],
    ['timeout 5', 'timeout'],
    ['ssh host', 'ssh'],
    ['docker ps', 'docker'],
    ['kubectl get pods', 'kubectl'],
    ['npm install', 'npm'],
  ])('finds no command in %p', (text, name) => {
    const { commands } = read(text);
    expect(commands.map((command) => command.name)).toEqual([name]);
    expect(commands[0]?.wrapper).toBe(false);
  });

  test('lists the wrapper before what it runs, with the way there', () => {
    const { commands } = read('sudo timeout 5 rm x');
    expect(commands.map(({ name, parent, wrapper }) => ({ name, parent, wrapper }))).toEqual([
      { name: 'sudo', parent: undefined, wrapper: true },
      { name: 'timeout', parent: 0, wrapper: true },
      { name: 'rm', parent: 1, wrapper: false },
    ]);
    expect(commands[2]?.via).toEqual([
      { kind: 'wrapper', name: 'sudo' },
      { kind: 'wrapper', name: 'timeout' },
    ]);
  });

  test('keeps the environment that wrappers set', () => {
    expect(last('A=1 env B=2 sudo C=3 rm x').assignments.map(({ name }) => name)).toEqual(['A', 'B', 'C']);
    expect(last('export A=1; B=2; rm x').assignments.map(({ name }) => name)).toEqual(['A']);
  });

  test('runs the commands of a wrapper in the folder it names', () => {
    expect(last('env -C /srv rm x').effects).toMatchObject([{ path: [{ text: '/srv/x' }] }]);
    expect(last('sudo -D /srv rm x').effects).toMatchObject([{ path: [{ text: '/srv/x' }] }]);
  });

  test('changes the folder through command and builtin, but not through others', () => {
    expect(last('command cd /srv; rm x').effects).toMatchObject([{ path: [{ text: '/srv/x' }] }]);
    expect(last('env cd /srv; rm x').effects).toMatchObject([{ path: [{ text: '/work/x' }] }]);
  });
});
