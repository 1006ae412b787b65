import { deepEqual } from '../../../lib/deep-equal.ts';
import { asList, isJsonObject, type Json, type JsonObject, own } from '../../../lib/json.ts';
import { asksForExistence } from '../context/match.ts';
import type { ValueType } from '../key-analysis.ts';
import { choice, keys, REGEX, type Shape, type TestOnValue, WHOLE } from '../shape.ts';
import { areImpossible } from './impossible-test.ts';
import { compileValueTest } from './value-test.ts';

/** The test that a plain text is short for. */
export type PlainMeaning = TestOnValue['plain'];

const MAPPING = keys(() => ({
  regex: { shape: REGEX },
  not_regex: { shape: REGEX, negative: true },
  one_of: { shape: choice(WHOLE) },
  finds: { shape: choice(WHOLE) },
}));

/** A test on a value: the meaning of a plain text differs from key to key. */
export const SCALAR_TEST: Readonly<Record<PlainMeaning, ValueType>> = {
  regex: {
    shape: shapeOf('regex'),
    implies: (narrow, wide, lenient) => valueImplies(narrow, wide, 'regex', lenient),
  },
  equals: {
    shape: shapeOf('equals'),
    implies: (narrow, wide, lenient) => valueImplies(narrow, wide, 'equals', lenient),
  },
};

function shapeOf(plain: PlainMeaning): Extract<Shape, { readonly type: 'either' }> {
  return { type: 'either', text: plain === 'regex' ? REGEX : WHOLE, mapping: MAPPING };
}

/** The shape of a test that lint looks into. */
export function testShape(plain: PlainMeaning, { of, named }: Omit<TestOnValue, 'plain'>): Shape {
  return { ...shapeOf(plain), test: { plain, of, named } };
}

/**
 * Tests of named values, all of which must pass.
 *
 * @param of their name, for people
 */
export function namedTests(plain: PlainMeaning, of: string): ValueType {
  return {
    shape: keys(() => ({}), testShape(plain, { of, named: true })),
    implies: (narrow, wide, lenient) => {
      if (!isJsonObject(narrow) || !isJsonObject(wide)) return false;
      return Object.keys(wide).every((path) => {
        const test = wide[path] ?? null;
        const same = own(narrow, path);
        if (same === undefined) return false;
        if (deepEqual(same, test)) return true;
        // A test for existence has an answer where the others have none, so only the same test implies it.
        if (asksForExistence(same) || asksForExistence(test)) return false;
        return valueImplies(same, test, plain, lenient);
      });
    },
  };
}

/** True if no event passes all of these mappings, because no value passes all tests of a name. */
export function namedTestsClash(plain: PlainMeaning): (specs: readonly Json[]) => boolean {
  return (specs) => {
    const tests = new Map<string, JsonObject[]>();
    for (const [at, test] of specs.flatMap((spec) => (isJsonObject(spec) ? Object.entries(spec) : [])))
      if (!at.split('.').includes('*'))
        tests.set(at, [...(tests.get(at) ?? []), isJsonObject(test) ? test : { [plain]: test }]);
    return [...tests.values()].some((all) => all.length > 1 && areImpossible(all));
  };
}

/**
 * True if values that pass the narrow test pass the wide one for certain, for each list of values that can be at a path.
 *
 * @param lenient true if an unknown answer is as good as a pass of the wide test: two different regexes of one text do not reach
 * their limits together
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
  // One of several values may pass and another hit a value that must not be there.
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
