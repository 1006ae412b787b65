import { expect, test } from 'bun:test';
import { gapsIn, runs } from './reads.ts';

test.each([
  'f() { rm x; }; x && unset -f f; f',
  'f() { rm x; }; x && y && unset -f f; f',
  'f() { rm x; }; if x; then f() { y; }; fi; f',
  'f() { rm x; }; x || f() { y; }; f',
  'if x; then f() { rm x; }; else f() { y; }; fi; f',
  'f() { rm x; }; while x; do f() { y; }; done; f',
])('%j may still run what it did not take away', (script) => {
  expect(runs(script)).toContain('rm x');
});

test.each([[(index: number) => `if x; then f() { y${index}; }; fi`, 'f() { rm x; }', 'f']])(
  'says of a name that it may stand for too much',
  (definition, first, name) => {
    const script = (count: number) =>
      `${first}; ${Array.from({ length: count }, (_, index) => definition(index)).join('; ')}; ${name}`;
    expect(gapsIn(script(60))).not.toContain('too_many_steps');
    expect(gapsIn(script(70))).toContain('too_many_steps');
  },
);

test.each(['f() { rm x; }; unset -f f; f', "alias a='rm x'; unalias a; a"])(
  'what %j has taken away does not run',
  (script) => {
    expect(runs(script)).not.toContain('rm x');
  },
);
