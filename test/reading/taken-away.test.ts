import { expect, test } from 'bun:test';
import { gapsIn, runs } from './reads.ts';

test.each([
  'f() { rm x; }; x && unset -f f; f',
  'f() { rm x; }; x && y && unset -f f; f',
  'f() { [ z ] && return; rm() { y; }; }; f; rm x',
  'f() { rm x; }; x || f() { y; }; f',
  'f() { rm x; }; if x; then export -f f; fi; bash -c f',
  'if x; then f() { rm x; }; else f() { y; }; fi; f',
  'f() { rm x; }; while x; do f() { y; }; done; f',
  'f() { if x; then g() { rm x; }; return; fi; }; f; g',
  'x && { rm() { y; }; }; rm x',
  'for i in $x; do eval "rm() { y; }"; done; rm x',
  'rm() { y; }; case $x in a) unset -f rm;; esac; rm x',
  'rm() { y; }; if z; then unset -f "$x"; fi; rm x',
  'rm() { y; }; unset rm; rm x',
])('%j may still run what it did not take away', (script) => {
  expect(runs(script)).toContain('rm x');
});

test('says of a name that it may stand for too much', () => {
  const parts = Array.from({ length: 70 }, (_, index) => `if x; then f() { y${index}; }; fi; `);
  expect(gapsIn(`f() { rm x; }; ${parts.slice(10).join('')}f`)).not.toContain('too_many_steps');
  expect(gapsIn(`f() { rm x; }; ${parts.join('')}f`)).toContain('too_many_steps');
});

test.each([
  'f() { rm x; }; unset -f f; f',
  "alias a='rm x'; unalias a; a",
  'if x; then rm() { y; }; else rm() { z; }; fi; rm x',
  'f() { $a x; a=rm; }; if y; then export -f f; fi; f',
  'for i in 1 2; do rm() { y; }; done; rm x',
  'rm=1; rm() { y; }; unset rm; rm x',
])('what %j has taken away does not run', (script) => {
  expect(runs(script)).not.toContain('rm x');
});
