import { isJsonObject, type Json, type JsonObject, own } from '../../../lib/json.ts';
import { leastMatchLength } from '../../../lib/regex/least-match-length.ts';
import { compileValueTest } from './value-test.ts';

/** Why one value can never pass a test, in words; undefined if it may. The test compiles. */
export function impossibleTest(test: Json): string | undefined {
  if (!isJsonObject(test)) return undefined;
  return (
    absentAndTested(test) ??
    anchorProblem(test) ??
    candidateProblem(test) ??
    emptyRange(test) ??
    noType(test) ??
    tooShort(test) ??
    contradiction(test)
  );
}

/** True if no value passes all of these tests: those that one test names pass no other, or the tests make one that is impossible. */
export function areImpossible(tests: readonly JsonObject[]): boolean {
  const names = tests.flatMap((test) => Object.keys(test));
  if (new Set(names).size === names.length) return impossibleTest(Object.assign({}, ...tests)) !== undefined;
  return tests.some((test) => tests.some((other) => other !== test && isDisjoint(test, other)));
}

function isDisjoint(test: JsonObject, other: JsonObject): boolean {
  const values = candidatesOf(test)?.values;
  const passes = compileValueTest(other);
  return values?.every((value) => passes([value]) === false) === true;
}

function absentAndTested(test: JsonObject): string | undefined {
  if (own(test, 'exists') !== false || Object.keys(test).length === 1) return undefined;
  return 'what does not exist passes no other test';
}

/** `$HOME` */
function anchorProblem(test: JsonObject): string | undefined {
  const regex = own(test, 'regex');
  return typeof regex === 'string' && leastMatchLength(regex) === Number.POSITIVE_INFINITY
    ? 'in a regex, "^" is the start of the text and "$" its end; a dollar sign is \\$'
    : undefined;
}

/** The values that a test names, if it names all that can pass. */
function candidatesOf(
  test: JsonObject,
): { readonly key: string; readonly values: readonly Json[] } | undefined {
  const equals = own(test, 'equals');
  if (equals !== undefined) return { key: 'equals', values: [equals] };
  const oneOf = own(test, 'one_of');
  if (Array.isArray(oneOf)) return { key: 'one_of', values: oneOf };
  const glob = own(test, 'glob');
  return typeof glob === 'string' && !/[\\*?[\]{}()!+@|]/.test(glob)
    ? { key: 'glob', values: [glob] }
    : undefined;
}

function candidateProblem(test: JsonObject): string | undefined {
  const candidates = candidatesOf(test);
  if (candidates === undefined || Object.keys(test).length === 1) return undefined;
  const passes = compileValueTest(test);
  if (candidates.values.some((value) => passes([value]) !== false)) return undefined;
  return candidates.values.length === 1
    ? `the value of "${candidates.key}" does not pass the other tests`
    : `no value of "${candidates.key}" passes the other tests`;
}

function emptyRange(test: JsonObject): string | undefined {
  const number = (key: string) => {
    const value = own(test, key);
    return typeof value === 'number' ? value : undefined;
  };
  const { gt, gte, lt, lte } = { gt: number('gt'), gte: number('gte'), lt: number('lt'), lte: number('lte') };
  const low = Math.max(gt ?? Number.NEGATIVE_INFINITY, gte ?? Number.NEGATIVE_INFINITY);
  const high = Math.min(lt ?? Number.POSITIVE_INFINITY, lte ?? Number.POSITIVE_INFINITY);
  const isOpen = low === gt || high === lt;
  if (low > high || (low === high && isOpen)) return 'no number lies between its bounds';
  const least = number('min_length');
  const most = number('max_length');
  return least !== undefined && most !== undefined && least > most
    ? '"min_length" is more than "max_length"'
    : undefined;
}

const TEXT_OR_LIST = ['text', 'list'];
/** The types of values that can pass a key; a key that is not listed takes any. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  glob: ['text'],
  gt: ['number'],
  gte: ['number'],
  lt: ['number'],
  lte: ['number'],
  contains: TEXT_OR_LIST,
  min_length: TEXT_OR_LIST,
  max_length: TEXT_OR_LIST,
};

function noType(test: JsonObject): string | undefined {
  const typed = Object.keys(test).filter((key) => Object.hasOwn(TYPES, key));
  const [first, ...rest] = typed;
  const clash = rest.find(
    (key) => first !== undefined && !TYPES[first]?.some((type) => TYPES[key]?.includes(type)),
  );
  return clash === undefined ? undefined : `nothing passes both "${first}" and "${clash}"`;
}

function tooShort(test: JsonObject): string | undefined {
  const regex = own(test, 'regex');
  const most = own(test, 'max_length');
  if (typeof regex !== 'string' || typeof most !== 'number') return undefined;
  const least = leastMatchLength(regex);
  return least > most ? `the regex needs ${least} characters and "max_length" allows ${most}` : undefined;
}

function contradiction(test: JsonObject): string | undefined {
  const regex = own(test, 'regex');
  return regex !== undefined && regex === own(test, 'not_regex')
    ? '"regex" and "not_regex" are the same'
    : undefined;
}
