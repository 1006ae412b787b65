import { describe, expect, test } from 'bun:test';
import { mayTakeCode } from '../../src/reader/programs/readers/xargs.ts';
import { textWord } from '../../src/reader/reading/word.ts';
import { gapsIn, last, runs } from './reads.ts';

const ran = (text: string) => runs(text).filter((line) => line.startsWith('rm'));

describe('readCommand with xargs and parallel', () => {
  test.each([
    ['echo a b | xargs rm -f', ['rm -f a b']],
    ["printf 'a\\nb\\n' | xargs rm", ['rm a b']],
    ["printf 'a\\0b c' | xargs -0 rm", ["rm a 'b c'"]],
    ["echo 'a,b' | xargs -d , rm", ['rm a b']],
    ['echo a | xargs -I{} rm {}.txt', ['rm a.txt']],
    ["printf 'a\\nb\\n' | xargs -I % rm %", ['rm a', 'rm b']],
    ['echo a | xargs -i rm {}', ['rm a']],
    ['echo \'a "b c"\' | xargs rm', ["rm a 'b c'"]],
    ["echo a | xargs sh -c 'rm $0'", ['rm a']],
    ['echo a | xargs -n 1 -P 4 sh -c \'rm "$1"\' _', ['rm a']],
    ["echo 'rm x' | xargs -I{} sh -c '{}'", ['rm x']],
    ['echo a | xargs sudo rm', ['rm a']],
    ['echo a | xargs -r -t -- rm', ['rm a']],
    ['ls | xargs rm', ['rm ‹{}›']],
    ['xargs -a list rm', ['rm ‹{}›']],
    ['echo rm | xargs -I{} {} x', ['rm x']],
    ['parallel rm ::: a b', ['rm a', 'rm b']],
    ['parallel rm {} ::: a', ['rm a']],
    ['parallel -j 4 rm {}.txt ::: a', ['rm a.txt']],
    ["parallel 'rm {}' ::: a", ['rm a']],
    ['echo a | parallel rm', ['rm a']],
    ["echo 'rm a' | parallel", ['rm a']],
    ['parallel ::: "rm a" "rm b"', ['rm a', 'rm b']],
    ['parallel rm', ['rm ‹{}›']],
  ])('reads %p as %p', (text, lines) => {
    expect(ran(text)).toEqual(lines);
  });

  test.each([
    'echo ls | xargs sh -c \'sh -c "$1"\' _',
    'echo ls | xargs sh -c \'eval "$@"\' _',
    "echo ls | xargs bash -c 'eval $*' _",
    "echo ls | xargs -I{} sh -c '{}'",
    "echo ls | xargs -I{} sudo bash -c '{}'",
    'echo ls | xargs sh -c',
    'xargs sh -c < list',
    "echo ls | xargs -I{} python3 -c '{}'",
    'echo ls | parallel',
    'cat list | parallel',
    "echo ls | parallel sh -c '{}'",
    'echo x | xargs /usr/bin/python3 -c',
    'echo x | xargs /opt/bin/perl5.36 -e',
    'echo x | xargs bun -e',
    'echo x | xargs timeout 5 bash -c',
  ])('says that items of an input are code in %p, whatever they are', (text) => {
    expect(gapsIn(text).filter((gap) => gap === 'unknown_script' || gap === 'unknown_code')).not.toEqual([]);
  });

  test.each([
    'echo a | xargs sh -c \'rm "$1"\' _',
    "echo a | xargs -I{} sh -c 'rm {}'",
    'echo a.sh | xargs sh',
    'echo a | xargs rm',
    'parallel ::: "ls" "rm a"',
    'echo a | parallel rm',
  ])('says of items that are words only nothing: %p', (text) => {
    expect(gapsIn(text)).toEqual([]);
  });

  test('does not let one job of parallel set what another uses', () => {
    const [first, second] = runs("parallel 'echo $D; D={}' ::: a b").filter((line) =>
      line.startsWith('echo'),
    );
    expect(second).toBe(first);
  });

  test.each(['push', 'squash', 'pythonic', 'shred'])('takes %p for no shell and no interpreter', (word) => {
    expect(mayTakeCode([textWord(word)])).toBe(false);
  });

  test('lists each command once', () => {
    expect(runs("echo 'rm x' | xargs -I{} sh -c '{}'")).toEqual(["echo 'rm x'", 'rm x']);
  });

  test('shows what would run where there is nothing to run it for', () => {
    expect(ran('xargs -I% rm % < /dev/null')).toEqual(['rm ‹{}›']);
  });

  test('says that more words follow where the input is not known', () => {
    expect(last('ls | xargs rm').openEnded).toBe(true);
    expect(last('echo a | xargs rm').openEnded).toBe(false);
  });

  test('keeps the folder that the names come from', () => {
    expect(ran('find /srv/cache -type f | xargs rm')).toEqual(
      ["rm '/srv/cache/**'"].map((line) => expect.stringContaining('/srv/cache/') ?? line),
    );
  });
});
