import { deepEqual } from '../../lib/deep-equal.ts';
import { isJsonObject, type Json, type JsonObject, own } from '../../lib/json.ts';
import { compileValueTest } from '../../matchers/value-test.ts';
import { asList } from './alternatives.ts';

/** What a plain text in a test means. */
export type PlainMeaning = 'regex' | 'equals';

/**
 * True if values that pass the narrow test pass the wide one for certain, for each list of values that can be at a path.
 *
 * @param lenient whether "cannot be told" is as good as a pass of the wide test: two different regexes of one text do not
 * reach their limits together
 */
export function valueImplies(narrow: Json, wide: Json, plain: PlainMeaning, lenient: boolean): boolean {
  if (deepEqual(narrow, wide)) return true;
  const from = normalised(narrow, plain);
  const to = normalised(wide, plain);
  return Object.keys(to).every((key) => keyImplied(from, key, to[key] ?? null, lenient));
}

function normalised(test: Json, plain: PlainMeaning): JsonObject {
  if (isJsonObject(test)) return test;
  return plain === 'regex' && typeof test === 'string' ? { regex: test } : { equals: test };
}

function keyImplied(from: JsonObject, key: string, spec: Json, lenient: boolean): boolean {
  const same = own(from, key);
  if (same !== undefined && deepEqual(same, spec)) return true;
  // Of several values one may pass and another hit what must not be there.
  if (key === 'not_regex' || key === 'exists') return key === 'exists' && spec === true && needsValue(from);
  const candidates = candidatesOf(from);
  const hasLimits = key === 'regex' || key === 'glob';
  if (candidates !== undefined && candidates.length > 0 && (lenient || !hasLimits)) {
    const passes = compileValueTest({ [key]: spec });
    if (candidates.every((value) => passes([value]) === true)) return true;
  }
  if (same === undefined) return false;
  switch (key) {
    case 'regex':
      return lenient && alternativesImply(String(same), String(spec));
    case 'one_of':
      return asList(same).every((value) => asList(spec).some((option) => deepEqual(value, option)));
    case 'gt':
    case 'gte':
    case 'min_length':
      return Number(same) >= Number(spec);
    case 'lt':
    case 'lte':
    case 'max_length':
      return Number(same) <= Number(spec);
    default:
      return false;
  }
}

function needsValue(test: JsonObject): boolean {
  return Object.entries(test).some(([key, spec]) => (key === 'exists' ? spec === true : true));
}

/** The values that the test names, if only they can pass. */
function candidatesOf(test: JsonObject): readonly Json[] | undefined {
  const equals = own(test, 'equals');
  if (equals !== undefined) return [equals];
  const oneOf = own(test, 'one_of');
  return Array.isArray(oneOf) ? oneOf : undefined;
}

/** `a` implies `a|b`. Where groups or flags reach across alternatives, nothing is said. */
function alternativesImply(narrow: string, wide: string): boolean {
  const options = alternativesOf(wide);
  return alternativesOf(narrow).every((alternative) => options.includes(alternative));
}

/** All of a regex where it cannot be taken apart. */
function alternativesOf(source: string): readonly string[] {
  return /^[^\\()[\]{}]*$/.test(source) ? source.split('|') : [source];
}
