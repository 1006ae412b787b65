import type { Event } from '../model/event.ts';
import type { Facts } from '../model/facts.ts';
import type { Memory } from '../model/memory.ts';
import type { Hit, KeyTrace, Outcome, RuleTrace } from '../model/outcome.ts';
import { NO_SURROUNDINGS, type Surroundings } from '../model/surroundings.ts';
import { and, type Truth } from '../model/truth.ts';
import { combine } from './combine.ts';
import type { Engine } from './engine.ts';
import { createFacts, factsOf } from './facts.ts';
import type { LinkedRule } from './linked-rule.ts';
import { countRetry, resetRetries } from './retries.ts';

/** What judging needs besides the event. */
export interface EvaluateOptions {
  readonly memory: Memory;
  /** What is known of the machine, asked for when a policy needs it; nothing unless told. */
  readonly surroundings?: (event: Event) => Surroundings;
  /** Asks every policy of the event's kind and reports on each; microseconds come from this clock. */
  readonly trace?: { readonly nowUs: () => number };
}

/** Judges one event by all policies. Total: only a defect in a matcher or effect can throw. */
export function evaluate(
  engine: Engine,
  event: Event,
  { memory, surroundings, trace }: EvaluateOptions,
): Outcome {
  const facts = createFacts(event, memory, surroundings ?? nothingKnown);
  const traces: RuleTrace[] = [];
  const matched =
    trace === undefined
      ? matchAll(engine.index.candidates(facts), facts)
      : matchTraced(engine.index.ofKind(event.kind), facts, trace.nowUs, traces);

  for (const { rule } of engine.retryRules(event.kind)) {
    if (!matched.hits.some((hit) => hit.rule === rule)) resetRetries(rule, event, memory);
  }
  const decision = combine(engine.program, facts, matched.hits, {
    judgeAgain: (rewritten) => {
      const again = factsOf(rewritten, facts);
      return { facts: again, hits: matchAll(engine.index.candidates(again), again).hits };
    },
    retryLeft: (rule, maxRetries) => countRetry(rule, maxRetries, event, memory),
  });
  return { decision, hits: matched.hits, skipped: matched.skipped, trace: traces };
}

interface Matched {
  readonly hits: Hit[];
  readonly skipped: string[];
}

function matchAll(candidates: readonly LinkedRule[], facts: Facts): Matched {
  const matched: Matched = { hits: [], skipped: [] };
  for (const linked of candidates) take(linked, and(linked.fitsTool(facts), linked.fitsCall(facts)), matched);
  return matched;
}

function matchTraced(
  rules: readonly LinkedRule[],
  facts: Facts,
  nowUs: () => number,
  traces: RuleTrace[],
): Matched {
  const matched: Matched = { hits: [], skipped: [] };
  for (const linked of rules) {
    let decidedBy: KeyTrace | undefined;
    const decided = (key: KeyTrace) => {
      if (decidedBy === undefined || key.truth === false) decidedBy = key;
    };
    const start = nowUs();
    let truth: Truth = linked.fitsTool(facts, decided);
    if (truth !== false) truth = and(truth, linked.fitsCall(facts, decided));
    traces.push({ rule: linked.rule, truth, decidedBy, durationUs: nowUs() - start });
    take(linked, truth, matched);
  }
  return matched;
}

function take({ rule }: LinkedRule, truth: Truth, { hits, skipped }: Matched): void {
  if (truth === false) return;
  if (truth === 'unknown' && rule.whenUnknown === 'skip') {
    skipped.push(rule.id);
    return;
  }
  if (rule.mode === 'monitor') hits.push({ rule, how: 'monitored' });
  else if (rule.trust === 'untrusted') hits.push({ rule, how: 'inactive' });
  else hits.push({ rule, how: truth === 'unknown' ? 'unknown' : 'matched' });
}

function nothingKnown(): Surroundings {
  return NO_SURROUNDINGS;
}
