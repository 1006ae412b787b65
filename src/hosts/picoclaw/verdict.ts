import { deepEqual } from '../../lib/deep-equal.ts';
import { isJsonObject, type Json, own, ownString } from '../../lib/json.ts';
import { prevents } from '../../model/action.ts';
import { type Decision, decide } from '../../model/decision.ts';
import type { Event } from '../../model/event.ts';
import type { Memory } from '../../model/memory.ts';

/** Keeps the verdict of `before_tool` for the `approve_tool` of the same call; one per turn, as calls come one at a time. */
export function recallVerdict(event: Event, memory: Memory): Decision | undefined {
  const key = event.kind === 'approve_tool' ? keyOf(event) : undefined;
  if (key === undefined) return undefined;
  const passed = memory.get('verdict', key);
  if (!isJsonObject(passed) || !isSameCall(passed, event)) return undefined;
  const policyId = ownString(passed, 'policyId');
  return policyId === undefined ? APPROVED : decide({ action: 'approve', policyId });
}

/** That of calls that no policy has decided, as nearly all. */
const APPROVED = decide({ action: 'approve' });

/** Keeps a call that passed `before_tool`, and forgets it once it has been approved or refused, or the turn is over. */
export function rememberVerdict(event: Event, decision: Decision, memory: Memory): void {
  const key = keyOf(event);
  if (key === undefined) return;
  if (event.kind === 'before_tool') memory.set('verdict', key, passedCall(event, decision));
  else if (event.kind === 'approve_tool' || event.kind === 'after_turn')
    memory.set('verdict', key, undefined);
}

function passedCall(event: Event, { action, subject, policyId }: Decision): Json | undefined {
  if (prevents(action)) return undefined;
  const call = (action === 'modify' ? subject : undefined) ?? event.subject;
  return { tool: call['tool'] ?? '', arguments: call['arguments'] ?? {}, policyId: policyId ?? null };
}

function isSameCall(passed: { readonly [key: string]: Json }, { subject }: Event): boolean {
  return (
    own(passed, 'tool') === own(subject, 'tool') &&
    deepEqual(own(passed, 'arguments') ?? {}, own(subject, 'arguments') ?? {})
  );
}

function keyOf({ session, turn }: Event): string | undefined {
  if (turn === undefined) return undefined;
  if (last?.turn !== turn || last.session !== session)
    last = { session, turn, key: `${session ?? ''}\0${turn}` };
  return last.key;
}

/** The key of the last turn: the calls of one come in a row. */
let last: { readonly session: string | undefined; readonly turn: string; readonly key: string } | undefined;
