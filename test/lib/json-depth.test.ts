import { describe, expect, test } from 'bun:test';
import type { Json } from '../../src/lib/json.ts';
import { nestsDeeper } from '../../src/lib/json-depth.ts';
import { withinProcessorTime } from '../support/processor-time.ts';

describe('nestsDeeper', () => {
  test.each<[Json, number]>([
    [null, 0],
    ['[[[', 0],
    [[], 1],
    [{}, 1],
    [[1, 'a', null, {}], 2],
    [{ a: [{ b: [] }], c: 1 }, 4],
    [{ ['__proto__']: [[]] }, 3],
    [JSON.parse('[{"__proto__":[[]]}]'), 4],
  ])('says that %j has %p levels', (value, levels) => {
    expect(nestsDeeper(value, levels)).toBe(false);
    if (levels > 0) expect(nestsDeeper(value, levels - 1)).toBe(true);
  });

  test('looks at a million levels', () => {
    const deep = JSON.parse('['.repeat(1_000_000) + ']'.repeat(1_000_000)) as Json;
    expect(nestsDeeper(deep, 999_999)).toBe(true);
    expect(nestsDeeper(deep, 1_000_000)).toBe(false);
  });

  test('looks at a wide value quickly', () => {
    const wide: Json = Array.from({ length: 1_000_000 }, () => 0);
    expect(withinProcessorTime(2_000, () => nestsDeeper(wide, 1))).toBe(false);
  });
});
