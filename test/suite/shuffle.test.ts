import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { shuffle } from '../../src/tools/cli/test/run-tests.ts';

describe('shuffle', () => {
  test('keeps every item and follows from the seed alone', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.nat(), (items, seed) => {
        const shuffled = shuffle(items, seed);
        expect(shuffled.toSorted()).toEqual(items.toSorted());
        expect(shuffle(items, seed)).toEqual(shuffled);
      }),
    );
  });

  test('puts each item into each place for some seed', () => {
    const places = new Set<string>();
    for (let seed = 0; seed < 200; seed++) {
      for (const [place, item] of shuffle([0, 1, 2, 3], seed).entries()) places.add(`${item} ${place}`);
    }
    expect(places.size).toBe(16);
  });
});
