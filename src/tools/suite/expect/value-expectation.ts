import { deepEqual } from '../../../lib/deep-equal.ts';
import { isJsonObject, type Json, type JsonObject, own, ownString } from '../../../lib/json.ts';
import { stringsIn } from '../../../lib/json-path.ts';
import { compileRegex, RegexError } from '../../../lib/regex/regex.ts';
import { CLOSED, TEXT } from '../../../lib/schema-parts.ts';
import type { SpecProblem } from '../../../model/diagnostic.ts';
import type { Read } from './expect-key.ts';

/** The expectation for a result, an answer or a message. */
export interface ValueExpectation {
  /** The expected and the actual value, as people read them; undefined if the value is as expected. */
  readonly mismatch: (actual: Json) => { readonly expected: string; readonly actual: string } | undefined;
}

/** Parses an expectation: text or `/regex/` within the value's text, `{exactly: value}`, or a part of a mapping or list. */
export function readValueExpectation(value: Json, key: string): Read<ValueExpectation> {
  if (isJsonObject(value) && Object.keys(value).length === 1 && Object.hasOwn(value, 'exactly')) {
    return { ok: true, value: exactly(own(value, 'exactly') ?? null) };
  }
  if (typeof value !== 'string')
    return { ok: true, value: { mismatch: (actual) => partialMismatchOf(value, actual) } };
  const reading = readTextTest(value, key);
  if (!reading.ok) return reading;
  const { wanted, holds } = reading.value;
  return {
    ok: true,
    value: {
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

function partialMismatchOf(expected: Json, actual: Json): { expected: string; actual: string } | undefined {
  const found = partialMismatch(expected, actual);
  if (found === undefined) return undefined;
  const place = found.path.length === 0 ? '' : `${found.path.join('.')} `;
  return {
    expected: `${place}${JSON.stringify(found.expected)}`,
    actual: found.actual === undefined ? `${place}nothing` : `${place}${JSON.stringify(found.actual)}`,
  };
}

export interface TextTest {
  /** As people read it: `containing "x"`, `matching /x/`, `"x"`. */
  readonly wanted: string;
  readonly holds: (text: string) => boolean;
}

/** Reads an expected text: a part of it, `/regex/` or `/regex/i`, or `{exactly: text}`. */
export function readTextTest(value: Json, key: string): Read<TextTest> {
  const exact = isJsonObject(value) ? ownString(value, 'exactly') : undefined;
  if (exact !== undefined)
    return { ok: true, value: { wanted: JSON.stringify(exact), holds: (text) => text === exact } };
  const part = String(value);
  if (part === '')
    return failed('bad-value', `Cannot use key "${key}": every text contains nothing`, TEXT_HINT);
  const [, source, flags] = /^\/(.+)\/(i?)$/s.exec(part) ?? [];
  if (source === undefined) {
    return {
      ok: true,
      value: { wanted: `containing ${JSON.stringify(part)}`, holds: (text) => text.includes(part) },
    };
  }
  try {
    const regex = compileRegex(flags === 'i' ? `(?i)${source}` : source);
    return { ok: true, value: { wanted: `matching ${part}`, holds: (text) => regex.test(text) === true } };
  } catch (error) {
    if (!(error instanceof RegexError)) throw error;
    return failed(
      'regex',
      `Cannot compile regex "${source}": ${error.message}`,
      'write RE2 syntax between the slashes',
    );
  }
}

export const EXPECTED_TEXT: JsonObject = {
  anyOf: [
    TEXT,
    {
      ...CLOSED,
      required: ['exactly'],
      properties: { exactly: { description: 'The whole of it', type: 'string' } },
    },
  ],
};

const TEXT_HINT = 'write a part of the text, /regex/ or {exactly: text}';

function failed(code: SpecProblem['code'], message: string, hint: string): Read<TextTest> {
  return { ok: false, problem: { code, path: [], message, hint } };
}

export interface Mismatch {
  readonly path: readonly (string | number)[];
  readonly expected: Json;
  /** Undefined if there is nothing. */
  readonly actual: Json | undefined;
}

/** The first difference: objects need the expected keys, lists as many items, others equality. Undefined if there is none. */
export function partialMismatch(expected: Json, actual: Json | undefined): Mismatch | undefined {
  if (actual !== undefined && isJsonObject(expected) && isJsonObject(actual)) {
    for (const [key, value] of Object.entries(expected)) {
      const found = below(key, partialMismatch(value, own(actual, key)));
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    for (const [index, value] of expected.entries()) {
      const found = below(index, partialMismatch(value, actual[index]));
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return actual !== undefined && deepEqual(expected, actual) ? undefined : { path: [], expected, actual };
}

function below(step: string | number, mismatch: Mismatch | undefined): Mismatch | undefined {
  return mismatch === undefined ? undefined : { ...mismatch, path: [step, ...mismatch.path] };
}
