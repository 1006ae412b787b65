import { isJsonObject, type Json, ownString } from '../../lib/json.ts';
import { prevents } from '../../model/action.ts';
import { type Decision, decide } from '../../model/decision.ts';
import type { Event } from '../../model/event.ts';
import type { Memory } from '../../model/memory.ts';

/**
 * Keeps reasons for skipped calls, as jcli has no place for them, and adds the first one of the tool and session to its next
 * failure or result, which has no id and no arguments.
 */
interface Pending {
  readonly tool: string;
  readonly reason: string;
  readonly policyId: string | undefined;
}

/** Most reasons kept for a session; the oldest go first. A model calls far fewer tools in one round. */
const MAX_PENDING = 64;
/** Most characters kept of a reason. */
const MAX_REASON = 8192;

/** Keeps the reason of a refused call; forgets one that was never fetched when the conversation moves on. */
export function rememberReason(event: Event, decision: Decision, memory: Memory): void {
  if (event.session === undefined) return;
  switch (event.kind) {
    case 'before_tool':
      if (prevents(decision.action)) addReason(event, decision, event.session, memory);
      return;
    // An interrupted round leaves reasons behind that would be given for calls of the next.
    case 'before_prompt':
    case 'session_start':
    case 'session_end':
      memory.set('pending', keyOf(event.session), undefined);
      return;
    default:
      return;
  }
}

/** The refusal of the call that this event tells the end of, if the call was skipped and its reason is still kept. */
export function recallReason(event: Event, memory: Memory): Decision | undefined {
  if (event.kind !== 'tool_failure' && event.kind !== 'after_tool') return undefined;
  const tool = event.tool?.name;
  if (event.session === undefined || tool === undefined) return undefined;
  const said = ownString(event.subject, 'result') ?? '';
  if (!isSkipNotice(said, event.kind)) return undefined;
  // Nearly always there is none, and to look costs less than to change.
  if (memory.get('pending', keyOf(event.session)) === undefined) return undefined;
  let found: Pending | undefined;
  memory.update('pending', keyOf(event.session), (stored) => {
    const pending = pendingIn(stored);
    found = pending.find((entry) => entry.tool === tool);
    return found === undefined ? stored : storable(pending.filter((entry) => entry !== found));
  });
  return found === undefined
    ? undefined
    : decide({ action: 'deny', reason: found.reason, policyId: found.policyId });
}

/** As long as the host's own words are; a result that merely mentions a hook is longer or says something else. */
const MAX_NOTICE = 60;
const NAMES_A_CALL = /工具|调用|tool|call/i;
const NAMES_A_HOOK = /hook|钩子/i;
const SAYS_SKIPPED = /跳过|拦截|skip/i;

/**
 * True for jcli's text about a call that a hook skipped, by marks, as its words differ between versions. A result needs all
 * marks, because it may be that of a call that ran.
 */
function isSkipNotice(text: string, kind: Event['kind']): boolean {
  if (text.length > MAX_NOTICE || /[\n:：]/.test(text)) return false;
  if (!NAMES_A_HOOK.test(text) || !SAYS_SKIPPED.test(text)) return false;
  return kind === 'tool_failure' || NAMES_A_CALL.test(text);
}

function addReason(event: Event, decision: Decision, session: string, memory: Memory): void {
  const tool = event.tool?.name;
  const reason = decision.reason ?? decision.feedback;
  if (tool === undefined || reason === undefined || reason === '') return;
  const entry = { tool, reason: reason.slice(0, MAX_REASON), policyId: decision.policyId };
  memory.update('pending', keyOf(session), (stored) =>
    storable([...pendingIn(stored), entry].slice(-MAX_PENDING)),
  );
}

function keyOf(session: string): string {
  return `jcli ${session}`;
}

function pendingIn(stored: Json | undefined): readonly Pending[] {
  return Array.isArray(stored) ? stored.flatMap(pendingOf) : [];
}

function pendingOf(value: Json): Pending[] {
  if (!isJsonObject(value)) return [];
  const tool = ownString(value, 'tool');
  const reason = ownString(value, 'reason');
  return tool === undefined || reason === undefined
    ? []
    : [{ tool, reason, policyId: ownString(value, 'policyId') }];
}

function storable(pending: readonly Pending[]): Json | undefined {
  if (pending.length === 0) return undefined;
  return pending.map(({ tool, reason, policyId }) => ({
    tool,
    reason,
    ...(policyId === undefined ? {} : { policyId }),
  }));
}
