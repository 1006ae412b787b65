import { checkTime } from '../../lib/time-limit.ts';
import { type Decision, noOpinion } from '../../model/decision.ts';
import type { Event } from '../../model/event.ts';
import type { Facts } from '../../model/facts.ts';
import type { History } from '../../model/history.ts';
import { type JudgeAnswer, type JudgeQuestion, NOBODY_ASKED } from '../../model/judge.ts';
import type { KeptResults } from '../../model/kept-results.ts';
import type { Memory } from '../../model/memory.ts';
import type { Miss } from '../../model/miss.ts';
import {
  type Hit,
  isPending,
  type Outcome,
  type PendingOutcome,
  type RuleTime,
  type RuleTrace,
} from '../../model/outcome.ts';
import { type Program, type Rule, refusesUnjudged } from '../../model/policy.ts';
import { NO_SURROUNDINGS, type Surroundings } from '../../model/surroundings.ts';
import { and, anyTruth, type Truth } from '../../model/truth.ts';
import { canarySide } from './canary.ts';
import type { CombinePorts } from './combine.ts';
import type { Engine } from './engine.ts';
import { createFacts, factsOf } from './facts.ts';
import type { LinkedRule } from './linked-rule.ts';
import { type Readings, readingsOf } from './readings.ts';
import { countRetry, resetRetries, startsTurn } from './retries.ts';
import type { RuleIndex } from './rule-index.ts';

/** The inputs of a decision besides the event. */
export interface EvaluateOptions {
  readonly memory: Memory;
  /** The machine, asked for when a policy needs it; by default unknown. */
  readonly surroundings?: (event: Event) => Surroundings;
  /** Earlier calls; by default none. */
  readonly history?: History | undefined;
  /** Results of earlier calls to answer with; by default none. */
  readonly kept?: KeptResults | undefined;
  /** Milliseconds since 1970, for exceptions; by default, all exceptions have ended. */
  readonly nowMs?: () => number;
  /** Ids of policies that a person lets this call past. */
  readonly allowed?: ReadonlySet<string>;
  /** Asks every policy of the event's kind and reports on each; microseconds come from this clock. */
  readonly trace?: { readonly nowUs: () => number };
  /** Measures the time of policies, in microseconds, if no trace is requested. */
  readonly clock?: () => number;
}

/**
 * Judges one event by all policies; those that ask a model are decided by the answers at hand. Total: only a defect in
 * a matcher or effect can throw.
 *
 * @param answer the answer of a judge; without it every judge has failed
 */
export function evaluate(
  engine: Engine,
  event: Event,
  options: EvaluateOptions,
  answer: (question: JudgeQuestion) => JudgeAnswer = () => NOBODY_ASKED,
): Outcome {
  let outcome = startEvaluation(engine, event, options);
  while (isPending(outcome)) outcome = outcome.conclude(outcome.questions.map(answer));
  return outcome;
}

/** Judges one event by all policies, up to the point at which models have to be asked. Memory is written once. */
export function startEvaluation(
  engine: Engine,
  event: Event,
  options: EvaluateOptions,
): Outcome | PendingOutcome {
  const { memory, surroundings = nothingKnown, history, trace, clock } = options;
  const facts = createFacts(event, memory, surroundings, engine.program.programs, history);
  const read = readingsOf(facts);
  const candidates = trace === undefined ? candidatesIn(read, engine.index) : [];
  const mayPass = trace === undefined && clock !== undefined && candidates.length === 0;
  return mayPass && letsPass(engine) ? UNTOUCHED : evaluateRules(engine, event, read, options, candidates);
}

/** True if nothing is to be done about a call that no policy could match. */
function letsPass({ program, retrying, hasJudges }: Engine): boolean {
  return retrying.length === 0 && !hasJudges && program.unmatchedDeny.length === 0;
}

const UNTOUCHED: Outcome = { decision: noOpinion(), hits: [], skipped: [], times: [], trace: [] };

