import { describe, expect, test } from 'bun:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { deepEqual } from '../../src/lib/deep-equal.ts';
import type { Json } from '../../src/lib/json.ts';

function parsed(text: string): Json {
  return JSON.parse(text);
}

const json: fc.Arbitrary<Json> = fc.jsonValue({ maxDepth: 3 }).map((value) => parsed(JSON.stringify(value)));

describe('deepEqual', () => {
  test.each<[Json, Json, boolean]>([
    [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: 1, b: 2 }, { a: 1 }, false],
    [{ a: null }, { b: null }, false],
    [[1, 2], [2, 1], false],
    [[], {}, false],
    [{}, [], false],
    [null, {}, false],
    [{}, null, false],
    ['1', 1, false],
    [0, false, false],
    ['', null, false],
    [{ length: 0 }, [], false],
  ])('compares %j with %j as %p', (a, b, expected) => {
    expect(deepEqual(a, b)).toBe(expected);
  });

  test('takes an own __proto__ key for a key', () => {
    expect(deepEqual(parsed('{"__proto__": {}}'), {})).toBe(false);
    expect(deepEqual(parsed('{"__proto__": 1}'), parsed('{"__proto__": 1}'))).toBe(true);
    expect(deepEqual(parsed('{"__proto__": {}}'), parsed('{"x": {}}'))).toBe(false);
  });

  test('survives 100,000 levels of nesting', () => {
    const nested = (leaf: string): Json => parsed(`${'[{"a":'.repeat(50_000)}${leaf}${'}]'.repeat(50_000)}`);
    expect(deepEqual(nested('1'), nested('1'))).toBe(true);
    expect(deepEqual(nested('1'), nested('2'))).toBe(false);
  });

  test('agrees with the runtime on any two values', () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        expect(deepEqual(a, a)).toBe(true);
        expect(deepEqual(a, parsed(JSON.stringify(a)))).toBe(true);
        expect(deepEqual(a, b)).toBe(isDeepStrictEqual(a, b));
      }),
    );
  });
});
