import { describe, expect, test } from 'bun:test';
import { gapsIn, runs } from './reads.ts';

describe('readCommand with control flow', () => {
  test.each([
    ['a; b && c || d | e & f\ng', ['a', 'b', 'c', 'd', 'e', 'f', 'g']],
    ['(a; b)', ['a', 'b']],
    ['{ a; b; }', ['a', 'b']],
    ['if a; then b; elif c; then d; else e; fi', ['a', 'b', 'c', 'd', 'e']],
    ['while a; do b; done', ['a', 'b']],
    ['until a; do b; done', ['a', 'b']],
    ['for ((i=0; i<3; i++)); do b; done', ['b']],
    ['case x in y) a;; z|w) b;& *) c;; esac', ['a', 'b', 'c']],
    ['! a', ['a']],
    ['time -p a', ['a']],
    ['coproc a', []],
    ['a |& b', ['a', 'b']],
    ['select x in 1; do a; done', ['a']],
  ])('reads %p as %p', (text, lines) => {
    expect(runs(text)).toEqual(lines);
  });

  test.each([
    ['for f in a b; do rm $f; done', ['rm a', 'rm b']],
    ['for f in {1..3}; do rm f$f; done', ['rm f1', 'rm f2', 'rm f3']],
    ['for f in a b; do g=$f.x; rm $g; done', ['rm a.x', 'rm b.x']],
    ['for f in a b; do cp $f $f.bak; done', ['cp a a.bak', 'cp b b.bak']],
    ['for f in a b; do for g in c d; do rm $f$g; done; done', ['rm ac', 'rm ad', 'rm bc', 'rm bd']],
    ['for c in r m; do w=$w$c; done; $w x', []],
    ['w=; for c in r m; do w=$w$c; done; $w x', ['rm x']],
    ['for f in; do rm $f; done', []],
    ['for f; do rm $f; done', []],
    ['printf "a\\nb\\n" | while read f; do rm $f; done', ['rm a', 'rm b']],
    ['while read -r a b; do rm $b; done <<< "x y z"', ['rm ‹$b›']],
  ])('reads the rounds of %p', (text, lines) => {
    expect(runs(text).filter((line) => line.startsWith('rm') || line.startsWith('cp'))).toEqual(lines);
  });

  test.each([
    ['if a; then X=1; else X=2; fi; rm $X', ['rm 1', 'rm 2']],
    ['X=0; if a; then X=1; fi; rm $X', ['rm 1', 'rm 0']],
    ['X=0; [ -f y ] && X=1; rm $X', ['rm 1', 'rm 0']],
    ['X=0; cd y && X=1; rm $X', ['rm 1']],
    ['X=0; a || X=1; rm $X', ['rm 1', 'rm 0']],
    ['X=0; case $1 in a) X=1;; b) X=2;; esac; rm $X', ['rm 1', 'rm 2', 'rm 0']],
    ['X=0; (X=1); rm $X', ['rm 0']],
    ['X=0; a | { X=1; }; rm $X', ['rm 0']],
    ['X=0; { X=1; }; rm $X', ['rm 1']],
    ['X=0; X=1 & rm $X', ['rm 0']],
    ['i=0; while a; do i=$((i+1)); done; rm $i', ["rm '‹$((i+1))›'", 'rm 0']],
  ])('gives variables all values they may have: %p', (text, lines) => {
    expect(runs(text).filter((line) => line.startsWith('rm'))).toEqual(lines);
  });
});

describe('readCommand with functions and aliases', () => {
  test.each([
    ['f() { rm "$1"; }; f x', ['rm x']],
    ['function f { rm $2 $#; }; f x y', ['rm y 2']],
    ['f() { rm "$@"; }; f -r x', ['rm -r x']],
    ['f() { g; }; g() { rm x; }; f', ['rm x']],
    ['f() { rm x; }', []],
    ['f() { local v=x; rm $v; }; f; echo $v', ['local v=x', 'rm x', 'echo ‹$v›']],
    ['f() { v=x; }; f; rm $v', ['rm x']],
    ['f() { f; rm x; }; f', ['rm x', 'rm x']],
    ['(f() { rm x; }); f', ['f']],
    ['"f" () { rm x; }; "f"', ['rm x']],
    ['rm() { echo "$@"; }; rm x', ['echo x']],
    ['rm() { echo; }; command rm x', ['rm x']],
    ['rm() { echo; }; bash -c "rm x"', ['rm x']],
    ['f() { rm $x; }; x=y f', ['rm y']],
    ['f() { cat; }; f > out', ['cat', '> out']],
    ["trap 'rm x' EXIT", ["trap 'rm x' EXIT", 'rm x']],
    ['trap - EXIT', ['trap - EXIT']],
  ])('reads %p as %p', (text, lines) => {
    expect(runs(text)).toEqual(lines);
  });

  test('says that a function starts several copies of itself', () => {
    expect(gapsIn(':(){ :|:& };:')).toEqual(['too_deep', 'too_deep']);
    expect(gapsIn('f() { g; }; g() { f | cat; }; f')).toEqual(['too_deep']);
  });

  test.each([
    'while true; do x & done',
    'while :; do (x &); done',
    'while [ 1 ]; do { x & }; done',
    'until false; do x & echo y; done',
    'while ! false; do x & done',
    'for ((;;)); do x & done',
    'while true\ndo\n  x > log 2>&1 &\ndone',
    "bash -c 'while true; do x & done'",
    'f() { x & }; while true; do f; done',
    'f() { x & f; }; f',
  ])('says that a loop without an end waits for nothing: %p', (text) => {
    expect(gapsIn(text)).toEqual(['too_deep']);
  });

  test.each([
    "echo 'while true; do x & done'",
    'while true; do x & wait; done',
    'while true; do x & sleep 1; done',
    'while true; do x & break; done',
    'while true; do x; sleep 1; done &',
    'while true; do read -r l; x "$l" & done',
    'while true; do echo x; done',
    'until true; do x & done',
    'while read -r f; do x "$f" & done < list',
    'for ((i = 0; i < 3; i++)); do x & done',
    'for i in 1 2; do x & done',
    'f() { x & }; while true; do f; sleep 1; done',
    'f() { [ "$1" = 0 ] && return; x & f 0; }; f 1',
    'f() { x; f; }; f',
  ])('reads a loop that waits, or ends: %p', (text) => {
    expect(gapsIn(text)).toEqual([]);
  });

  test.each(["alias ll='rm -rf'; ll x", "alias rm='rm -i'; rm 'a b'", 'f() { ls; }; alias f=rm; f'])(
    'does not follow an alias: %p',
    (text) => {
      expect(gapsIn(text)).toEqual(['unknown_script']);
    },
  );
});
