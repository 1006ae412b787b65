import { deepEqual } from '../../lib/deep-equal.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  own,
  ownItems,
  ownObject,
  ownString,
} from '../../lib/json.ts';
import type { Event, Subject } from '../../model/event.ts';

/** The form of a changed subject in `hookSpecificOutput`. */
export type Rewrite =
  | { readonly type: 'none' }
  | { readonly type: 'output'; readonly output: JsonObject }
  | { readonly type: 'impossible'; readonly why: string };

/** The host's form of a changed subject. */
export function rewriteOf(event: Event, subject: Subject): Rewrite {
  switch (event.kind) {
    case 'before_tool':
      return rewriteCall(event.subject, subject);
    case 'before_llm':
      return rewriteRequest(event.subject, subject);
    case 'after_llm':
      return rewriteResponse(event.subject, subject);
    case 'tool_choice':
      return rewriteChoice(subject);
    default:
      return deepEqual(event.subject, subject) ? { type: 'none' } : impossible('this event has no rewrite');
  }
}

/** An answer in the model's place. The host wants it whole. */
export function syntheticAnswer(text: string): JsonObject {
  return {
    text,
    candidates: [{ content: { role: 'model', parts: [text] }, finishReason: 'STOP', index: 0 }],
  };
}

function impossible(why: string): Rewrite {
  return { type: 'impossible', why };
}

/** The host replaces the whole object, so it gets the whole object. */
function rewriteCall(before: Subject, after: Subject): Rewrite {
  if (own(after, 'tool') !== own(before, 'tool')) return impossible('a tool cannot be renamed');
  const args = ownObject(after, 'arguments');
  if (args === undefined) return impossible('the arguments are not an object');
  return deepEqual(args, own(before, 'arguments') ?? null)
    ? { type: 'none' }
    : { type: 'output', output: { tool_input: args } };
}

/** The four settings that the host takes over; it drops others without a word. */
const OPTIONS: readonly string[] = ['temperature', 'maxOutputTokens', 'topP', 'topK'];

/** Only the changes: returned messages lose the difference between thoughts and text. */
function rewriteRequest(before: Subject, after: Subject): Rewrite {
  const output: Record<string, Json> = {};
  const model = ownString(after, 'model');
  if (model !== undefined && model !== own(before, 'model')) output['model'] = model;
  const options = ownObject(after, 'options') ?? {};
  if (!deepEqual(options, own(before, 'options') ?? {})) {
    const odd = Object.keys(options).find((key) => !OPTIONS.includes(key));
    if (odd !== undefined) return impossible(`option "${odd}" is not one of ${OPTIONS.join(', ')}`);
    output['config'] = options;
  }
  const was = ownItems(before, 'messages').map(nativeMessage);
  const messages = ownItems(after, 'messages').map(nativeMessage);
  if (!deepEqual(messages, was)) {
    if (!alignsWith(messages, was))
      return impossible('messages can only be changed in place or added at the end');
    output['messages'] = messages;
  }
  return Object.keys(output).length === 0
    ? { type: 'none' }
    : { type: 'output', output: { llm_request: output } };
}

/** The host puts the n-th text into its n-th message, so a list with one missing or moved would mix them up. */
function alignsWith(messages: readonly Json[], was: readonly Json[]): boolean {
  return was.every((message, i) => roleOf(messages[i]) === roleOf(message));
}

function roleOf(message: Json | undefined): string | undefined {
  return isJsonObject(message) ? ownString(message, 'role') : undefined;
}

function nativeMessage(message: Json): Json {
  return isJsonObject(message) && own(message, 'role') === 'assistant'
    ? { ...message, role: 'model' }
    : message;
}

/** The host reads the candidates; `text` repeats them. A replacement without a first part is ignored. */
function rewriteResponse(before: Subject, after: Subject): Rewrite {
  const response = ownObject(after, 'response');
  if (response === undefined) return impossible('the answer is not an object');
  if (deepEqual(response, own(before, 'response') ?? null)) return { type: 'none' };
  const parts = ownItems(response, 'candidates').map(partsOf);
  if ((parts[0] ?? []).length === 0) return impossible('the answer has no text to replace');
  const text = Object.hasOwn(response, 'text') ? { text: (parts[0] ?? []).join('') } : {};
  return { type: 'output', output: { llm_response: { ...response, ...text } } };
}

function partsOf(candidate: Json): readonly Json[] {
  const content = isJsonObject(candidate) ? ownObject(candidate, 'content') : undefined;
  return content === undefined ? [] : ownItems(content, 'parts');
}

/** A list of names needs mode ANY. An empty list would allow every tool, so it becomes NONE. */
function rewriteChoice(after: Subject): Rewrite {
  const mode = ownString(after, 'mode');
  const names = own(after, 'allow_tools');
  if (mode === undefined && names === undefined) return { type: 'none' };
  if (!Array.isArray(names)) return choice({ mode: mode ?? 'AUTO' });
  if (mode === 'NONE' || names.length === 0) return choice({ mode: 'NONE' });
  return choice({ mode: 'ANY', allowedFunctionNames: names });
}

function choice(toolConfig: JsonObject): Rewrite {
  return { type: 'output', output: { toolConfig } };
}
