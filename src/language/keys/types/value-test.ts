import { countCharacters } from '../../../lib/characters.ts';
import { deepEqual } from '../../../lib/deep-equal.ts';
import { isInexact } from '../../../lib/exact-numbers.ts';
import { compileGlob, globProblem } from '../../../lib/glob/glob.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../lib/json.ts';
import { compileRegex, type Regex, RegexError, regexProblem } from '../../../lib/regex/regex.ts';
import { requiredLiterals } from '../../../lib/regex/regex-literals.ts';
import { CLOSED, LIST, TEXT, TEXT_OR_TEXTS } from '../../../lib/schema-parts.ts';
import { checkTime } from '../../../lib/time-limit.ts';
import type { SpecProblem } from '../../../model/diagnostic.ts';
import type { OnMiss } from '../../../model/miss.ts';
import { and, anyTruth, not, type Truth } from '../../../model/truth.ts';
import { textsOf } from '../arguments/values.ts';
import { askPart } from '../miss.ts';
import { prefixed } from '../spec-path.ts';
import { DATA_LIST_SCHEMA, dataListProblems, valuesIn } from './data-list.ts';

/** Judges the values found at a path; the list is empty if there is none. */
export type ValueTest = (values: readonly Json[], missed?: OnMiss) => Truth;
const anyValue: JsonObject = {};

/** The schema of a test by its name in `VALUE_TEST_DEFINITION`. */
export const VALUE_TEST_SCHEMA: JsonObject = { $ref: '#/$defs/value_test' };

/** JSON Schema of a test: a regex, or an object of tests that must all hold. */
const VALUE_TEST: JsonObject = {
  anyOf: [
    { ...TEXT, description: 'A regex (RE2 syntax, unanchored)' },
    {
      ...CLOSED,
      minProperties: 1,
      properties: {
        regex: {
          ...TEXT,
          description: 'Matches somewhere in the string; in a list or object, in any string inside',
        },
        not_regex: { ...TEXT, description: 'Does not match; in a list or object, in no string inside' },
        equals: { ...anyValue, description: 'Is exactly this value' },
        one_of: {
          anyOf: [LIST, DATA_LIST_SCHEMA],
          description: 'Is exactly one of these values; may come from a data file',
        },
        glob: { ...TEXT, description: 'The whole string matches this glob' },
        contains: {
          ...anyValue,
          description: 'The string contains this string, or the list contains this item',
        },
        finds: {
          ...TEXT_OR_TEXTS,
          description:
            'Is itself a regex, and matches in this text or in one of these, as the pattern of pkill does',
        },
        exists: { type: 'boolean', description: 'Whether there is a value' },
        gt: { type: 'number', description: 'Is a number greater than' },
        gte: { type: 'number', description: 'Is a number of at least this' },
        lt: { type: 'number', description: 'Is a number less than this' },
        lte: { type: 'number', description: 'Is a number of at most this' },
        min_length: {
          type: 'integer',
          minimum: 0,
          description: 'Has at least this many characters or items',
        },
        max_length: { type: 'integer', minimum: 0, description: 'Has at most this many characters or items' },
      },
    },
  ],
};

export const VALUE_TEST_DEFINITION: Readonly<Record<string, JsonObject>> = { value_test: VALUE_TEST };

/**
 * Compiles a test. A plain string is a regex, or an equality where `plain` says so.
 *
 * @throws RegexError if a regex is not valid; `valueTestProblems` says so without throwing
 */
export function compileValueTest(spec: Json, plain: 'regex' | 'equals' = 'regex'): ValueTest {
  if (!isJsonObject(spec))
    return plain === 'regex' && typeof spec === 'string' ? regexTest(spec) : equalsTest(spec);
  const tests = Object.entries(spec).map(([key, value]) => ({ key, value, test: compileOne(key, value) }));
  return (values, missed) =>
    tests.reduce<Truth>((truth, { key, value, test }, held) => {
      const part = () => ({ path: [key], wanted: value, seen: () => shownValues(values), ...excluding(key) });
      return and(
        truth,
        askPart(part, held, missed, () => test(values)),
      );
    }, true);
}

/** Values for people: texts as they are, everything else as JSON. */
export function shownValues(values: readonly Json[]): readonly string[] {
  return values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
}

function excluding(key: string): { readonly excludes?: true } {
  return key === 'not_regex' ? { excludes: true } : {};
}

/** The problems in a test that its schema cannot express. */
export function valueTestProblems(spec: Json, plain: 'regex' | 'equals' = 'regex'): readonly SpecProblem[] {
  if (typeof spec === 'string') return plain === 'regex' ? regexProblems(spec, []) : [];
  if (!isJsonObject(spec)) return [];
  return Object.entries(spec).flatMap(([key, value]) => {
    if (key === 'one_of') return prefixed(key, dataListProblems(value));
    if (typeof value !== 'string') return [];
    if (key === 'regex' || key === 'not_regex') return regexProblems(value, [key]);
    const glob = key === 'glob' ? globProblem(value) : undefined;
    return glob === undefined
      ? []
      : [{ code: 'glob', path: [key], message: `Cannot compile glob "${value}": ${glob}` } as const];
  });
}

/** The problem of a regex that does not compile, as a list. */
function regexProblems(source: string, path: SpecProblem['path']): readonly SpecProblem[] {
  const message = regexProblem(source);
  return message === undefined ? [] : [{ code: 'regex', path, message }];
}

