import type { Reply } from '../../../hosts/host.ts';
import type { Answer } from '../../../language/calls/answer-call.ts';
import { shellReadings } from '../../../language/keys/call/shell-reading.ts';
import { beforeTexts } from '../../../language/keys/history/before-texts.ts';
import type { Decision } from '../../../model/decision.ts';
import type { Event } from '../../../model/event.ts';
import type { Facts } from '../../../model/facts.ts';
import type { History } from '../../../model/history.ts';
import type { Hit, Outcome, RuleTrace } from '../../../model/outcome.ts';
import type { Reading } from '../../../reader/reading/reading.ts';

/** How one event was judged and answered, in full. */
export interface Explanation {
  /** The agent whose answer is shown; undefined if none is named, sent the message or is installed. */
  readonly host: string | undefined;
  readonly event: Event;
  /** The readings of the commands of a shell call; empty for every other event. */
  readonly readings: readonly Reading[];
  /** The engine's decision with its trace; if judges are asked, the decision of the rules. */
  readonly outcome: Outcome;
  /** The earlier calls that policies used; absent if there are none. */
  readonly before?: readonly string[];
  /** Ids of the policies whose judges are asked; `answered` and `reply` then lack their verdicts. */
  readonly asks: readonly string[];
  /** The decision fitted to the host's abilities; unchanged without a host. */
  readonly answered: Decision;
  /** The answer in the host's own form; undefined without a host. */
  readonly reply: Reply | undefined;
  /** Why there is no host, unless none was found. */
  readonly noHost?: string;
  /** Microseconds from the event to the answer. */
  readonly durationUs: number;
}

/** The result of a policy: as in the log, or its judge is asked, or it was skipped, or it did not match. */
export type PolicyResult = Hit['how'] | 'asked' | 'skipped' | 'no_match';

export interface ConsideredPolicy {
  readonly trace: RuleTrace;
  readonly fate: PolicyResult;
}

/**
 * Every considered policy with its result, in order.
 *
 * @param asks ids of the policies whose judges are not asked yet
 */
export function considered(
  { trace, hits, skipped }: Outcome,
  asks: readonly string[] = [],
): readonly ConsideredPolicy[] {
  // By id: a judge's hit carries the rule as the judge changed it.
  const hows = new Map<string, PolicyResult>(hits.map(({ rule, how }) => [rule.id, how]));
  for (const id of asks) hows.set(id, 'asked');
  const passedOver = new Set(skipped);
  return trace.map((item) => ({
    trace: item,
    fate: hows.get(item.rule.id) ?? (passedOver.has(item.rule.id) ? 'skipped' : 'no_match'),
  }));
}

/** True if the policy takes no part in the decision because its keys do not hold, or may not. */
export function didNotMatch(fate: PolicyResult): boolean {
  return fate === 'no_match' || fate === 'skipped';
}

/** Those that did not match, nearest first: people's own policies before built-in ones, then by the share of keys that held. */
export function nearestFirst(policies: readonly ConsideredPolicy[]): readonly ConsideredPolicy[] {
  const rank = ({ trace: { rule, miss } }: ConsideredPolicy) =>
    (rule.layer === 'builtin' ? 0 : 1_000) + (miss?.held ?? 0);
  return policies.filter(({ fate }) => fate === 'no_match').sort((a, b) => rank(b) - rank(a));
}

/**
 * The explanation of an answer without judges; undefined if nothing was judged.
 *
 * @param factsOf the facts that policies could know of the event and of earlier calls
 */
export function explanationOf(
  { event, outcome, decision, replies, history }: Answer,
  factsOf: (event: Event, history: History | undefined) => Facts,
  host: string | undefined,
  durationUs: number,
): Explanation | undefined {
  if (event === undefined || outcome === undefined) return undefined;
  const facts = factsOf(event, history);
  return {
    host,
    event,
    readings: shellReadings(facts) ?? [],
    outcome,
    before: earlierCallsOf(outcome, facts),
    asks: [],
    answered: decision,
    reply: replies[0],
    durationUs,
  };
}

/** The earlier calls used by policies that match, or may. */
export function earlierCallsOf({ trace }: Outcome, facts: Facts): readonly string[] {
  return trace.flatMap(({ rule, truth }) => (truth === false ? [] : beforeTexts(rule.when, facts)));
}