function evaluateRules(
  engine: Engine,
  event: Event,
  read: Readings,
  { memory, kept, nowMs = endOfTime, allowed = NONE, trace, clock }: EvaluateOptions,
  candidates: readonly LinkedRule[],
): Outcome | PendingOutcome {
  const [facts] = read;
  const traces: RuleTrace[] = [];
  const excepts = (linked: LinkedRule, of: Facts): boolean =>
    allowed.has(linked.rule.id) || linked.isExcepted(of, nowMs);
  const matching = { excepts, kept };
  const matched =
    trace === undefined
      ? matchAll(candidates, read, matching, clock)
      : matchTraced(engine.index.ofKind(event.kind), read, matching, trace.nowUs, traces);

  startRetriesAnew(engine.retrying, matched.hits, event, memory);
  const ports: CombinePorts = {
    judgeAgain: (rewritten) => {
      const again = factsOf(rewritten, facts);
      const readAgain = readingsOf(again);
      return {
        facts: again,
        hits: matchAll(candidatesIn(readAgain, engine.index), readAgain, { excepts, isRewritten: true }).hits,
      };
    },
    retryLeft: (rule, maxRetries) => countRetry(rule, maxRetries, event, memory),
  };
  if (engine.hasJudges) {
    const { decideWithJudges } =
      require('./decide-with-judges.ts') as typeof import('./decide-with-judges.ts');
    return decideWithJudges(engine.program, facts, { ...matched, trace: traces }, ports, (rule) =>
      resetRetries(rule, event, memory),
    );
  }
  const decision = decideOn(engine.program, facts, matched.hits, ports);
  return { ...matched, decision, trace: traces };
}

/** For the policies that no longer match; for all when a turn starts. */
function startRetriesAnew(
  retrying: readonly Rule[],
  hits: readonly Hit[],
  event: Event,
  memory: Memory,
): void {
  if (retrying.length === 0) return;
  const all = startsTurn(event, memory);
  const matching = new Set(hits.map(({ rule }) => rule));
  for (const rule of retrying) {
    if (!all && (!rule.on.includes(event.kind) || matching.has(rule))) continue;
    checkTime();
    resetRetries(rule, event, memory);
  }
}

interface Matched {
  readonly hits: Hit[];
  readonly skipped: string[];
  readonly times?: RuleTime[];
}

/** True if somebody exempted this call from a matching policy. */
type Excepts = (linked: LinkedRule, facts: Facts) => boolean;

interface Matching {
  readonly excepts: Excepts;
  readonly kept?: KeptResults | undefined;
  readonly isRewritten?: boolean;
}

/** Most policies are through in less time than it takes to look at a clock. */
const CANDIDATES_PER_LOOK = 16;
/** From here on, the time of a policy that does not match is worth reporting. */
const SLOW_US = 100;

function matchAll(
  candidates: readonly LinkedRule[],
  readings: Readings,
  matching: Matching,
  clock?: () => number,
): Matched {
  const times: RuleTime[] = [];
  const matched: Matched = { hits: [], skipped: [], ...(clock === undefined ? {} : { times }) };
  let count = 0;
  let sinceUs = clock?.() ?? 0;
  for (const linked of candidates) {
    if (++count % CANDIDATES_PER_LOOK === 0) checkTime();
    const truth = truthIn(readings, linked.rule, (facts) =>
      and(linked.fitsTool(facts), linked.fitsCall(facts)),
    );
    take(linked, truth, readings, matching, matched);
    if (clock === undefined) continue;
    const nowUs = clock();
    const durationUs = nowUs - sinceUs;
    if (truth !== false || durationUs >= SLOW_US) times.push({ rule: linked.rule, durationUs });
    sinceUs = nowUs;
  }
  return matched;
}

