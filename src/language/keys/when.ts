import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts';
import type { SpecProblem } from '../../model/diagnostic.ts';
import type { Facts } from '../../model/facts.ts';
import type { Miss, OnMiss } from '../../model/miss.ts';
import type { CallNeeds, EventPart, Literals } from '../../model/policy.ts';
import { and, type Truth } from '../../model/truth.ts';
import { strongerNeeds } from './call-needs.ts';
import { moreSelective } from './literals.ts';
import type { Matcher, Predicate } from './matcher.ts';
import { askPart } from './miss.ts';
import { prefixed } from './spec-path.ts';

/** The matchers, in the order in which they are asked: cheap ones first. */
export type MatcherTable = ReadonlyMap<string, Matcher>;

export interface CompiledKey {
  readonly matcher: Matcher;
  readonly spec: Json;
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
    if (wanted(matcher)) keys.push({ matcher, spec, predicate: matcher.compile(spec) });
  }
  return keys;
}

/**
 * All keys together: no as soon as one says no.
 *
 * @param missed receives the reasons of the keys that were asked and did not hold
 */
export function holds(keys: readonly CompiledKey[], facts: Facts, missed?: OnMiss): Truth {
  let truth: Truth = true;
  for (const [held, { matcher, spec, predicate }] of keys.entries()) {
    const answer =
      missed === undefined
        ? predicate(facts)
        : askPart(
            () => ({ path: [matcher.key], wanted: spec, seen: () => matcher.seen(facts, spec) }),
            held,
            missed,
            (tell) => predicate(facts, tell),
          );
    truth = and(truth, answer);
    if (truth === false) return false;
  }
  return truth;
}

/** The answer of all keys together, and the reason if it is not yes. */
export interface MatchResult {
  readonly truth: Truth;
  /** Undefined if they hold. */
  readonly miss: Miss | undefined;
}

/** All keys together, with the one that settled it if they do not hold. */
export function findingOf(keys: readonly CompiledKey[], facts: Facts): MatchResult {
  let miss: Miss | undefined;
  const truth = askPart(
    () => ({ path: [], wanted: null, seen: () => [] }),
    0,
    (found) => {
      miss = found;
    },
    (tell) => holds(keys, facts, tell),
  );
  return { truth, miss };
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

/** The parts of an event that the keys read and that not every event of a call carries. */
export function whenReads(when: Json, table: MatcherTable): readonly EventPart[] {
  const parts = entriesOf(when, table).flatMap(([matcher, spec]) => matcher.reads?.(spec) ?? []);
  return [...new Set(parts)].sort();
}

/** The captures of the first key that has some. */
export function whenCaptures(when: Json, facts: Facts, table: MatcherTable): readonly string[] | undefined {
  for (const [matcher, spec] of entriesOf(when, table)) {
    const captures = matcher.captures?.(spec, facts);
    if (captures !== undefined) return captures;
  }
  return undefined;
}

/** The keys of a `when` that are matchers, in their order. */
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
