import type { Answer } from '../../language/calls/answer-call.ts';
import { deepEqual } from '../../lib/deep-equal.ts';
import type { Json } from '../../lib/json.ts';
import type { Action } from '../../model/action.ts';
import type { Decision } from '../../model/decision.ts';

/** A decision, as far as two decisions can differ. */
export interface ComparedVerdict {
  readonly action: Action;
  readonly policy: string | undefined;
  /** The value that passes instead, or the text that is said: null if it is unknown. */
  readonly effect: Json;
}

/** How a verdict differs from another. */
export type Change = 'loosened' | 'changed' | 'tightened';

export function verdictOf({ decision }: Answer): ComparedVerdict {
  return { action: decision.action, policy: decision.policyId, effect: effectOf(decision) };
}

function effectOf(decision: Decision): Json {
  const { reason, feedback, subject, result, call, messages, contexts, suppressOutput } = decision;
  const effect = {
    reason: reason ?? null,
    feedback: feedback ?? null,
    subject: decision.action === 'modify' ? (subject ?? null) : null,
    result: result ?? null,
    call: call ?? null,
    messages,
    contexts,
    suppressOutput,
  };
  // The parts are JSON, but their types do not say so.
  return JSON.parse(JSON.stringify(effect));
}

/** From the action that holds an agent back most to the one that lets it go on unasked: an approval spares it the host's own checks. */
const BY_FREEDOM: readonly Action[] = [
  'hard_abort',
  'abort_turn',
  'deny',
  'ask',
  'retry_feedback',
  'respond',
  'modify',
  'continue',
  'approve',
];

/** The change from one verdict to another; undefined if they are the same. */
export function changeBetween(before: ComparedVerdict, after: ComparedVerdict): Change | undefined {
  const freedom = BY_FREEDOM.indexOf(after.action) - BY_FREEDOM.indexOf(before.action);
  if (freedom !== 0) return freedom > 0 ? 'loosened' : 'tightened';
  const isKnown = before.effect !== null && after.effect !== null;
  const same = before.policy === after.policy && (!isKnown || deepEqual(before.effect, after.effect));
  return same ? undefined : 'changed';
}

/** The parts that differ between two verdicts with one action: `policy`, `reason`, `rewrite`. */
export function changedParts(before: ComparedVerdict, after: ComparedVerdict): readonly string[] {
  const parts = before.policy === after.policy ? [] : ['policy'];
  const [from, to] = [before.effect, after.effect];
  if (!isEffect(from) || !isEffect(to)) return parts;
  const changed = Object.keys(from).filter((key) => !deepEqual(from[key] ?? null, to[key] ?? null));
  // The reason names the policy, so with another one it always differs.
  const listed = changed.filter((key) => key !== 'reason' || parts.length === 0);
  return [...parts, ...listed.map((key) => NAMES[key] ?? key)];
}

const NAMES: Readonly<Record<string, string>> = {
  subject: 'rewrite',
  messages: 'message',
  contexts: 'add_context',
  suppressOutput: 'suppress_output',
};

function isEffect(effect: Json): effect is { readonly [key: string]: Json } {
  return typeof effect === 'object' && effect !== null && !Array.isArray(effect);
}
