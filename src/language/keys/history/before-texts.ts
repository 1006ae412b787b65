import type { JsonObject } from '../../../lib/json.ts';
import type { Facts } from '../../../model/facts.ts';
import { factName, type PastCall } from '../../../model/history.ts';
import type { FactRow } from '../../../model/policy.ts';
import { carriedTexts } from '../carries/match.ts';
import { type CountedCalls, countedCalls } from './counted-calls.ts';
import { type FactAsk, withFacts } from './fact-places.ts';
import { happened } from './happened.ts';
import { HIDING_TEXTS, pastTexts } from './past-text.ts';
import { factUse, type HistorySpec, historySpec } from './spec.ts';

type Ask = HistorySpec & { readonly by: FactAsk };
const asked = new WeakMap<JsonObject, readonly Ask[]>();

/** The questions of matching keys about earlier calls. */
function asksIn(when: JsonObject): readonly Ask[] {
  const known = asked.get(when) ?? readAsks(when);
  asked.set(when, known);
  return known;
}

function readAsks(when: JsonObject): readonly Ask[] {
  const found: Ask[] = [];
  withFacts(when, (fact, { ask, spec }) => {
    const known = ask === 'since' ? undefined : historySpec(spec);
    if (known !== undefined) found.push({ ...known, by: ask });
    return fact;
  });
  return found;
}

/** The earlier calls that matching keys go by, for people: those of each fact, and that there are none. */
export function beforeTexts(when: JsonObject, facts: Facts): readonly string[] {
  const texts = asksIn(when).flatMap((spec) => {
    const marks: HistorySpec | undefined =
      spec.since === undefined ? undefined : { ...spec, ask: 'seen', of: spec.since, since: undefined };
    return [...(marks === undefined ? [] : [marks]), spec].flatMap((each) => {
      const found = pastTexts(each, countedCalls(each, facts));
      const after = each.since === undefined ? '' : ` since ${factName(each.since.fact)}`;
      return found.length === 0 ? [`no ${factName(each.of.fact)}${after}`] : found;
    });
  });
  return [...new Set([...texts, ...carriersIn(when).flatMap((spec) => carriedTexts(spec, facts))])];
}

/** The specs in matching keys that test for text on its way out. */
function carriersIn(when: JsonObject): readonly JsonObject[] {
  const found: JsonObject[] = [];
  withFacts(when, (fact, { ask, spec }) => {
    if (ask === 'from') found.push(spec);
    return fact;
  });
  return found;
}

/** The reason why an earlier call does not free this one though it may seem to; undefined if there is none. */
export function hiddenHint(when: JsonObject, facts: Facts): string | undefined {
  for (const spec of asksIn(when)) {
    const past = countedCalls(spec, facts);
    const hint =
      spec.by === 'not_seen'
        ? (hiddenText(spec, past) ?? openText(spec, past, facts) ?? elsewhereText(spec, past, facts))
        : undefined;
    if (hint !== undefined) return hint;
    if (past.unknown !== undefined) return `Earlier calls cannot be known: ${past.unknown}.`;
  }
  return undefined;
}

/** The last call that would have freed this one if something had not hidden its outcome. */
function hiddenText({ of }: HistorySpec, { counted }: CountedCalls): string | undefined {
  const hidden = counted.findLast(({ call, truth }) => truth !== true && call.hiddenBy !== undefined)?.call;
  return hidden?.hiddenBy === undefined
    ? undefined
    : `What ran as ${factName(of.fact)} at ${timeOf(hidden)} does not count: ${HIDING_TEXTS[hidden.hiddenBy]}.`;
}

/** A mark without a result, so that a later call may have begun before it ended. */
function openText(
  { of, since, window }: HistorySpec,
  { counted }: CountedCalls,
  { history }: Facts,
): string | undefined {
  const isFree = counted.some(
    ({ call, truth }) => truth === 'unknown' && happened(call, of.outcome) === true,
  );
  if (since === undefined || !isFree) return undefined;
  const open = history
    .past(since.fact, window)
    .calls.findLast((call) => happened(call, since.outcome) !== false && call.settledSequence === undefined);
  return open === undefined
    ? undefined
    : `There is no result yet of the call asked for as ${factName(since.fact)} at ${timeOf(open)}, so it may still be under way: if it was declined or interrupted, it counts until the next prompt.`;
}

/** The last call that would have freed this one if it had changed nothing, or had been about the folder of each change. */
function elsewhereText(
  { of, since, window }: HistorySpec,
  { counted, unknown }: CountedCalls,
  { history }: Facts,
): string | undefined {
  const found = counted.findLast(({ call }) => call.values['folder'] !== undefined);
  if (since === undefined || found === undefined || unknown !== undefined) return undefined;
  const { call, truth } = found;
  const marks = history.past(since.fact, window).calls;
  const isChange = call.last !== true && marks.some(({ sequence }) => sequence === call.sequence);
  if (happened(call, of.outcome) !== true || (truth !== 'unknown' && !isChange)) return undefined;
  return `What ran as ${factName(of.fact)} at ${timeOf(call)} ${
    isChange
      ? 'may have changed files as well: run it on its own, or behind the changes with `&&`.'
      : 'ran in another folder than the changes: run it there, or for the whole repository.'
  }`;
}

function timeOf({ startedMs }: PastCall): string {
  return new Date(startedMs).toISOString().slice(11, 19);
}

/** Matching keys with the keys of their facts in place of their ids. */
export function writtenFacts(when: JsonObject, rows: readonly FactRow[]): JsonObject {
  return withFacts(when, (fact) => {
    const use = factUse(fact);
    const row = rows.find(({ id }) => id === use?.fact);
    return use === undefined || row === undefined ? fact : { ...row.when, outcome: use.outcome };
  });
}

/** Matching keys with facts as people know them. */
export function shownFacts(when: JsonObject): JsonObject {
  return withFacts(when, (fact) => {
    const use = factUse(fact);
    return use === undefined ? fact : `${factName(use.fact)} (${use.outcome})`;
  });
}
