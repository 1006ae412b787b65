import { isJsonObject, type Json, type JsonObject, own, ownString } from '../../lib/json.ts';
import { type Decision, reasonInPlace } from '../../model/decision.ts';
import type { Event, EventText, Subject } from '../../model/event.ts';
import { type FieldTypes, wrongField } from './field-types.ts';
import type { Generation } from './generation.ts';
import { COMMON_FIELDS, type Method, noTool } from './method.ts';
import { keepSystemMessages, keepTools } from './prompt-guard.ts';
import { CONTINUE, ending, resultWithinLine } from './wire.ts';

const REQUEST_FIELDS = { model: 'string', messages: 'list', tools: 'list', options: 'object' } as const;

/** A request to the model is about to be sent. */
export const beforeLlm = {
  kind: 'before_llm',
  problem,
  subject,
  texts,
  tool: noTool,
  model: (params) => ownString(params, 'model') || undefined,
  answer,
  refuse: (_params, reason) => ending('abort_turn', reason),
} as const satisfies Method;

function problem(params: JsonObject): string | undefined {
  return (
    wrongField(params, COMMON_FIELDS) ??
    wrongField(params, REQUEST_FIELDS) ??
    wrongElement(params, 'messages', { role: 'string' }) ??
    wrongElement(params, 'tools', { type: 'string', function: 'object' })
  );
}

function wrongElement(params: JsonObject, key: string, types: FieldTypes): string | undefined {
  for (const [index, element] of listOf(params, key).entries()) {
    if (!isJsonObject(element)) return `"${key}.${index}" is not an object`;
    const wrong = wrongField(element, types);
    if (wrong !== undefined) return `in "${key}.${index}" ${wrong}`;
  }
  return undefined;
}

function subject(params: JsonObject): Subject {
  return {
    model: params['model'] ?? '',
    messages: listOf(params, 'messages'),
    tools: listOf(params, 'tools'),
    options: params['options'] ?? {},
  };
}

function listOf(object: JsonObject, key: string): readonly Json[] {
  const value = own(object, key);
  return Array.isArray(value) ? value : [];
}

function texts(subject: Subject): readonly EventText[] {
  const found: EventText[] = [];
  listOf(subject, 'messages').forEach((message, index) => {
    if (!isJsonObject(message)) return;
    const role = ownString(message, 'role');
    for (const key of ['content', 'reasoning_content', 'system_parts']) {
      collect(own(message, key), role, ['messages', index, key], found);
    }
  });
  return found;
}

/** A text, or a list of parts with one each. */
function collect(
  value: Json | undefined,
  role: string | undefined,
  path: readonly (string | number)[],
  found: EventText[],
): void {
  if (typeof value === 'string') {
    if (value !== '') found.push({ role, text: value, path });
    return;
  }
  if (!Array.isArray(value)) return;
  value.forEach((part, index) => {
    if (isJsonObject(part)) collect(ownString(part, 'text'), role, [...path, index, 'text'], found);
  });
}

function answer(event: Event, decision: Decision, generation: Generation): string {
  switch (decision.action) {
    case 'continue':
    case 'approve':
      return requested(event, decision, event.subject, generation);
    case 'modify':
      return requested(event, decision, decision.subject, generation);
    case 'respond':
    case 'deny':
    case 'ask':
    case 'retry_feedback':
    case 'abort_turn':
      return ending('abort_turn', decision.reason);
    case 'hard_abort':
      return ending('hard_abort', decision.reason);
    default: {
      const never: never = decision.action;
      return never;
    }
  }
}

/** PicoClaw takes the returned request whole: what is left out is gone. */
function requested(
  event: Event,
  decision: Decision,
  rewritten: Subject | undefined,
  generation: Generation,
): string {
  if (rewritten === event.subject && decision.contexts.length === 0) return CONTINUE;
  if (rewritten === undefined) {
    return ending('abort_turn', reasonInPlace(decision, 'there is no rewritten request'));
  }
  const before = listOf(event.subject, 'messages');
  const wanted = withContexts(listOf(rewritten, 'messages'), decision.contexts);
  const tools = listOf(rewritten, 'tools');
  const drop = decision.onUnsupported === 'continue';
  const messages = generation.fixedPrompt ? keepSystemMessages(before, wanted, drop) : wanted;
  const offered = generation.fixedPrompt ? keepTools(listOf(event.subject, 'tools'), tools, drop) : tools;
  if (messages === undefined || offered === undefined) {
    return ending(
      'abort_turn',
      reasonInPlace(decision, 'PicoClaw keeps its tools and system messages as they are'),
    );
  }
  const request: JsonObject = {
    ...event.raw,
    model: rewritten['model'] ?? '',
    messages,
    tools: offered,
    options: rewritten['options'] ?? {},
  };
  if (!isReadable(request, event.subject)) {
    return ending('abort_turn', reasonInPlace(decision, 'PicoClaw could not read the rewritten request'));
  }
  const text = resultWithinLine({ action: 'modify', request });
  if (text !== undefined) return text;
  return onlyAdds(decision)
    ? CONTINUE
    : ending('abort_turn', reasonInPlace(decision, 'the request is longer than PicoClaw reads'));
}

/** True if the original request is as good: nothing was to be kept from the model. */
function onlyAdds({ action, rewrites }: Decision): boolean {
  return action !== 'modify' || (rewrites.length > 0 && rewrites.every((form) => form === 'add_tools'));
}

function withContexts(messages: readonly Json[], contexts: readonly string[]): readonly Json[] {
  return contexts.length === 0 ? messages : [...messages, { role: 'user', content: contexts.join('\n') }];
}

/** PicoClaw ignores an answer with a field of a wrong type and sends the original request. */
function isReadable(request: JsonObject, before: Subject): boolean {
  if (wrongField(request, REQUEST_FIELDS) !== undefined) return false;
  const seen = new Set<Json>([...listOf(before, 'messages'), ...listOf(before, 'tools')]);
  return (
    listOf(request, 'messages').every((message) => seen.has(message) || isMessage(message)) &&
    listOf(request, 'tools').every((tool) => seen.has(tool) || isToolDefinition(tool))
  );
}

function isMessage(message: Json): boolean {
  return isJsonObject(message) && wrongField(message, { role: 'string', content: 'string' }) === undefined;
}

function isToolDefinition(tool: Json): boolean {
  if (!isJsonObject(tool)) return false;
  const definition = own(tool, 'function');
  if (wrongField(tool, { type: 'string' }) !== undefined || !isJsonObject(definition)) return false;
  const types = { name: 'string', description: 'string', parameters: 'object' } as const;
  return wrongField(definition, types) === undefined;
}
