import { deepEqual } from '../../lib/deep-equal.ts';
import { isJsonObject, type Json, type JsonObject, own, ownString } from '../../lib/json.ts';
import { type Decision, reasonInPlace } from '../../model/decision.ts';
import type { Event, EventText, Subject } from '../../model/event.ts';
import type { Generation } from './generation.ts';
import { BEFORE_LLM_ANSWER, LLM_REQUEST } from './message-types.ts';
import { type Method, noTool } from './method.ts';
import { keepPrompt } from './prompt-guard.ts';
import { CONTINUE, ending, write } from './wire.ts';

/** A request to the model is about to be sent. */
export const beforeLlm = {
  kind: 'before_llm',
  type: LLM_REQUEST,
  subject,
  texts,
  tool: noTool,
  model: (params) => ownString(params, 'model') || undefined,
  answer,
  refuse: (_params, reason) => ending('abort_turn', reason),
} as const satisfies Method;

/** PicoClaw leaves out what is empty. */
function subject(params: JsonObject): Subject {
  return {
    model: params['model'] ?? '',
    messages: params['messages'] ?? [],
    tools: params['tools'] ?? [],
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
  const wanted = { ...rewritten, ...subject(rewritten) };
  const request = generation.fixedPrompt
    ? keepPrompt(event.subject, wanted, decision.onUnsupported === 'continue')
    : wanted;
  if (request === undefined) {
    return ending(
      'abort_turn',
      reasonInPlace(decision, 'PicoClaw keeps its tools and system messages as they are'),
    );
  }
  const whole = withContexts(request, decision.contexts);
  // PicoClaw reads the numbers of the options anew, which is not always harmless, so nothing is sent for nothing.
  if (deepEqual(whole, event.subject)) return CONTINUE;
  const answer = { action: 'modify', request: { ...event.raw, ...whole } };
  const written = write('the rewritten request', answer, BEFORE_LLM_ANSWER);
  if ('text' in written) return written.text;
  return onlyAdds(decision) ? CONTINUE : ending('abort_turn', reasonInPlace(decision, written.cause));
}

/** True if the original request is as good: nothing was to be kept from the model. */
function onlyAdds({ action, rewrites }: Decision): boolean {
  return action !== 'modify' || (rewrites.length > 0 && rewrites.every((form) => form === 'add_tools'));
}

function withContexts(request: Subject, contexts: readonly string[]): Subject {
  if (contexts.length === 0) return request;
  const added = { role: 'user', content: contexts.join('\n') };
  return { ...request, messages: [...listOf(request, 'messages'), added] };
}
