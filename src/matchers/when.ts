import { isJsonObject, type Json, type JsonObject } from '../lib/json.ts';
import type { Facts } from '../model/facts.ts';
import type { KeyTrace } from '../model/outcome.ts';
import type { CallNeeds, Literals } from '../model/policy.ts';
import { and, type Truth } from '../model/truth.ts';
import { strongerNeeds } from './call-needs.ts';
import { moreSelective } from './literals.ts';
import type { Matcher, Predicate, SpecProblem } from './matcher.ts';
import { prefixed } from './spec-path.ts';

/** The matchers, in the order in which they are asked: cheap ones first. */
export type MatcherTable = ReadonlyMap<string, Matcher>;

/** A compiled matching key. */
export interface CompiledKey {
  readonly matcher: Matcher;
  readonly predicate: Predicate;
}

/** Compiles the keys of a `when`, or those that `wanted` picks. They must have passed `whenProblems`. */
export function compileWhen(
  when: Json,
  table: MatcherTable,
  wanted: (matcher: Matcher) => boolean = () => true,
): readonly CompiledKey[] {
  const keys: CompiledKey[] = [];
  for (const [matcher, spec] of entriesOf(when, table)) {
    if (wanted(matcher)) keys.push({ matcher, predicate: matcher.compile(spec) });
  }
  return keys;
}

/** All keys together: no as soon as one says no. `decided` is told which key settled it. */
export function holds(keys: readonly CompiledKey[], facts: Facts, decided?: (key: KeyTrace) => void): Truth {
  let truth: Truth = true;
  for (const { matcher, predicate } of keys) {
    const answer = predicate(facts);
    if (answer !== true) decided?.({ key: matcher.key, truth: answer });
    truth = and(truth, answer);
    if (truth === false) return false;
  }
  return truth;
}

/** The problems of all keys. Unknown keys are the schema's business. */
export function whenProblems(when: Json, table: MatcherTable): readonly SpecProblem[] {
  const problems: SpecProblem[] = [];
  for (const [matcher, spec] of entriesOf(when, table))
    problems.push(...prefixed(matcher.key, matcher.check?.(spec) ?? []));
  return problems;
}

/** The best set of strings without which no event can match. */
export function whenLiterals(when: Json, table: MatcherTable): Literals | undefined {
  let best: Literals | undefined;
  for (const [matcher, spec] of entriesOf(when, table)) best = moreSelective(best, matcher.literals?.(spec));
  return best;
}

/** The best set of needs of which an event has to meet one to match. */
export function whenNeeds(when: Json, table: MatcherTable): readonly CallNeeds[] | undefined {
  let best: readonly CallNeeds[] | undefined;
  for (const [matcher, spec] of entriesOf(when, table)) best = strongerNeeds(best, matcher.needs?.(spec));
  return best;
}

/** The captures of the first key that has some. */
export function whenCaptures(when: Json, facts: Facts, table: MatcherTable): readonly string[] | undefined {
  for (const [matcher, spec] of entriesOf(when, table)) {
    const captures = matcher.captures?.(spec, facts);
    if (captures !== undefined) return captures;
  }
  return undefined;
}

/** The keys of a `when` that are matchers, in the order in which they stand. */
function entriesOf(when: Json, table: MatcherTable): readonly (readonly [Matcher, Json])[] {
  const entries: (readonly [Matcher, Json])[] = [];
  if (!isJsonObject(when)) return entries;
  for (const key of Object.keys(when)) {
    const matcher = table.get(key);
    const spec = when[key];
    if (matcher !== undefined && spec !== undefined) entries.push([matcher, spec]);
  }
  return entries;
}

/** The same `when` with its keys in the order in which they are best asked: cheap ones first. */
export function inAskingOrder(when: JsonObject, table: MatcherTable): JsonObject {
  const ordered: Record<string, Json> = {};
  for (const key of table.keys()) {
    const spec = Object.hasOwn(when, key) ? when[key] : undefined;
    if (spec !== undefined) ordered[key] = spec;
  }
  return ordered;
}
