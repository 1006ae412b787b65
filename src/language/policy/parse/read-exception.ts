import { isJsonObject, type Json, type JsonObject, own, ownObject, ownString } from '../../../lib/json.ts';
import type { Diagnostic, SpecProblem } from '../../../model/diagnostic.ts';
import { MATCHER_TABLE } from '../../keys/registry.ts';
import { inAskingOrder, whenProblems } from '../../keys/when.ts';
import { EXCEPTION_MATCHERS } from '../schema/exception-schema.ts';
import { problemsAt } from '../yaml/problems-at.ts';
import type { YamlDocument } from '../yaml/yaml.ts';
import type { ExceptionDraft } from './file-draft.ts';
import { pickKeys } from './normalise-policy.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Tests that hold if a part of a value fits: text beside it would pass as well. */
const PARTIAL_TESTS = ['contains', 'finds', 'not_regex'];

/** The milliseconds since 1970 at which an exception ends; not a number if the calendar does not have the day. */
export function endOf(expires: string): number {
  const isDay = !expires.includes('T');
  const ms = Date.parse(expires);
  // `Date.parse` takes the 31st of June for the 1st of July.
  if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(expires.slice(0, 10))) return Number.NaN;
  return isDay ? ms + DAY_MS : ms;
}

/** Reads one exception that has passed the schema, or names its fault. */
export function readException(
  item: JsonObject,
  document: YamlDocument,
  index: number,
): ExceptionDraft | readonly Diagnostic[] {
  const base = ['exceptions', index];
  const when = pickKeys(item, (key) => EXCEPTION_MATCHERS.includes(key));
  const endsMs = endOf(ownString(item, 'expires') ?? '');
  const found: SpecProblem[] = [...whenProblems(when, MATCHER_TABLE), ...partialTests(when)];
  if (Object.keys(when).length === 0) {
    const hint = `add one of ${EXCEPTION_MATCHERS.join(', ')}`;
    const message = 'Cannot except every call: the exception says nothing of the calls that it is for';
    found.push({ code: 'missing-key', path: [], message, hint });
  }
  if (Number.isNaN(endsMs)) {
    const message = `Cannot use "${ownString(item, 'expires')}" as an end: there is no such day or time`;
    found.push({ code: 'bad-value', path: ['expires'], message });
  }
  if (found.length > 0) return problemsAt(document, base, found);
  const position = document.positionOf([...base, 'policy'], 'value');
  return {
    policy: { text: ownString(item, 'policy') ?? '', position },
    when: inAskingOrder(withWholeTexts(when), MATCHER_TABLE),
    endsMs,
    owner: ownString(item, 'owner') ?? '',
    reason: ownString(item, 'reason') ?? '',
    position,
  };
}

function partialTests(when: JsonObject): readonly SpecProblem[] {
  return Object.entries(ownObject(when, 'arguments') ?? {}).flatMap(([path, test]): SpecProblem[] => {
    if (path === '*') {
      const message = 'Cannot except by "*": it holds where one of all arguments fits';
      return [{ code: 'exception', path: ['arguments', path], message, hint: 'name the argument' }];
    }
    if (isJsonObject(test) && isJsonObject(own(test, 'one_of') ?? null)) {
      const message = 'Cannot except by a data file: what it lets pass would change without a word';
      return [{ code: 'exception', path: ['arguments', path, 'one_of'], message, hint: 'list the values' }];
    }
    const key = PARTIAL_TESTS.find((name) => isJsonObject(test) && Object.hasOwn(test, name));
    if (key === undefined) return [];
    const message = `Cannot except by "${key}": it holds where any part fits, whatever the rest is`;
    const hint = 'use equals, one_of, glob or a regex, which has to match the whole text';
    return [{ code: 'exception', path: ['arguments', path, key], message, hint }];
  });
}

/** In an exception a regex has to match the whole text: one that is found somewhere would let the rest pass as well. */
function withWholeTexts(when: JsonObject): JsonObject {
  const tests = ownObject(when, 'arguments');
  if (tests === undefined) return when;
  const whole = (regex: string) => `^(?:${regex})$`;
  const wholeTest = (test: Json): Json => {
    if (typeof test === 'string') return { regex: whole(test) };
    const regex = isJsonObject(test) ? own(test, 'regex') : undefined;
    return isJsonObject(test) && typeof regex === 'string' ? { ...test, regex: whole(regex) } : test;
  };
  return {
    ...when,
    arguments: Object.fromEntries(Object.entries(tests).map(([path, test]) => [path, wholeTest(test)])),
  };
}
