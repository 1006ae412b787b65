import { limitWork, MAX_WORK_MS } from '../../hook/work-limit.ts';
import type { Answer } from '../../language/calls/answer-call.ts';
import type { Engine } from '../../language/engine/engine.ts';
import { isJsonObject, ownString } from '../../lib/json.ts';
import { withTimeLimit } from '../../lib/time-limit.ts';
import { prevents } from '../../model/action.ts';
import type { Hit } from '../../model/outcome.ts';
import type { Refusal } from './refusals.ts';
import type { KnownCall, Sample } from './sample.ts';
import { type ComparedVerdict, verdictOf } from './verdict.ts';

/** Stands for a policy where none decided. */
const FAILURE = 'a failure';

export interface CallDecision {
  readonly verdict: ComparedVerdict;
  /** Undefined if a failure took the decision: the hook would have refused, too. */
  readonly answer: Answer | undefined;
}

/** Decides a call in the time that the hook has; undefined if a host would not have asked about it. */
export function decideSample(sample: Sample, engine: Engine): CallDecision | undefined {
  try {
    const limit = limitWork(MAX_WORK_MS, (startMs) => startMs + MAX_WORK_MS);
    const answer = withTimeLimit(limit, () => sample.judge(engine));
    return answer && { verdict: verdictOf(answer), answer };
  } catch {
    return { verdict: { action: 'deny', policy: undefined, effect: null }, answer: undefined };
  }
}

/** The logged decision: texts in the log are redacted and cut, so only the action and the policy can be compared. */
export function loggedVerdict({ record }: KnownCall): ComparedVerdict | undefined {
  if (record === undefined || record.failed !== undefined) return undefined;
  return { action: record.action, policy: record.policy, effect: null };
}

/** The policy that keeps a call from being made, if one does. */
export function refusalIn({ action, policy = FAILURE, effect }: ComparedVerdict): readonly Refusal[] {
  const reason = isJsonObject(effect) ? ownString(effect, 'reason') : undefined;
  return prevents(action) ? [{ policy, action, ...(reason === undefined ? {} : { reason }) }] : [];
}

/** The refusals of a call if all that is only monitored now were in force. */
export function refusalsIfEnforced({ verdict, answer }: CallDecision): readonly Refusal[] {
  const refusals = answer?.outcome?.hits.flatMap(refusalBy) ?? [];
  return refusals.length > 0 ? refusals : refusalIn(verdict);
}

/** The same for the policies in force when the decision was logged. */
export function loggedMonitors({ record }: KnownCall): readonly Refusal[] {
  return (record?.policies ?? []).flatMap(({ id, how, action }) =>
    how === 'monitored' && action !== undefined && prevents(action) ? [{ policy: id, action }] : [],
  );
}

/** True if a judge would have been asked, whose answer is unknown. */
export function isLeftOpen({ answer }: CallDecision): boolean {
  return answer?.outcome?.hits.some(({ how }) => how === 'unasked') ?? false;
}

function refusalBy({ rule, how }: Hit): readonly Refusal[] {
  const counts = how === 'matched' || how === 'unknown' || how === 'monitored';
  // Nobody knows the answer of a judge that was not asked.
  const isOpen = rule.judge !== undefined && rule.judged === undefined;
  return counts && !isOpen && prevents(rule.action) ? [{ policy: rule.id, action: rule.action }] : [];
}
