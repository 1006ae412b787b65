import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { closest } from '../../src/lib/closest.ts';

const KEYS = ['arguments', 'arguments_match', 'action', 'reason', 'tool', 'tool_matcher', 'on'];

describe('closest', () => {
  test.each([
    ['argument', 'arguments'],
    ['Arguments', 'arguments'],
    ['argumnets', 'arguments'],
    ['acton', 'action'],
    ['raeson', 'reason'],
    ['tol', 'tool'],
    ['no', 'on'],
    ['tool_macher', 'tool_matcher'],
    ['zebra', undefined],
    ['', undefined],
    ['x'.repeat(100), undefined],
  ])('takes %p for %p', (word, expected) => {
    expect(closest(word, KEYS)).toBe(expected);
  });

  test('takes the first of equals', () => {
    expect(closest('cat', ['bat', 'hat'])).toBe('bat');
    expect(closest('cat', ['hat', 'bat'])).toBe('hat');
  });

  test('takes a word that is there for itself', () => {
    fc.assert(
      fc.property(fc.constantFrom(...KEYS), (key) => {
        expect(closest(key, KEYS)).toBe(key);
      }),
    );
  });

  test('forgives one missing, added, changed or swapped letter anywhere', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...KEYS),
        fc.nat(),
        fc.constantFrom('drop', 'add', 'change', 'swap'),
        (key, at, how) => {
          fc.pre(key.length > 3);
          const i = at % (key.length - 1);
          const typo = {
            drop: key.slice(0, i) + key.slice(i + 1),
            add: `${key.slice(0, i)}#${key.slice(i)}`,
            change: `${key.slice(0, i)}#${key.slice(i + 1)}`,
            swap: key.slice(0, i) + key.charAt(i + 1) + key.charAt(i) + key.slice(i + 2),
          }[how];
          expect(closest(typo, [key])).toBe(key);
        },
      ),
    );
  });
});
