import { expect, test } from 'bun:test';
import type { Json } from '../../src/lib/json.ts';
import { changesBetween } from '../../src/tools/report/explanation/rewrite-changes.ts';

test.each<[Json, Json, readonly (readonly [string, Json | undefined, Json | undefined])[]]>([
  [{ a: 1 }, { a: 1 }, []],
  [{ a: { b: 'x' } }, { a: { b: 'y' } }, [['a.b', 'x', 'y']]],
  [
    { a: 1 },
    { b: 1 },
    [
      ['a', 1, undefined],
      ['b', undefined, 1],
    ],
  ],
  [{ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] }, [['a.1.b', 2, 3]]],
  [{ a: [1] }, { a: [1, 2] }, [['a', [1], [1, 2]]]],
  [{ a: null }, { a: {} }, [['a', null, {}]]],
  ['x', 'y', [['', 'x', 'y']]],
])('changesBetween %j and %j', (before, after, expected) => {
  const found = changesBetween(before, after).map((each) => [each.path, each.before, each.after] as const);
  expect(found).toEqual(expected.map((each) => each));
});