/** Strings of which one must occur in a value for the test to be anything but no. */
export function valueTestLiterals(
  spec: Json,
): { readonly anyOf: readonly string[]; readonly fold: boolean } | undefined {
  if (typeof spec === 'string') return requiredLiterals(spec);
  if (!isJsonObject(spec)) return undefined;
  const regex = spec['regex'];
  if (typeof regex === 'string') {
    const found = requiredLiterals(regex);
    if (found !== undefined) return found;
  }
  if (typeof spec['equals'] === 'string') return exactLiterals([spec['equals']]);
  if (typeof spec['contains'] === 'string') return exactLiterals([spec['contains']]);
  return Array.isArray(spec['one_of']) ? exactLiterals(spec['one_of']) : undefined;
}

const SHORTEST_LITERAL = 3;

function exactLiterals(values: readonly Json[]) {
  const texts = values.filter((value) => typeof value === 'string');
  const usable = texts.length === values.length && texts.every((text) => text.length >= SHORTEST_LITERAL);
  return usable ? { anyOf: texts, fold: false } : undefined;
}

function compileOne(key: string, value: Json): ValueTest {
  switch (key) {
    case 'regex':
      return regexTest(String(value));
    case 'not_regex': {
      const hit = regexTest(String(value));
      return (values) => and(values.length > 0, not(hit(values)));
    }
    case 'equals':
      return equalsTest(value);
    case 'one_of': {
      const options = valuesIn(value);
      return options === undefined ? unreadableOptions : oneOfTest(options);
    }
    case 'glob': {
      const glob = compileGlob(String(value));
      return (values) => anyTruth(values, (found) => (typeof found === 'string' ? glob.test(found) : false));
    }
    case 'contains':
      return (values) => values.some((found) => containsValue(found, value));
    case 'finds':
      return findsTest([value].flat().map(String));
    case 'exists':
      return (values) => values.length > 0 === value;
    case 'gt':
      return numberTest((found) => found > Number(value));
    case 'gte':
      return numberTest((found) => found >= Number(value));
    case 'lt':
      return numberTest((found) => found < Number(value));
    case 'lte':
      return numberTest((found) => found <= Number(value));
    case 'min_length':
      return (values) => values.some((found) => lengthOf(found) >= Number(value));
    case 'max_length':
      return (values) => values.some((found) => lengthOf(found) <= Number(value));
    default:
      throw new Error(`Cannot compile test "${key}": unknown`);
  }
}

/** The regex is compiled when a text comes that it could match: for most policies of a one-shot process none does. */
function regexTest(source: string): ValueTest {
  const literals = requiredLiterals(source);
  let regex: Regex | undefined;
  const test = (text: string): Truth => {
    if (regex === undefined && literals !== undefined && !mayContain(text, literals)) return false;
    regex ??= compileRegex(source);
    return regex.test(text);
  };
  return (values) =>
    anyTruth(values, (value) => (isRounded(value) ? 'unknown' : anyTruth(textsOf(value), test)));
}

/** The value is a regex. A text that is none may be one of another kind. */
function findsTest(texts: readonly string[]): ValueTest {
  return (values) => anyTruth(values, (value) => (typeof value === 'string' ? findsIn(value, texts) : false));
}

function findsIn(source: string, texts: readonly string[]): Truth {
  try {
    return compileRegex(source).testAny(texts);
  } catch (error) {
    if (error instanceof RegexError) return 'unknown';
    throw error;
  }
}

/** A number of which the digits that was there are not known. */
function isRounded(value: Json): boolean {
  return typeof value === 'number' && isInexact(value);
}

/** A value that lost digits equals the rest of them, but may have been another number. */
function sameAs(value: Json): Truth {
  return isRounded(value) ? 'unknown' : true;
}

/** Outside ASCII, case folding knows more pairs than `toLowerCase` (the Kelvin sign, the long s). */
function mayContain(
  text: string,
  { anyOf: literals, fold }: NonNullable<ReturnType<typeof requiredLiterals>>,
): boolean {
  if (!fold) return literals.some((literal) => text.includes(literal));
  if (/[^\0-\x7f]/.test(text)) return true;
  const lower = text.toLowerCase();
  return literals.some((literal) => lower.includes(literal));
}

function equalsTest(expected: Json): ValueTest {
  return (values) => anyTruth(values, (value) => (deepEqual(value, expected) ? sameAs(value) : false));
}

/** The answer of a test with options that cannot be read. */
function unreadableOptions(values: readonly Json[]): Truth {
  return values.length > 0 ? 'unknown' : false;
}

/** Scalars are looked up: each value against each option would take for ever where both are many. */
function oneOfTest(options: readonly Json[]): ValueTest {
  const scalars = new Set(options.filter(isScalar));
  const others = options.filter((option) => !isScalar(option));
  return (values) =>
    anyTruth(values, (found): Truth => {
      if (isScalar(found)) return scalars.has(found) ? sameAs(found) : false;
      checkTime();
      return others.some((option) => deepEqual(found, option));
    });
}

function isScalar(value: Json): boolean {
  return typeof value !== 'object' || value === null;
}

function numberTest(holds: (value: number) => boolean): ValueTest {
  return (values) => values.some((value) => typeof value === 'number' && holds(value));
}

function containsValue(value: Json, part: Json): boolean {
  if (typeof value === 'string') return typeof part === 'string' && value.includes(part);
  return Array.isArray(value) && value.some((item) => deepEqual(item, part));
}

function lengthOf(value: Json): number {
  if (typeof value === 'string') return countCharacters(value);
  return Array.isArray(value) ? value.length : Number.NaN;
}
