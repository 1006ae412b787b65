import type { Facts } from '../../model/facts.ts';
import type { Rule } from '../../model/policy.ts';
import { and, anyTruth, type Truth } from '../../model/truth.ts';
import { factsOf } from './facts.ts';
import type { LinkedRule } from './linked-rule.ts';
import type { RuleIndex } from './rule-index.ts';

/** The facts of an event as it came and, behind them, as its host may read it otherwise. Nearly all events have one. */
export type Readings = readonly [asItCame: Facts, ...others: Facts[]];

export function readingsOf(facts: Facts): Readings {
  const { readings = [] } = facts.event;
  return readings.length === 0 ? [facts] : [facts, ...readings.map((event): Facts => factsOf(event, facts))];
}

/** The rules that the event could match in any reading, in file order. */
export function candidatesIn(readings: Readings, index: RuleIndex): readonly LinkedRule[] {
  const [asItCame, ...others] = readings;
  const found = index.candidates(asItCame);
  if (others.length === 0) return found;
  const all = new Set([...found, ...others.flatMap((facts) => index.candidates(facts))]);
  return [...all].sort((a, b) => a.rule.order - b.rule.order);
}

/** What a test says of an event: a refusal holds if it does in any reading, an approval only if it does in all. */
export function truthIn(readings: Readings, rule: Rule, test: (facts: Facts) => Truth): Truth {
  const [asItCame, ...others] = readings;
  if (others.length === 0) return test(asItCame);
  if (rule.action === 'approve') return readings.map(test).reduce(and);
  if (!mayApprove(rule)) return anyTruth(readings, test);
  const truths = readings.map(test);
  return truths.every((truth) => truth === truths[0]) ? (truths[0] ?? false) : 'unknown';
}

/** True if the rule approves or refuses by what a judge says. */
function mayApprove({ judge }: Rule): boolean {
  return Object.values(judge?.verdicts ?? {}).some(({ action }) => action === 'approve');
}
