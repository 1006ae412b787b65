import { describe, expect, test } from 'bun:test';
import { gapsIn, runs } from './reads.ts';

describe('a function that calls itself', () => {
  test.each([
    'f() { "$@" || { sleep 1; f "$@"; }; }; f npm test',
    'f() { curl -s localhost || f; }; f',
    'f() { "$@" > log || f "$@"; }; f npm test',
    'f() { local n=$1; shift; "$@" || f "$((n - 1))" "$@"; }; f 5 npm test',
    'n=0; f() { npm test || { n=$((n + 1)); f; }; }; f',
    'f() { for p in "$1"/*; do if [ -d "$p" ]; then f "$p"; else wc "$p"; fi; done; }; f src',
    'f() { if [ "$1" -le 1 ]; then echo 1; else echo "$(($1 * $(f $(($1 - 1)))))"; fi; }; f 5',
    'f() { [ "$1" = 0 ] || { f $(($1 - 1)) "$3" "$2"; f $(($1 - 1)) "$2" "$3"; }; }; f 3 a b',
    'f() { [ -f "$1/a" ] && echo "$1" || f "$(dirname "$1")"; }; f /work/a/b',
    'f() { g; }; g() { f; }; f',
  ])('is read until nothing new comes of it: %s', (text) => {
    expect(gapsIn(text)).toEqual([]);
  });

  test.each([
    ['f() { "$@" || f "$@"; }; f rm y', 'rm y'],
    ['f() { ls "$1"; f y; }; f x', 'ls y'],
    ['f() { ls "$1"; shift; f "$@"; }; f a b c d e f g h y', 'ls y'],
    ['f() { ls "$1"; f "$1/y"; }; f a', 'ls a/y/y/y/y/y/y'],
    ['X=a; f() { ls "$X"; X=y; f; }; f', 'ls y'],
    ['X=a; f() { [ -e z ] && f; ls "$X"; X=y; }; f', 'ls y'],
    ['f() { sh a.sh; echo rm y > a.sh; f; }; f', 'rm y'],
    ['f() { [ -e z ] && f; sh a.sh; echo rm y > a.sh; }; f', 'rm y'],
    ['g() { ls; }; f() { g; g() { rm y; }; f; }; f', 'rm y'],
    ['f() { sh "$1"; f <(echo rm y); }; f a.sh', 'rm y'],
    ['f() { eval "$C"; C="rm y" f; }; f', 'rm y'],
    ['f() { ls; cd sub; f; }; cd /; f', 'ls'],
    ['f() { ls "$1"; g y; }; g() { f "$1"; }; f a', 'ls y'],
  ])('is read again where it starts from something else: %s', (text, command) => {
    expect(runs(text)).toContain(command);
  });

  test('is read some calls deep where only what is not known anyway changes', () => {
    const commands = runs('f() { for p in "$1"/*; do ls "$p" "$2"; f "$p" "a$2"; done; }; f a x');
    expect(commands.slice(0, 4)).toEqual(['ls a/* x', 'ls a/*/* ax', 'ls a/*/*/* aax', 'ls a/*/*/*/* aaax']);
    expect(commands[4]).toContain('{what changes from call to call}');
    expect(commands[4]).toEndWith(' aaaax');
  });

  test.each([
    ':(){ :|:& };:',
    'f() { f & f; }; f',
    'f() { (f); }; f',
    'f() { ls "$1" | while read -r a; do f "$a"; done; }; f .',
    'g() { f | cat; }; f() { g; }; f',
  ])('beside itself is not followed: %s', (text) => {
    expect(gapsIn(text)).toContain('too_deep');
  });

  test.each([
    'f() { f "a$1"; }; f x',
    'f() { cd ..; f; }; cd "$X"; f',
    'f() { [ -e z ] && f; ls "$A"; A="${A}a"; }; f',
    'f() { echo >> log a; f; }; f',
  ])('without an end to what changes is not followed for ever: %s', (text) => {
    expect(gapsIn(text)).not.toEqual([]);
  });

  test.each([
    'f() { f "a$1"; f "b$1"; f "c$1"; }; f x',
    `f() { f "a$1"; f "b$1"; }; ${'x=1; '.repeat(2000)} f x`,
    `${Array.from({ length: 60 }, (_, at) => `f${at}() { f${at + 1}; f${at + 1}; };`).join(' ')} f60() { f0; }; f0`,
  ])('is bounded', (text) => {
    expect(gapsIn(text)).toContain('too_many_steps');
  });
});
