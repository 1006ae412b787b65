import { startEvaluation } from '../language/engine/evaluate.ts';
import { rememberModel } from '../language/engine/facts.ts';
import { isFeedback } from '../language/engine/retries.ts';
import { losesDigits } from '../lib/exact-numbers.ts';
import { OutOfTime, withTimeLimit } from '../lib/time-limit.ts';
import { prevents } from '../model/action.ts';
import type { Decision } from '../model/decision.ts';
import type { Event } from '../model/event.ts';
import { isPending, type Outcome, type PendingOutcome } from '../model/outcome.ts';
import type { Program } from '../model/policy.ts';
import type { Surroundings } from '../model/surroundings.ts';
import { causeOf, withoutFail } from './failure.ts';
import type { PolicySet } from './policy-set.ts';
import type { Remembering } from './remembering.ts';
import type { Arrived, ResponderOptions } from './responder-options.ts';
import {
  bareOutcome,
  failure,
  type Judged,
  type Pending,
  type Reevaluation,
  type Verdict,
} from './verdict.ts';

const NONE_ALLOWED: ReadonlySet<string> = new Set();

/** Judges an event by the policies, up to the models that have to be asked. Never throws. */
export function evaluateEvent(options: ResponderOptions, arrived: Arrived): Judged {
  const { event } = arrived;
  let program: Program | undefined;
  try {
    const standing = recalled(options, event);
    // Policies were asked when it was given; only approval may have policies of its own.
    if (standing !== undefined && event.kind !== 'approve_tool') return earlierVerdict(standing, undefined);
    const set = options.policies(event);
    if (!set.ok) return failure(set.cause, event);
    program = set.engine.program;
    if (standing !== undefined && !set.engine.hasApprovalRules)
      return earlierVerdict(standing, program.digest);
    return evaluateBy(set, options, arrived);
  } catch (error) {
    const digest = program?.digest;
    return { ...afterError(error, event, program?.onErrorContinue === true), digest };
  }
}

function recalled({ host, memory, setting }: ResponderOptions, event: Event): Decision | undefined {
  return withoutFail(() => host.recall?.(event, memory, setting));
}

/** Apart from the rest, because most of what it makes is for calls that no earlier verdict counts for. */
function evaluateBy(
  { engine, broken, files }: Extract<PolicySet, { readonly ok: true }>,
  options: ResponderOptions,
  { event, text, arrivedMs }: Arrived,
): Judged {
  const { memory } = options;
  const { onErrorContinue, digest } = engine.program;
  let remembering: Remembering | undefined;
  try {
    if (event.model !== undefined && engine.needsModel()) withoutFail(() => rememberModel(event, memory));
    let around: { readonly judged: Event; readonly surroundings: Surroundings } | undefined;
    const surroundings = (judged: Event): Surroundings => {
      if (around?.judged !== judged) around = { judged, surroundings: options.surroundings(judged, files) };
      return around.surroundings;
    };
    remembering = rememberingOf(options, event, engine.program, surroundings);
    remembering?.begin(event.startsTurn === true && withoutFail(() => isFeedback(event, memory)) !== true);
    const kept = options.results?.(engine.program);
    // Calls that differ only in their numbers differ as well.
    const results = kept === undefined || losesDigits(text) ? undefined : kept;
    const past: Reevaluation['past'] = (allowed) =>
      withTimeLimit(options.limit(arrivedMs), () => {
        const { nowMs, nowUs: clock } = options;
        const history = remembering?.history();
        const parts = {
          memory,
          surroundings,
          history,
          kept: allowed.size === 0 ? results : undefined,
          nowMs,
          allowed,
          clock,
        };
        const outcome = startEvaluation(engine, event, parts);
        if (!isPending(outcome))
          return { outcome, digest, failed: leftOut(outcome, broken), again, remembering };
        const deferredVerdict = deferred(options, event, outcome, digest);
        return deferredVerdict === undefined
          ? { pending: outcome, digest, broken, onErrorContinue, again, remembering }
          : { ...deferredVerdict, remembering };
      });
    const again: Reevaluation = { program: engine.program, past, results };
    return past(NONE_ALLOWED);
  } catch (error) {
    return { ...afterError(error, event, onErrorContinue), digest, remembering };
  }
}

let createRemembering: typeof import('./remembering.ts').createRemembering | undefined;

/** Loaded for sets whose policies ask for earlier calls. */
function rememberingOf(
  { host, history: open, nowMs }: ResponderOptions,
  event: Event,
  program: Program,
  surroundings: (event: Event) => Surroundings,
): Remembering | undefined {
  const { facts } = program;
  if (facts === undefined || open === undefined) return undefined;
  createRemembering ??= (require('./remembering.ts') as typeof import('./remembering.ts')).createRemembering;
  return createRemembering({ host, event, program, facts, surroundings, open, nowMs });
}

/** A verdict of an earlier event that also counts for this one. */
function earlierVerdict(standing: Decision, digest: string | undefined): Verdict {
  return { outcome: bareOutcome(standing), digest, failed: undefined };
}

/** Leaves judges for when the host asks for approval, if the call passes without them. */
function deferred(
  options: ResponderOptions,
  event: Event,
  pending: PendingOutcome,
  digest: string,
): Verdict | undefined {
  if (event.kind !== 'before_tool' || options.approvalFollows?.() !== true) return undefined;
  let outcome: Outcome | PendingOutcome = pending;
  while (isPending(outcome)) {
    if (!outcome.questions.every(({ canWait }) => canWait)) return undefined;
    outcome = outcome.conclude(outcome.questions.map(() => ({ type: 'unasked' })));
  }
  return prevents(outcome.decision.action)
    ? undefined
    : { outcome, digest, failed: undefined, deferred: true };
}

async function askModels(
  options: ResponderOptions,
  arrived: Arrived,
  { pending, digest, broken, onErrorContinue, again, remembering }: Pending,
): Promise<Verdict> {
  try {
    let outcome: Outcome | PendingOutcome = pending;
    while (isPending(outcome)) {
      const asked: PendingOutcome = outcome;
      const answers = (await options.ask?.(asked.questions, arrived)) ?? [];
      outcome = withTimeLimit(options.limit(), () => asked.conclude(answers));
    }
    return { outcome, digest, failed: failedJudge(outcome) ?? leftOut(outcome, broken), again, remembering };
  } catch (error) {
    return { ...afterError(error, arrived.event, onErrorContinue), digest, remembering };
  }
}

/** How long judging takes is up to the call: nobody may get past the policies by asking for much. */
function afterError(error: unknown, event: Event, onErrorContinue: boolean): Verdict {
  return failure(causeOf(error), event, onErrorContinue && !(error instanceof OutOfTime));
}

/** Why the judge of the policy that decided has no verdict, if so. */
function failedJudge({ decision, judged }: Outcome): string | undefined {
  const note = judged?.find(({ ruleId }) => ruleId === decision.policyId);
  return note?.answer.type === 'failed' ? `its judge gave no verdict: ${note.answer.cause}` : undefined;
}

/** The policies that could not be judged, if no valid policy has decided. */
function leftOut({ decision }: Outcome, broken: string | undefined): string | undefined {
  return decision.policyId === undefined ? broken : undefined;
}

/** Asks the models that a verdict needs, and goes on with it. */
export function settle(
  options: ResponderOptions,
  arrived: Arrived,
  judged: Judged,
  next: (verdict: Verdict) => Verdict | Promise<Verdict>,
): Verdict | Promise<Verdict> {
  return 'pending' in judged ? askModels(options, arrived, judged).then(next) : next(judged);
}
