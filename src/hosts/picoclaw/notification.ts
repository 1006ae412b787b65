import { asObject, type Json, type JsonObject, own, ownObject, ownString } from '../../lib/json.ts';
import type { EventKind, EventText } from '../../model/event.ts';
import { wordsIn } from '../words-in.ts';

/** Up to 0.2.8 the kind of a notification is an index into this list. */
const KINDS_BY_INDEX = wordsIn(`
  turn_start turn_end llm_request llm_delta llm_response llm_retry context_compress session_summarize
  tool_exec_start tool_exec_end tool_exec_skipped steering_injected follow_up_queued
  interrupt_received subturn_spawn subturn_end subturn_result_delivered subturn_orphan error`);

/** The notifications that are more than a notification to a policy, by their names before and since 0.2.9. */
export const NOTIFICATION_KINDS: Readonly<Record<string, EventKind>> = {
  turn_start: 'prompt_sent',
  'agent.turn.start': 'prompt_sent',
  turn_end: 'after_turn',
  'agent.turn.end': 'after_turn',
  context_compress: 'after_compact',
  'agent.context.compress': 'after_compact',
};

const NOTIFYING: ReadonlySet<string> = new Set(['hook.event', 'hook.runtime_event']);

/** True for the methods that tell and do not ask. */
export function isNotification(method: string): boolean {
  return NOTIFYING.has(method);
}

/** A notification's name: `turn_end`, `agent.turn.end`; the method's own if it does not say. */
export function notificationName(method: string, params: JsonObject): string {
  const kind: Json | undefined = own(params, 'kind') ?? own(params, 'Kind');
  const name = typeof kind === 'number' ? KINDS_BY_INDEX[kind] : kind;
  return typeof name === 'string' && name !== '' ? name : method;
}

export function notificationKind(name: string): EventKind {
  const kind = Object.hasOwn(NOTIFICATION_KINDS, name) ? NOTIFICATION_KINDS[name] : undefined;
  return kind ?? 'notification';
}

/** The prompt of a turn that starts. */
export function promptOf(params: JsonObject): string | undefined {
  return ownString(payloadOf(params), 'UserMessage');
}

/** The model of a request that a notification is about. */
export function notifiedModel(params: JsonObject): string | undefined {
  return ownString(payloadOf(params), 'Model') || undefined;
}

/** The texts of a notification: the user's at the start of a turn, the agent's at its end. */
export function notificationTexts(kind: EventKind, params: JsonObject): readonly EventText[] {
  const prompt = kind === 'prompt_sent' ? promptOf(params) : undefined;
  if (prompt !== undefined) return [{ role: 'user', text: prompt, path: ['prompt'] }];
  const answer = kind === 'after_turn' ? ownString(payloadOf(params), 'FinalContent') : undefined;
  // A rewrite may not change the answer, so it is nowhere in the subject.
  return answer === undefined ? [] : [{ role: 'assistant', text: answer, path: [] }];
}

function payloadOf(params: JsonObject): JsonObject {
  const payload = ownObject(params, 'payload') ?? ownObject(params, 'Payload');
  return asObject(payload);
}
