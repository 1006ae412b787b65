import { deepEqual } from '../../lib/deep-equal.ts';
import { type JsonObject, own, ownString } from '../../lib/json.ts';
import type { Decision } from '../../model/decision.ts';
import type { Event } from '../../model/event.ts';
import type { HostSetting, Reply } from '../host.ts';
import { EVENTS, isNativeEvent, type JcliKind } from './events.ts';
import { type Generation, generationOf, refusesByAbort } from './generation.ts';
import { refusalOf, reply } from './refuse.ts';
import { rewriteOf } from './rewrite.ts';

/** As much as a pipe holds. Generation A reads the answer when the hook has ended, which waits until it is read. */
const MAX_BYTES_OF_A = 65_536;

/**
 * Puts a decision into the words of jcli. A decision that the event cannot carry out becomes its refusal.
 *
 * @throws Error if the answer is longer than the generation can read
 */
export function encode(event: Event, decision: Decision, setting: HostSetting): Reply {
  const generation = generationOf(setting, event.raw);
  const whole = reply(answer(event, decision, generation));
  if (generation !== 'A' || Buffer.byteLength(whole.stdout) <= MAX_BYTES_OF_A) return whole;
  if (decision.onUnsupported === 'continue') return reply({});
  throw new Error(`the answer is longer than ${MAX_BYTES_OF_A} bytes, which this jcli cannot read`);
}

function answer(event: Event, decision: Decision, generation: Generation): JsonObject {
  switch (decision.action) {
    case 'continue':
    case 'approve':
      return extraFields(event, decision);
    case 'deny':
    case 'ask':
      return refused(event, decision, decision.reason, generation);
    case 'abort_turn':
    case 'hard_abort':
      return event.kind === 'after_turn'
        ? { action: 'stop' }
        : refused(event, decision, decision.reason, generation);
    case 'retry_feedback':
      return retry(event, decision, generation);
    case 'respond':
      return refused(event, decision, decision.result?.for_llm ?? decision.reason, generation);
    case 'modify':
      return modify(event, decision, generation);
    default:
      return decision.action satisfies never;
  }
}

function refused(
  event: Event,
  decision: Decision,
  reason: string | undefined,
  generation: Generation,
): JsonObject {
  if (event.kind === 'before_compact') return { action: 'stop' };
  const text = reason === undefined || reason === '' ? 'Refused by policy' : reason;
  const refusal = refusalOf(kindOf(event), text, generation);
  return Object.hasOwn(refusal, 'system_message') && decision.messages.length > 0
    ? { ...refusal, system_message: [text, ...decision.messages].join('\n') }
    : refusal;
}

function retry(event: Event, decision: Decision, generation: Generation): JsonObject {
  const feedback = decision.feedback ?? decision.reason;
  if (feedback === undefined || feedback === '' || refusesByAbort(generation)) {
    return refused(event, decision, feedback, generation);
  }
  switch (event.kind) {
    case 'after_turn':
      return { retry_feedback: feedback };
    case 'after_llm':
      return { ...extraFields(event, decision), action: 'stop', retry_feedback: feedback };
    default:
      return refused(event, decision, feedback, generation);
  }
}

function modify(event: Event, decision: Decision, generation: Generation): JsonObject {
  const fields = rewriteOf(event, decision.subject ?? event.subject);
  if (fields !== undefined) return extraFields(event, decision, fields);
  return decision.onUnsupported === 'continue'
    ? extraFields(event, decision)
    : refused(event, decision, 'Cannot rewrite on jcli: the agent does not accept the result', generation);
}

/** The fields beside the action, where the host reads them: elsewhere it drops them without a word. */
function extraFields(event: Event, decision: Decision, fields: JsonObject = {}): JsonObject {
  const context = decision.contexts.join('\n');
  if (event.kind === 'before_llm' && context !== '') return withContext(event, context, fields);
  if (event.native === 'pre_auto_compact' && context !== '')
    return { ...fields, additional_context: context };
  if (event.kind === 'after_llm' && decision.messages.length > 0) {
    return { ...fields, system_message: decision.messages.join('\n') };
  }
  return fields;
}

/** The host drops `additional_context` here, so the context goes where its documents say it would. */
function withContext(event: Event, context: string, fields: JsonObject): JsonObject {
  const prompt = ownString(fields, 'system_prompt') ?? ownString(event.subject, 'system_prompt');
  if (prompt !== undefined) {
    return { ...fields, system_prompt: prompt === '' ? context : `${prompt}\n\n${context}` };
  }
  const message = { role: 'user', content: context };
  const injected = own(fields, 'inject_messages');
  const before = Array.isArray(injected) ? injected : [];
  // The host keeps the messages that an earlier request of the turn got.
  const kept = own(event.subject, 'messages');
  if (Array.isArray(kept) && kept.some((each) => deepEqual(each, message))) return fields;
  return { ...fields, inject_messages: [...before, message] };
}

function kindOf(event: Event): JcliKind {
  return isNativeEvent(event.native) ? EVENTS[event.native] : 'before_tool';
}
