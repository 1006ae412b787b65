import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import type { ActionSpec } from '../../src/language/actions/action-spec.ts';
import { respond } from '../../src/language/actions/respond.ts';
import type { Json, JsonObject } from '../../src/lib/json.ts';
import { actionInput } from './input.ts';

const { decide }: ActionSpec = respond;

const table: JsonObject = {
  by: 'city',
  rows: { Beijing: 'Sunny in {{arguments.city}}', '7': 'seven', true: { for_llm: 'yes', silent: true } },
  otherwise: { for_llm: 'No data for {{arguments.city}}', is_error: true },
};

const DECISIONS = load(readFileSync(join(import.meta.dir, 'respond.yaml'), 'utf8')) as readonly (readonly [
  string,
  JsonObject,
  JsonObject,
  Json,
])[];

describe('respond.decide', () => {
  test.each(DECISIONS)('%s', (_, params, args, expected) => {
    expect<unknown>(decide(params, actionInput(args))).toEqual(expected);
  });

  test('takes a row named __proto__ only where the table has one', () => {
    const rows: JsonObject = JSON.parse('{"__proto__": "own"}');
    const pick = (value: JsonObject) =>
      decide({ table: { by: 'k', rows: value, otherwise: 'other' } }, actionInput({ k: '__proto__' }));
    expect(pick(rows).result).toEqual({ for_llm: 'own' });
    expect(pick({ a: 'b' }).result).toEqual({ for_llm: 'other' });
  });
});

const PROBLEMS: readonly (readonly [string, JsonObject, readonly string[]])[] = [
  ['one answer is fine', { result: 'a' }, []],
  ['a table is fine', { table }, []],
  ['no answer', { call: { tool: 'x' } }, ['missing-key at ']],
  ['two answers', { result: 'a', run: { argv: ['x'] } }, ['bad-value at run']],
  ['a broken template in a result', { result: { for_llm: '{{a' } }, ['template at result.for_llm']],
  ['a broken template in a row', { table: { by: 'x', rows: { a: '{{' } } }, ['template at table.rows.a']],
  [
    'a broken template in otherwise',
    { table: { by: 'x', rows: { a: '' }, otherwise: '{{' } },
    ['template at table.otherwise'],
  ],
  [
    'a broken template in the call',
    { result: '', call: { arguments: { a: '{{' } } },
    ['template at call.arguments.a'],
  ],
];

describe('respond.check', () => {
  test.each(PROBLEMS)('%s', (_, params, expected) => {
    expect(respond.check(params).map(({ code, path }) => `${code} at ${path.join('.')}`)).toEqual([
      ...expected,
    ]);
  });
});
