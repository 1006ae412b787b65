import { deepEqual } from '../../lib/deep-equal.ts';
import { losesDigits, TOO_MANY_DIGITS } from '../../lib/exact-numbers.ts';
import { isJsonObject, type Json, type JsonObject, own, ownObject, ownString } from '../../lib/json.ts';
import type { Event, Subject } from '../../model/event.ts';
import { TEXT_EVENTS, type TextField } from './events.ts';

/** The fields that a changed subject becomes; undefined if the host would not carry the change out. */
export function rewriteOf(event: Event, after: Subject): JsonObject | undefined {
  const before = event.subject;
  switch (event.kind) {
    case 'before_tool':
      return rewriteCall(event, after);
    case 'before_llm':
      return rewriteRequest(before, after);
    case 'after_compact':
      return rewriteMessages(before, after, false);
    case 'after_tool':
    case 'tool_failure':
    case 'before_prompt':
    case 'after_llm':
      return rewriteText(before, after, TEXT_EVENTS[event.kind]);
    default:
      return deepEqual(before, after) ? {} : undefined;
  }
}

/** The host wants the arguments as it sent them: a text with JSON in it. */
function rewriteCall({ subject: before, raw }: Event, after: Subject): JsonObject | undefined {
  const args = ownObject(after, 'arguments');
  if (args === undefined || own(after, 'tool') !== own(before, 'tool')) return undefined;
  if (deepEqual(args, own(before, 'arguments') ?? null)) return {};
  if (losesDigits(ownString(raw, 'tool_arguments') ?? '')) throw new Error(TOO_MANY_DIGITS);
  return { tool_arguments: JSON.stringify(args) };
}

function rewriteText(before: Subject, after: Subject, [field, key]: TextField): JsonObject | undefined {
  const text = ownString(after, key);
  if (text === undefined) return undefined;
  return text === own(before, key) ? {} : { [field]: text };
}

function rewriteRequest(before: Subject, after: Subject): JsonObject | undefined {
  if (own(after, 'model') !== own(before, 'model') || Object.hasOwn(after, 'options')) return undefined;
  const prompt = own(after, 'system_prompt');
  if (prompt !== undefined && typeof prompt !== 'string') return undefined;
  const messages = rewriteMessages(before, after, true);
  if (messages === undefined) return undefined;
  return prompt === undefined || prompt === own(before, 'system_prompt')
    ? messages
    : { system_prompt: prompt, ...messages };
}

/** Messages at the end go on their own, so that the host keeps what hooks do not see, such as images. */
function rewriteMessages(before: Subject, after: Subject, appends: boolean): JsonObject | undefined {
  const was = own(before, 'messages') ?? [];
  const messages = own(after, 'messages') ?? [];
  if (!Array.isArray(was) || !Array.isArray(messages)) return undefined;
  if (deepEqual(was, messages)) return {};
  if (!messages.every(isMessage)) return undefined;
  return appends && deepEqual(was, messages.slice(0, was.length))
    ? { inject_messages: messages.slice(was.length) }
    : { messages };
}

const SPEAKERS: readonly (Json | undefined)[] = ['user', 'assistant', 'tool', 'system'];

/** One wrong field makes the host throw the whole answer away, and go on as if there were none. */
function isMessage(message: Json): boolean {
  return (
    isJsonObject(message) &&
    SPEAKERS.includes(own(message, 'role')) &&
    ownString(message, 'content') !== undefined
  );
}
