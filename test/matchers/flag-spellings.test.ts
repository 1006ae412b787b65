import { expect, test } from 'bun:test';
import { ask, shell } from './support.ts';

/** A command with a flag, the same flag as a policy may name it, and the program. */
const SPELLINGS: readonly (readonly [command: string, flags: readonly string[]])[] = [
  ['curl -X POST h', ['-X', '--request']],
  ['curl --request POST h', ['-X', '--request']],
  ['curl -sSfkLO h', ['--silent', '--show-error', '--fail', '--insecure', '--location', '--remote-name']],
  ['curl --data x h', ['-d', '--data-ascii']],
  ['curl --insecure h', ['-k']],
  ['curl -o f -u a:b h', ['--output', '--user']],
  ['wget -qO- --no-check-certificate h', ['--quiet', '--output-document']],
  ['wget -nc h', ['--no-clobber']],
  ['wget --recursive h', ['-r']],
  [
    'docker run -dit -v a:b -p 1:1 -e A=1 x',
    ['--detach', '--interactive', '--tty', '--volume', '--publish', '--env'],
  ],
  ['docker run --net=host x', ['--network']],
  ['podman run --volume a:b x', ['-v']],
  ['docker exec --tty x sh', ['-t']],
  ['docker system prune --all --force', ['-a', '-f']],
  ['docker compose up --detach', ['-d']],
  ['kubectl --namespace prod get pods', ['-n']],
  ['kubectl get pods -A', ['--all-namespaces']],
  ['kubectl logs -f pod', ['--follow']],
  ['kubectl delete -f a.yaml', ['--filename']],
  ['kubectl exec -it pod -- sh', ['--stdin', '--tty']],
  ['npm install -g x', ['--global']],
  ['npm i --save-dev x', ['-D']],
  ['pnpm -r --filter a build', ['--recursive', '-F']],
  ['pnpm add -D x', ['--save-dev']],
  ['yarn add --dev x', ['-D']],
  ['pip install -U --requirement r.txt', ['--upgrade', '-r']],
  ['pip install --index-url https://a x', ['-i']],
  ['tar -czf a.tgz b', ['--create', '--gzip', '--file']],
  ['tar --extract --file a -C d', ['-x', '--get', '-f', '--directory']],
  ['cp -a a b', ['--archive']],
  ['mv --no-clobber a b', ['-n']],
  ['rm --interactive a', ['-i']],
  ['chmod --recursive 755 a', ['-R']],
  ['chown -h me a', ['--no-dereference']],
  ['ln --symbolic --force a b', ['-s', '-f']],
  ['mkdir --mode 700 a', ['-m']],
  ['install -d a', ['--directory']],
  ['git commit --message x', ['-m']],
  ['git commit -p', ['--patch']],
  ['git clone --branch x h:a', ['-b']],
  ['git log -3 --patch', ['-p', '-u']],
  ['git switch --create x', ['-c']],
  ['git checkout --track o/x', ['-t']],
  ['git stash push -u', ['--include-untracked']],
  ['git fetch -t', ['--tags']],
  ['git status --short', ['-s']],
  ['rsync -avz --rsh ssh a h:b', ['--archive', '--verbose', '--compress', '-e']],
  ['rsync --dry-run a b', ['-n']],
  ['apt-get --yes install x', ['-y', '--assume-yes']],
  ['apt-get -s install x', ['--simulate', '--dry-run']],
  ['dnf -y install x', ['--assumeyes']],
  ['systemctl --force reboot', ['-f']],
  ['systemctl list-units --all --type service', ['-a', '-t']],
  ['terraform apply --auto-approve', ['-auto-approve']],
  ['terraform apply -var a=b', ['--var']],
  ['helm upgrade --install x y', ['-i']],
];

test.each(SPELLINGS)('%s has %j', (command, flags) => {
  const [run = ''] = command.split(' ');
  for (const flag of flags)
    expect([flag, ask('command', { run, flags: { any: flag } }, shell(command))]).toEqual([flag, true]);
});

test.each([
  ['curl -x p h', '-X'],
  ['wget -r h', '--remove-listing'],
  ['docker run x -d', '--detach'],
  ['kubectl logs -f pod', '--filename'],
  ['git push -u o x', '--update'],
  ['tar -t -f a', '--to-stdout'],
])('%s does not have %s', (command, flag) => {
  const [run = ''] = command.split(' ');
  expect(ask('command', { run, flags: { any: flag } }, shell(command))).toBe(false);
});

test.each([
  ['git status', false],
  ['git status -s', true],
  ['git -C lib status', true],
  ['git status "$X"', false],
  ['git status $X', 'unknown'],
  ['git status -$X', 'unknown'],
  ['Remove-Item a', false],
] as const)('-* is any flag: %s', (command, found) => {
  expect(ask('command', { flags: { any: '-*' } }, shell(command))).toBe(found);
});
