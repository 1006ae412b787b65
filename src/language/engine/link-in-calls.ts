import type { JsonObject } from '../../lib/json.ts';
import type { Facts } from '../../model/facts.ts';
import type { FactRow, Rule } from '../../model/policy.ts';
import { shellReadings } from '../keys/call/shell-reading.ts';
import { withFacts } from '../keys/history/fact-places.ts';
import { factUse, type HistorySpec, historySpec } from '../keys/history/spec.ts';
import type { LinkedRule } from './linked-rule.ts';

/**
 * A policy that asks whether something came before, for calls of several commands. A command that runs only if another has
 * succeeded is free by that: the push in `npm test && git push`, `set -e; npm test; git push`, `if npm test; then git push; fi`.
 * With `sed -i … && git push` the pushed files have changed since they were tested.
 */
export function linkInCalls(linked: LinkedRule, rows: readonly FactRow[]): LinkedRule {
  const asks = asksOf(linked.rule);
  if (asks.length === 0) return linked;
  let takeApart: ((facts: Facts) => Facts) | undefined;
  const inCall = (facts: Facts): Facts => {
    if (shellReadings(facts)?.some(({ commands }) => commands.length > 1) !== true) return facts;
    const { inCallsOf } = require('./in-call.ts') as typeof import('./in-call.ts');
    takeApart ??= inCallsOf(linked.rule, asks, rows);
    return takeApart(facts);
  };
  return {
    ...linked,
    fitsCall: (facts) => linked.fitsCall(inCall(facts)),
    explain: (facts) => linked.explain(inCall(facts)),
  };
}

/** The calls that a policy wants not to have come before. */
function asksOf(rule: Rule): readonly HistorySpec[] {
  const found = new Map<JsonObject, HistorySpec>();
  withFacts(rule.when, (fact, { ask, spec }) => {
    const asked = ask === 'not_seen' ? historySpec(spec) : undefined;
    if (asked !== undefined && factUse(fact) !== undefined) found.set(spec, asked);
    return fact;
  });
  return [...found.values()];
}
