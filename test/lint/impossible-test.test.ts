import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { impossibleTest } from '../../src/language/keys/types/impossible-test.ts';
import { compileValueTest } from '../../src/language/keys/types/value-test.ts';
import type { Json } from '../../src/lib/json.ts';

const text = fc.constantFrom('', 'a', 'ab', 'abc', 'git push', '12', '*');
const spec = fc.record(
  {
    regex: fc.constantFrom('a', '^ab$', 'a{4}', 'b|git', '^1'),
    not_regex: fc.constantFrom('a', '^ab$', 'b'),
    equals: fc.oneof<fc.Arbitrary<Json>[]>(text, fc.integer({ min: 0, max: 5 })),
    one_of: fc.array(text, { minLength: 1, maxLength: 3 }),
    glob: fc.constantFrom('a*', 'abc', '*'),
    contains: fc.constantFrom('a', 'b'),
    exists: fc.boolean(),
    gt: fc.integer({ min: 0, max: 5 }),
    gte: fc.integer({ min: 0, max: 5 }),
    lt: fc.integer({ min: 0, max: 5 }),
    lte: fc.integer({ min: 0, max: 5 }),
    min_length: fc.nat(4),
    max_length: fc.nat(4),
  },
  { requiredKeys: [] },
);
const value: fc.Arbitrary<Json> = fc.oneof<fc.Arbitrary<Json>[]>(
  text,
  fc.integer({ min: -1, max: 6 }),
  fc.double({ min: 0, max: 5, noNaN: true }),
  fc.boolean(),
  fc.constant(null),
);

describe('impossibleTest', () => {
  test('says so only of tests that no scalar passes, and that nothing passes by being absent', () => {
    let impossible = 0;
    fc.assert(
      fc.property(spec, fc.array(value, { minLength: 20, maxLength: 20 }), (test, values) => {
        if (impossibleTest(test) === undefined) return;
        impossible += 1;
        const passes = compileValueTest(test);
        for (const each of values) expect(passes([each])).toBe(false);
        expect(passes([])).toBe(false);
      }),
      { numRuns: 1_000 },
    );
    expect(impossible).toBeGreaterThan(100);
  });

  test.each<readonly [Json, string | undefined]>([
    [{ regex: '^a{3,}$', max_length: 2 }, 'the regex needs 3 characters and "max_length" allows 2'],
    [{ regex: '^a{3,}$', max_length: 3 }, undefined],
    [{ gt: 1, lt: 1 }, 'no number lies between its bounds'],
    [{ gte: 1, lte: 1 }, undefined],
    [{ gte: 1, lt: 1 }, 'no number lies between its bounds'],
    [{ glob: 'a.txt', regex: 'b' }, 'the value of "glob" does not pass the other tests'],
    [{ one_of: ['a', 'b'], regex: 'b' }, undefined],
    [{ exists: false }, undefined],
    [{ exists: true, equals: 1 }, undefined],
    ['a', undefined],
  ])('says of %j: %p', (test, wanted) => {
    expect(impossibleTest(test)).toBe(wanted);
  });
});
