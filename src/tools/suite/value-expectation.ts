import type { FoundProblem } from '../../language/calls/found-problem.ts';
import { deepEqual } from '../../lib/deep-equal.ts';
import { isJsonObject, type Json, own } from '../../lib/json.ts';
import { stringsIn } from '../../lib/json-path.ts';
import { partialMismatch } from './partial-match.ts';
import { readTextTest } from './text-test.ts';

/** What a result, an answer or a message is expected to be. */
export interface ValueExpectation {
  /** What was expected and what is there, as people read it; undefined if the value is as expected. */
  readonly mismatch: (actual: Json) => { readonly expected: string; readonly actual: string } | undefined;
}

export type ValueExpectationReading =
  | { readonly ok: true; readonly expectation: ValueExpectation }
  | { readonly ok: false; readonly problem: FoundProblem };

/**
 * Reads an expected value: a text stands for a part of the value's text or a `/regex/` on it, `{exactly: value}` for the
 * whole value, a mapping or list for a part of it, anything else for itself.
 */
export function readValueExpectation(value: Json, key: string): ValueExpectationReading {
  if (isJsonObject(value) && Object.keys(value).length === 1 && Object.hasOwn(value, 'exactly')) {
    return { ok: true, expectation: exactly(own(value, 'exactly') ?? null) };
  }
  if (typeof value !== 'string')
    return { ok: true, expectation: { mismatch: (actual) => partly(value, actual) } };
  const reading = readTextTest(value, key);
  if (!reading.ok) return reading;
  const { wanted, holds } = reading.test;
  return {
    ok: true,
    expectation: {
      mismatch: (actual) => {
        const text = typeof actual === 'string' ? actual : stringsIn(actual).join('\n');
        return holds(text) ? undefined : { expected: wanted, actual: JSON.stringify(text) };
      },
    },
  };
}

function exactly(expected: Json): ValueExpectation {
  return {
    mismatch: (actual) =>
      deepEqual(expected, actual)
        ? undefined
        : { expected: `exactly ${JSON.stringify(expected)}`, actual: JSON.stringify(actual) },
  };
}

function partly(expected: Json, actual: Json): { expected: string; actual: string } | undefined {
  const found = partialMismatch(expected, actual);
  if (found === undefined) return undefined;
  const place = found.path.length === 0 ? '' : `${found.path.join('.')} `;
  return {
    expected: `${place}${JSON.stringify(found.expected)}`,
    actual: found.actual === undefined ? `${place}nothing` : `${place}${JSON.stringify(found.actual)}`,
  };
}
