import { describe, expect, test } from 'bun:test';
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

const DECISIONS: readonly (readonly [string, JsonObject, JsonObject, Json])[] = [
  [
    'a text is for the model',
    { result: 'Hi {{arguments.name}}' },
    { name: 'Li' },
    { result: { for_llm: 'Hi Li' } },
  ],
  [
    'an object keeps its fields, texts filled in',
    {
      result: {
        for_llm: '{{arguments.a}}',
        for_user: 'u {{arguments.a}}',
        silent: false,
        is_error: true,
        media: ['media://{{arguments.a}}'],
        response_handled: true,
      },
    },
    { a: '{{b}}' },
    {
      result: {
        for_llm: '{{b}}',
        for_user: 'u {{b}}',
        silent: false,
        is_error: true,
        media: ['media://{{b}}'],
        response_handled: true,
      },
    },
  ],
  ['a row is picked by text', { table }, { city: 'Beijing' }, { result: { for_llm: 'Sunny in Beijing' } }],
  ['a row is picked by a number', { table }, { city: 7 }, { result: { for_llm: 'seven' } }],
  ['a row is picked by a boolean', { table }, { city: true }, { result: { for_llm: 'yes', silent: true } }],
  [
    'another value takes otherwise',
    { table },
    { city: 'X' },
    { result: { for_llm: 'No data for X', is_error: true } },
  ],
  ['a missing value takes otherwise', { table }, {}, { result: { for_llm: 'No data for ', is_error: true } }],
  [
    'an inherited key is no row',
    { table: { by: 'city', rows: { a: 'b' } } },
    { city: 'constructor' },
    { result: { for_llm: 'Cannot answer by argument "city": no row for "constructor"', is_error: true } },
  ],
  [
    'a missing argument without otherwise is an error',
    { table: { by: 'city', rows: { a: 'b' } } },
    {},
    { result: { for_llm: 'Cannot answer by argument "city": it is not given', is_error: true } },
  ],
  [
    'a list without otherwise is an error',
    { table: { by: 'city', rows: { a: 'b' } } },
    { city: ['a'] },
    {
      result: {
        for_llm: 'Cannot answer by argument "city": it is not a string, number or boolean',
        is_error: true,
      },
    },
  ],
  [
    'a program gets the arguments and the default time',
    { run: { argv: ['weather', '{{arguments.city}}'] } },
    { city: 'X' },
    { run: { argv: ['weather', '{{arguments.city}}'], timeoutMs: 10_000, input: { city: 'X' } } },
  ],
  [
    'a program gets the time it is given, in seconds',
    { run: { argv: ['w'], timeout: 0.5 } },
    {},
    { run: { argv: ['w'], timeoutMs: 500, input: {} } },
  ],
  [
    'the call to show is filled in',
    { result: 'ok', call: { tool: 'echo', arguments: { text: 'q={{arguments.q}}', n: 1 } } },
    { q: 'a' },
    { result: { for_llm: 'ok' }, call: { tool: 'echo', arguments: { text: 'q=a', n: 1 } } },
  ],
];

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
