import { expect, test } from 'bun:test';
import { runs } from './reads.ts';

test.each(['f() { rm x; }; x && unset -f f; f', 'f() { rm x; }; x && y && unset -f f; f'])(
  '%j may still run what it did not take away',
  (script) => {
    expect(runs(script)).toContain('rm x');
  },
);

test('a function that is taken away does not run', () => {
  expect(runs('f() { rm x; }; unset -f f; f')).not.toContain('rm x');
});
