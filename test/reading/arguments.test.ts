import { describe, expect, test } from 'bun:test';
import { showWord } from '../../src/reader/reading/word.ts';
import { last } from './reads.ts';

function taken(text: string): readonly [readonly string[], readonly string[]] {
  const { flags, operands } = last(text);
  return [
    flags.map(({ name, value }) => (value === undefined ? name : `${name}=${showWord(value)}`)),
    operands.map(showWord),
  ];
}

describe('flags and operands of readCommand', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['rm -rf a b', ['-r', '-f'], ['a', 'b']],
    ['rm a -r -- -f', ['-r'], ['a', '-f']],
    ['rm --recurs --forc a', ['--recursive', '--force'], ['a']],
    ['rm --no-pre a', ['--no-preserve-root'], ['a']],
    ['rm --pre a', ['--preserve-root'], ['a']],
    ['cp -t d a', ['-t=d'], ['a']],
    ['cp -td a', ['-t=d'], ['a']],
    ['cp --target-directory=d a', ['--target-directory=d'], ['a']],
    ['head -20 a', ['-20'], ['a']],
    ['head -n20 a', ['-n=20'], ['a']],
    ['sed -i.bak x a', ['-i=.bak'], ['x', 'a']],
    ['sed -i x a', ['-i'], ['x', 'a']],
    ['grep -rne x a', ['-r', '-n', '-e=x'], ['a']],
    ['tar xzf a', [], ['xzf', 'a']],
    ['tar -xzf a', ['-x', '-z', '-f=a'], []],
    ['terraform apply -auto-approve -var a=b', ['-auto-approve', '-var=a=b'], ['apply']],
    ['java -jar a.jar -x', ['-jar=a.jar', '-x'], []],
    ['cp --recur a b', ['--recursive'], ['a', 'b']],
    ['chmod --rec 755 a', ['--recursive'], ['755', 'a']],
    ['mkdir --par a', ['--parents'], ['a']],
    ['ln --symb a b', ['--symbolic'], ['a', 'b']],
    ['kill -KILL 1', ['-KILL'], ['1']],
    ['pkill -STOP a', ['-STOP'], ['a']],
    ['pkill -SIGUSR1 a', ['-SIGUSR1'], ['a']],
    ['pkill -9f a', ['-9', '-f'], ['a']],
    ['pkill -P 12 a', ['-P=12'], ['a']],
    ['killall -RTMIN+1 a', ['-RTMIN+1'], ['a']],
    ['fuser -KILL -k a', ['-KILL', '-k'], ['a']],
    ['kill -s KILL -1', ['-s=KILL', '-1'], []],
    ['tool -abc --long --with=value x', ['-a', '-b', '-c', '--long', '--with=value'], ['x']],
    ['tool - x', [], ['-', 'x']],
    ['curl -XPOST -H"A: b" u', ['-X=POST', '-H=A: b'], ['u']],
    ['docker run --rm -e A=1 image -x', ['--rm', '-e=A=1'], ['run', 'image', '-x']],
    ['kubectl -n prod delete pod x --force', ['-n=prod', '--force'], ['delete', 'pod', 'x']],
    ['npm --prefix d install x', ['--prefix=d'], ['install', 'x']],
    ['aws --profile p s3 rm s3://b --recursive', ['--profile=p', '--recursive'], ['s3', 'rm', 's3://b']],
    ['kubectl delete pods --all --dry-run=none', ['--all'], ['delete', 'pods']],
    ['helm uninstall a --dry-run=false', [], ['uninstall', 'a']],
    ['rclone purge a:b --dry-run=false', [], ['purge', 'a:b']],
    ['kubectl delete pods --all --all=false --dry-run=client', ['--dry-run=client'], ['delete', 'pods']],
    ['kubectl get pods --output=none', ['--output=none'], ['get', 'pods']],
    ['terraform apply -destroy=false', [], ['apply']],
    ['sudo -u root rm -rf a', ['-r', '-f'], ['a']],
    ['echo -n a', [], ['-n', 'a']],
    ['git reset --hard --help', ['--help'], []],
    ['git clean -fdxh', ['-h'], []],
    ['git grep -h x', ['-h'], ['grep', 'x']],
    ['git checkout -- --help', [], ['checkout', '--help']],
    ['git commit -m --help', ['-m=--help'], ['commit']],
    ['git undo --hard --help', [], ['undo', '--hard', '--help']],
    ['git config core.hooksPath x --help', ['--help'], ['config', 'core.hooksPath', 'x']],
    ['git push -f $X --help', ['-f', '--help'], ['push', '$X']],
    ['terraform destroy -help', ['-help'], []],
    // Behind a flag that is not in the tables it may be that one's value.
    ['helm uninstall x --description -h', ['--description', '-h'], ['uninstall', 'x']],
    ['helm uninstall x --wait=true -h', ['-h'], []],
    ['git checkout --recurse-submodules on-demand x', ['--recurse-submodules=on-demand'], ['checkout', 'x']],
    ['git checkout --recurse-submodules x y', ['--recurse-submodules'], ['checkout', 'x', 'y']],
    ['tool --env-file x y', ['--env-file=x'], ['y']],
    ['git stash -- drop', [], ['stash', 'push', 'drop']],
    ['git stash -u -- drop', ['-u'], ['stash', 'push', 'drop']],
    ['git stash -m drop', ['-m=drop'], ['stash']],
    ['git stash push -- drop', [], ['stash', 'push', 'drop']],
    ['python3 -m a -c b', ['-m=a'], ['-c', 'b']],
    ['python3 -I -c a -m b', ['-I', '-c=a'], ['-m', 'b']],
    ['git gc --prune=never', [], ['gc']],
  ])('takes %p apart', (text, flags, operands) => {
    const [foundFlags, foundOperands] = taken(text);
    expect(foundFlags).toEqual([...flags]);
    expect(foundOperands).toEqual([...operands]);
  });

  test('keeps how a flag was written and where', () => {
    expect(last('rm x -rf').flags).toEqual([
      { name: '-r', written: '-rf', value: undefined, arg: 1 },
      { name: '-f', written: '-rf', value: undefined, arg: 1 },
    ]);
  });

  test('counts subcommands', () => {
    expect(last('git stash drop 1').subcommands).toBe(2);
    expect(last('git push').subcommands).toBe(1);
    expect(last('git frobnicate').subcommands).toBe(0);
    expect(last('tool push').subcommands).toBe(0);
  });

  test('does not take an unknown word in quotes for a flag', () => {
    expect(taken('rm "$X" -r')).toEqual([['-r'], ['$X']]);
  });
});
