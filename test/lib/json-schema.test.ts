import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Json } from '../../src/lib/json.ts';
import { compileJsonSchema, jsonSchemaProblems } from '../../src/lib/json-schema/json-schema.ts';
import { withinProcessorTime } from '../support/processor-time.ts';

function parsed(text: string): Json {
  return JSON.parse(text);
}

/** `path: message` of each violation. */
function said(
  violations: readonly { path: readonly (string | number)[]; message: string }[],
): readonly string[] {
  return violations.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

const WEATHER: Json = {
  type: 'object',
  required: ['city', 'days'],
  properties: {
    city: { type: 'string', minLength: 2, pattern: '^[A-Z]' },
    days: { type: 'integer', minimum: 1 },
    unit: { enum: ['c', 'f'] },
    tags: { type: 'array', items: { type: 'string' }, uniqueItems: true, maxItems: 3 },
    place: { $ref: '#/$defs/place' },
  },
  additionalProperties: false,
  $defs: { place: { type: 'object', required: ['lat'], properties: { lat: { type: ['number', 'null'] } } } },
};

/** Letters a and b in an order that repeats nothing. */
function letters(length: number): string {
  let state = 7;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state & 0x10000 ? 'a' : 'b';
  }).join('');
}

describe('compileJsonSchema', () => {
  const check = compileJsonSchema(WEATHER);

  test('has nothing to say about a value that fits', () => {
    expect(check({ city: 'Rome', days: 2, unit: 'c', tags: ['a', 'b'], place: { lat: null } })).toEqual([]);
  });

  test.each<[Json, readonly string[]]>([
    [{ days: 1 }, ['city: "city" is missing']],
    [{ city: 'Rome', days: '1' }, ['days: "days" must be integer']],
    [{ city: 'Rome', days: 0 }, ['days: "days" must be >= 1']],
    [{ city: 'rome', days: 1 }, ['city: "city" must match pattern "^[A-Z]"']],
    [{ city: 'R', days: 1 }, ['city: "city" must not have fewer than 2 characters']],
    [{ city: 'Rome', days: 1, unit: 'k' }, ['unit: "unit" must be one of "c", "f"']],
    [{ city: 'Rome', days: 1, town: 'x' }, ['town: "town" is not a field that is known here']],
    [{ city: 'Rome', days: 1, tags: ['a', 2] }, ['tags.1: item 1 must be string']],
    [{ city: 'Rome', days: 1, tags: ['a', 'a'] }, ['tags: "tags" must not hold the same item twice']],
    [{ city: 'Rome', days: 1, place: { lat: 'x' } }, ['place.lat: "lat" must be number or null']],
    [{ city: 'Rome', days: 1, place: {} }, ['place.lat: "lat" is missing']],
    [[], [': must be object']],
    [{}, ['city: "city" is missing', 'days: "days" is missing']],
  ])('%j', (value, expected) => {
    expect(said(check(value))).toEqual(expected);
  });

  test('gives paths of keys and indexes', () => {
    const violations = compileJsonSchema({ items: { properties: { '1/~a': { type: 'string' } } } })([
      {},
      { '1/~a': 1 },
    ]);
    expect(violations.map(({ path }) => path)).toEqual([[1, '1/~a']]);
  });

  test('looks at own keys only', () => {
    expect(said(compileJsonSchema({ required: ['toString', '__proto__'] })({}))).toEqual([
      'toString: "toString" is missing',
      '__proto__: "__proto__" is missing',
    ]);
    const closed = compileJsonSchema({ properties: { a: {} }, additionalProperties: false });
    expect(said(closed(parsed('{"__proto__": 1}')))).toEqual([
      '__proto__: "__proto__" is not a field that is known here',
    ]);
  });

  test('does not check formats', () => {
    expect(compileJsonSchema({ format: 'email' })('nobody')).toEqual([]);
    expect(compileJsonSchema({ format: 'no-such-format' })('x')).toEqual([]);
  });

  test('knows true and false as schemas', () => {
    expect(compileJsonSchema(true)(1)).toEqual([]);
    expect(said(compileJsonSchema(false)(1))).toEqual([': is not allowed']);
  });

  test('tells equal items apart from others like a comparison of each with each', () => {
    const unique = compileJsonSchema({ uniqueItems: true });
    const small: fc.Arbitrary<Json> = fc
      .jsonValue({ maxDepth: 1 })
      .map((value) => parsed(JSON.stringify(value)));
    fc.assert(
      fc.property(fc.array(small, { maxLength: 6 }), fc.boolean(), (items, twice) => {
        const list = twice && items[0] !== undefined ? [...items, items[0]] : items;
        const same = list.some((a, i) => list.some((b, j) => i < j && Bun.deepEquals(a, b, true)));
        expect(unique(list).length === 0).toBe(!same);
      }),
    );
    expect(
      unique([
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ]),
    ).toHaveLength(1);
    expect(unique([1, '1', [1], { 1: 1 }])).toEqual([]);
  });

  test('cannot tell about a text that is too long for a pattern, whichever way the pattern is used', () => {
    const slow = { pattern: '[ab]*a[ab]{400}[cd]' };
    for (const schema of [slow, { not: slow }, { anyOf: [slow, { not: slow }] }]) {
      const violations = compileJsonSchema(schema)(letters(100_000));
      expect(violations.map(({ unknown }) => unknown)).toEqual([true]);
    }
  });

  test.each<[string, Json, () => Json]>([
    ['deep values', {}, () => parsed(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)],
    [
      'a million equal items',
      { uniqueItems: true, items: {} },
      () => Array.from({ length: 1_000_000 }, () => 1),
    ],
    [
      'a million wrong items',
      { items: { type: 'string' } },
      () => Array.from({ length: 1_000_000 }, () => 1),
    ],
    [
      '20,000 different objects',
      { uniqueItems: true },
      () => Array.from({ length: 20_000 }, (_, i) => ({ a: i })),
    ],
    [
      'many slow patterns',
      { allOf: Array.from({ length: 100 }, (_, i) => ({ pattern: `[ab]*a[ab]{${100 + i}}[cd]` })) },
      () => letters(9000),
    ],
  ])('is not late for %s', (_, schema, value) => {
    const compiled = compileJsonSchema(schema);
    const subject = value();
    expect(withinProcessorTime(3_000, () => compiled(subject)).length).toBeLessThanOrEqual(20);
  });
});

