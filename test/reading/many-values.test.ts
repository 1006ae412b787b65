import { describe, expect, test } from 'bun:test';
import { gapsIn, read, runs } from './reads.ts';

/** A variable that may have nine values, the given one last. */
function anyOf(name: string, last: string): string {
  const values = [...'12345678', last];
  return `case $Q in ${values.map((value) => `${value}0) ${name}='${value}';;`).join(' ')} esac; `;
}

/** Two of them: more combinations than are read, and what is meant is the last. */
const TWO = `${anyOf('A', '')}${anyOf('B', '/x')}`;

describe('readCommand with words of many values', () => {
  test.each([
    'rm $A$B',
    'for x in $A$B; do rm $x; done',
    'case $(rm $A$B) in x) ;; esac',
    '[[ -n $(rm $A$B) ]]',
    '(( x = $(rm $A$B) ))',
    'for (( x = $(rm $A$B); x < 1; x++ )); do true; done',
  ])('reads %p once more with words that may be anything', (text) => {
    expect(gapsIn(TWO + text)).toEqual([]);
    expect(runs(TWO + text).filter((line) => /^rm '?‹/.test(line))).not.toEqual([]);
  });

  test('says that a program is unknown that may be one of too many', () => {
    expect(gapsIn(`${TWO}$A$B x`)).toEqual(['unknown_program']);
  });

  test.each([
    'case $(uname) in D*) o=mac s=/a;; L*) o=linux s=/b;; M*) o=win s=/c;; *) o=x s=/d;; esac; ' +
      'case $(uname -m) in x*) a=64 t=1;; arm*) a=arm t=2;; i*) a=32 t=3;; *) a=x t=4;; esac; ' +
      'curl -o "$s/$o-$a-$t.tgz" "https://x.example/$o/$a/$t"',
    'for f in a b c d e f g; do [ -n "$Q" ] && eval "$f=--$f"; done; ls $a $b $c $d $e $f $g',
    'for x in 1 2 3 4 5 6 7 8 9 10 11 12; do for y in 1 2 3 4 5 6 7 8 9 10 11 12; do echo $x $y; done; done',
    ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((f) => `${f}=; [ -n "$${f}1" ] && ${f}=--${f}; `).join('') +
      'ls $a $b $c $d $e $f $g',
  ])('reads an ordinary script of many cases: %s', (text) => {
    expect(gapsIn(text)).toEqual([]);
  });

  test('remembers what a group leaves in each of several files', () => {
    const { commands } = read('for f in a b; do { curl https://x.example; } > $f; done; sh b');
    expect(commands.flatMap(({ effects }) => effects).map(({ type }) => type)).toContain('remote_code');
  });

  test('reads each of several inputs of a group', () => {
    const lines = runs('for x in "rm a" "rm b"; do { sh; } <<< "$x"; done');
    expect(lines).toContain('rm a');
    expect(lines).toContain('rm b');
  });
});
