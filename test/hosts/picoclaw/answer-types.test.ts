import { describe, expect, test } from 'bun:test';
import { isJsonObject, type Json, type JsonObject } from '../../../src/lib/json.ts';
import { goDecode, goParse, type Shape } from '../../e2e/picoclaw/go-json.ts';
import { ANSWERS, PARAMS } from '../../e2e/picoclaw/messages.ts';
import { resultFor } from './open-event.ts';
import { request } from './requests.ts';

/** What rewrites may change of each message, by the key of the answer that holds it. */
const REWRITTEN = {
  'hook.before_llm': ['request', ['model', 'messages', 'options']],
  'hook.after_llm': ['response', ['response']],
  'hook.before_tool': ['call', ['tool', 'arguments']],
  'hook.after_tool': ['result', ['result']],
} as const;
type Method = keyof typeof REWRITTEN;
type Path = readonly (string | number)[];

const VALUES: readonly Json[] = [
  5,
  -3,
  1.5,
  1e30,
  1e19,
  'text',
  '',
  true,
  { a: 1 },
  {},
  ['a'],
  [5],
  [{ a: 1 }],
  [],
  null,
  '2026-01-02T03:04:05Z',
  '2026-01-02T03:04:05.6+01:00',
  '2026-02-30T03:04:05Z',
  '2026-01-02',
];

/** A value of a shape with everything that it can hold. */
function sampleOf(shape: Shape): Json {
  if (shape === 'string') return 'sample';
  if (shape === 'bool') return false;
  if (shape === 'int' || shape === 'float') return 7;
  if (shape === 'time') return '2020-01-02T03:04:05.678Z';
  if (shape === 'any') return 'sample';
  if ('pointer' in shape) return sampleOf(shape.pointer);
  if ('list' in shape) return [sampleOf(shape.list)];
  if ('map' in shape) return { 1: sampleOf(shape.map) };
  return Object.fromEntries(Object.entries(shape.struct).map(([name, field]) => [name, sampleOf(field)]));
}

/** Every place of a value, and every key in another case: Go takes it for the same. */
function placesIn(value: Json, path: Path = []): Path[] {
  if (Array.isArray(value)) return [path, ...value.flatMap((item, i) => placesIn(item, [...path, i]))];
  if (!isJsonObject(value)) return [path];
  const children = Object.entries(value).flatMap(([key, child]) => [
    ...placesIn(child, [...path, key]),
    [...path, key.toUpperCase()],
  ]);
  return [path, ...children];
}

function withValue(at: Json, [step, ...rest]: Path, value: Json): Json {
  if (step === undefined) return value;
  if (Array.isArray(at)) return at.with(Number(step), withValue(at[Number(step)] ?? null, rest, value));
  const object = isJsonObject(at) ? at : {};
  return { ...object, [step]: withValue(object[step] ?? null, rest, value) };
}

function fits(method: Method, answer: Json): boolean {
  try {
    goDecode(ANSWERS[method], goParse(JSON.stringify(answer)));
    return true;
  } catch {
    return false;
  }
}

/** What would lose the names of calls is refused for that, and there has to be a tool, an answer and a result. */
function isKept(method: Method, path: Path): boolean {
  const place = path.join('.').toLowerCase();
  if (method === 'hook.after_llm') return /^response(\.tool_calls|$)/.test(place);
  return (method === 'hook.before_tool' && place === 'tool') || place === 'result';
}

describe.each(Object.keys(REWRITTEN) as Method[])('an answer to %s', (method) => {
  const [payload, roots] = REWRITTEN[method];
  const params = sampleOf(PARAMS[method]) as JsonObject;

  test('is refused if PicoClaw could not read a value in it, and sent if it could', () => {
    const message = request(method, params);
    for (const root of roots) {
      for (const path of placesIn(params[root] ?? null, [root])) {
        for (const value of VALUES) {
          const subject = withValue(params, path, value) as JsonObject;
          const answer = resultFor(message, { action: 'modify', policyId: 'a/b', subject });
          const place = [path.join('.'), value];
          expect([...place, fits(method, answer)]).toEqual([...place, true]);
          const isSpeltRight = !/[A-Z]{2}/.test(String(path.at(-1)));
          const wanted = isSpeltRight && fits(method, { action: 'modify', [payload]: subject });
          const sent = !JSON.stringify(answer).includes('Refused by a/b');
          if (!wanted || !isKept(method, path)) expect([...place, sent]).toEqual([...place, wanted]);
        }
      }
    }
  });
});