function matchTraced(
  rules: readonly LinkedRule[],
  readings: Readings,
  matching: Matching,
  nowUs: () => number,
  traces: RuleTrace[],
): Matched {
  const matched: Matched = { hits: [], skipped: [] };
  for (const linked of rules) {
    const start = nowUs();
    const [facts] = readings;
    const misses = new Map<Truth, Miss | undefined>();
    const truth = truthIn(readings, linked.rule, (each) => {
      const found = linked.explain(each);
      if (!misses.has(found.truth)) misses.set(found.truth, found.miss);
      return found.truth;
    });
    const miss = misses.get(truth);
    const durationUs = nowUs() - start;
    const canary = truth === false ? undefined : canarySide(linked.rule, facts);
    traces.push({ rule: linked.rule, truth, miss, canary, durationUs });
    take(linked, truth, readings, matching, matched);
  }
  return matched;
}

function take(
  linked: LinkedRule,
  truth: Truth,
  readings: Readings,
  { excepts, ...answers }: Matching,
  { hits, skipped }: Matched,
): void {
  const { rule } = linked;
  const [facts] = readings;
  if (truth === false) return;
  if (truth === 'unknown' && rule.whenUnknown === 'skip' && rule.broken === undefined) {
    skipped.push(rule.id);
    return;
  }
  if (rule.mode === 'monitor' || canarySide(rule, facts)?.isInForce === false)
    hits.push({ rule, how: 'monitored' });
  else if (rule.trust === 'untrusted') hits.push({ rule, how: 'inactive' });
  else if (rule.trust === 'active' && readings.every((each) => excepts(linked, each)))
    hits.push({ rule, how: 'excepted' });
  else hits.push(answered(rule, truth, facts, answers));
}

/** How a policy in force takes part; those that answer with results of earlier calls need one for this call. */
function answered(
  rule: Rule,
  truth: Truth,
  { event }: Facts,
  { kept, isRewritten = false }: Omit<Matching, 'excepts'>,
): Hit {
  const how = truth === 'unknown' ? 'unknown' : 'matched';
  if (rule.action !== 'respond' || refusesUnjudged(rule)) return { rule, how };
  const { keptAnswer } = require('./kept-answer.ts') as typeof import('./kept-answer.ts');
  const answer = keptAnswer(rule, event, kept, isRewritten);
  if (answer === undefined) return { rule, how };
  return answer === 'missed' ? { rule, how: 'missed' } : { rule: { ...rule, kept: answer }, how };
}

const NONE: ReadonlySet<string> = new Set();

function endOfTime(): number {
  return Number.POSITIVE_INFINITY;
}

function nothingKnown(): Surroundings {
  return NO_SURROUNDINGS;
}

let combine: typeof import('./combine.ts').combine | undefined;

/** Actions are loaded once a policy has matched; in most one-shot processes none does. */
function decideOn(program: Program, facts: Facts, hits: readonly Hit[], ports: CombinePorts): Decision {
  if (hits.length === 0 && program.unmatchedDeny.length === 0) return noOpinion();
  combine ??= (require('./combine.ts') as typeof import('./combine.ts')).combine;
  return combine(program, facts, hits, ports);
}

/** The rules that the event could match in any reading, in file order. */
function candidatesIn(readings: Readings, index: RuleIndex): readonly LinkedRule[] {
  const [asItCame, ...others] = readings;
  const found = index.candidates(asItCame);
  if (others.length === 0) return found;
  const all = new Set([...found, ...others.flatMap((facts) => index.candidates(facts))]);
  return [...all].sort((a, b) => a.rule.order - b.rule.order);
}

/** Tests an event: a refusal holds if it does in any reading, an approval only if it does in all. */
function truthIn(readings: Readings, rule: Rule, test: (facts: Facts) => Truth): Truth {
  const [asItCame, ...others] = readings;
  if (others.length === 0) return test(asItCame);
  if (rule.action === 'approve') return readings.map(test).reduce(and);
  if (!mayApprove(rule)) return anyTruth(readings, test);
  const truths = readings.map(test);
  return truths.every((truth) => truth === truths[0]) ? (truths[0] ?? false) : 'unknown';
}

/** True if the rule approves or refuses by a judge's verdict. */
function mayApprove({ judge }: Rule): boolean {
  return Object.values(judge?.verdicts ?? {}).some(({ action }) => action === 'approve');
}