describe('jsonSchemaProblems', () => {
  test('has nothing to say about a good schema', () => {
    expect(jsonSchemaProblems(WEATHER)).toEqual([]);
    expect(
      jsonSchemaProblems({ $schema: 'https://json-schema.org/draft/2020-12/schema', $id: 'x', default: {} }),
    ).toEqual([]);
    expect(jsonSchemaProblems(true)).toEqual([]);
  });

  test.each<[Json, string, string]>([
    [{ typo: 'string' }, 'typo', 'unknown keyword "typo", did you mean "type"?'],
    [{ properties: { a: { requires: [] } } }, 'properties.a.requires', 'did you mean "required"?'],
    [{ toString: 1 }, 'toString', 'unknown keyword'],
    [{ type: 'strin' }, 'type', 'must be one of "array"'],
    [{ required: 'a' }, 'required', '"required" must be array'],
    [{ minLength: -1 }, 'minLength', '"minLength" must be >= 0'],
    [{ properties: { a: 5 } }, 'properties.a', '"a" must be object or boolean'],
    [{ pattern: '(a' }, 'pattern', 'cannot compile regex "(a": missing closing parenthesis at 1'],
    [{ pattern: '(?=a)' }, 'pattern', 'lookaround is not supported'],
    [{ patternProperties: { '[': {} } }, 'patternProperties.[', 'missing closing bracket at 1'],
    [{ $ref: 'https://example.com/schema' }, '$ref', 'only the schema itself can be referred to'],
    [{ $ref: '#/$defs/x' }, '$ref', 'it leads nowhere'],
    [{ properties: { a: { $ref: '#' } } }, '', 'leads back to itself'],
    [{ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }, '', 'leads back to itself'],
    [{ $dynamicRef: '#x' }, '$dynamicRef', 'unknown keyword'],
    [{ items: { $id: 'x' } }, 'items.$id', 'only allowed at the top'],
    [{ $schema: 'http://json-schema.org/draft-07/schema#' }, '$schema', 'is not supported'],
    [parsed('{"properties": {"__proto__": {}}}'), 'properties.__proto__', 'cannot be described'],
    ['text', '', 'must be object or boolean'],
    [parsed(`${'{"items":'.repeat(100_000)}{}${'}'.repeat(100_000)}`), '', 'levels deep'],
    [{ enum: Array.from({ length: 20_000 }, (_, i) => i) }, '', 'values'],
  ])('%#', (schema, path, message) => {
    const problems = jsonSchemaProblems(schema);
    expect(problems.map((problem) => problem.path.join('.'))).toContain(path);
    expect(problems.find((problem) => problem.path.join('.') === path)?.message).toContain(message);
  });

  test.each<[Json]>([
    [{ typo: 1 }],
    [{ pattern: '(a' }],
    [{ $ref: '#' }],
    [{ $ref: 'https://example.com/schema' }],
    ['text'],
  ])('keeps %j from being compiled', (schema) => {
    expect(() => compileJsonSchema(schema)).toThrow('Cannot compile JSON Schema');
  });

  test('refuses references that double with every step', () => {
    const $defs: Record<string, Json> = { d0: { type: 'string' } };
    for (let i = 1; i < 40; i++)
      $defs[`d${i}`] = { anyOf: [{ $ref: `#/$defs/d${i - 1}` }, { $ref: `#/$defs/d${i - 1}` }] };
    const problems = jsonSchemaProblems({ $ref: '#/$defs/d39', $defs });
    expect(said(problems)).toEqual([': has more than 10000 values when its references are followed']);
  });

  test('lists all problems of a schema', () => {
    const problems = jsonSchemaProblems({ typo: 1, properties: { a: { pattern: '[' }, b: { $ref: 'x' } } });
    expect(problems).toHaveLength(3);
  });
});

test('compileJsonSchema keeps the patterns of one schema apart', () => {
  const validate = compileJsonSchema({
    type: 'object',
    properties: { a: { type: 'string', pattern: '^x' }, b: { type: 'string', pattern: '^y' } },
  });
  expect(validate({ a: 'x', b: 'y' })).toEqual([]);
  expect(validate({ a: 'x', b: 'x' })).toHaveLength(1);
});
