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
import { type Decision, reasonInPlace } from '../../model/decision.ts';
import type { Event, EventText, Subject } from '../../model/event.ts';
import type { Generation } from './generation.ts';
import { keepPrompt } from './keep-prompt.ts';
import { AFTER_LLM_ANSWER, BEFORE_LLM_ANSWER, LLM_REQUEST, LLM_RESPONSE } from './message-types.ts';
import type { Method } from './method.ts';
import { CONTINUE, ending, write } from './wire.ts';

/** The common part of both methods about the model: a refusal ends the turn. */
const ABOUT_MODEL = {
  model: (params: JsonObject) => ownString(params, 'model') || undefined,
  refuse: (_params: JsonObject | undefined, reason: string | undefined) => ending('abort_turn', reason),
  ends: true,
} as const;

export const beforeLlm: Method = {
  ...ABOUT_MODEL,
  kind: 'before_llm',
  type: LLM_REQUEST,
  subject: requestSubject,
  texts: requestTexts,
  proceed: requested,
};

/** The model has answered; its tool calls have not been looked at. */
export const afterLlm: Method = {
  ...ABOUT_MODEL,
  kind: 'after_llm',
  type: LLM_RESPONSE,
  subject: (params) => ({ response: params['response'] ?? {} }),
  texts: responseTexts,
  proceed: answered,
};

/** PicoClaw leaves out empty values. */
function requestSubject(params: JsonObject): Subject {
  return {
    model: params['model'] ?? '',
    messages: params['messages'] ?? [],
    tools: params['tools'] ?? [],
    options: params['options'] ?? {},
  };
}

function requestTexts(subject: Subject): readonly EventText[] {
  const found: EventText[] = [];
  ownItems(subject, 'messages').forEach((message, index) => {
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

/** PicoClaw takes the returned request whole: a field that is left out is gone. */
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
  const wanted = { ...rewritten, ...requestSubject(rewritten) };
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
  return { ...request, messages: [...ownItems(request, 'messages'), added] };
}

const TEXT_FIELDS = ['content', 'reasoning_content', 'reasoning'];

function responseTexts(subject: Subject): readonly EventText[] {
  const response = ownObject(subject, 'response');
  if (response === undefined) return [];
  const found: EventText[] = [];
  for (const name of TEXT_FIELDS) push(found, ownString(response, name), ['response', name]);
  const details = own(response, 'reasoning_details');
  if (Array.isArray(details)) {
    details.forEach((detail, index) => {
      const path = ['response', 'reasoning_details', index, 'text'];
      if (isJsonObject(detail)) push(found, ownString(detail, 'text'), path);
    });
  }
  return found;
}

function push(found: EventText[], text: string | undefined, path: readonly (string | number)[]): void {
  if (text !== undefined && text !== '') found.push({ role: 'assistant', text, path });
}

/** PicoClaw takes the returned response whole, and only from inside a second `response`. */
function answered(event: Event, decision: Decision, subject: Subject | undefined): string {
  if (subject === event.subject) return CONTINUE;
  const response = subject === undefined ? undefined : own(subject, 'response');
  if (response === undefined || response === null)
    return ending('abort_turn', reasonInPlace(decision, 'there is no rewritten answer'));
  const answer = { action: 'modify', response: { ...event.raw, response } };
  const written = write('the rewritten answer', answer, AFTER_LLM_ANSWER);
  if ('cause' in written) return ending('abort_turn', reasonInPlace(decision, written.cause));
  if (keepsCalls(response)) return written.text;
  return decision.onUnsupported === 'continue'
    ? CONTINUE
    : ending(
        'abort_turn',
        reasonInPlace(decision, 'a rewrite would lose the tool calls, which came without names'),
      );
}

/** With most providers PicoClaw shows calls without name and arguments, and to return them so would destroy them. */
function keepsCalls(response: Json): boolean {
  const calls = isJsonObject(response) ? own(response, 'tool_calls') : undefined;
  return !Array.isArray(calls) || calls.every(isWhole);
}

function isWhole(call: Json): boolean {
  const called = isJsonObject(call) ? ownObject(call, 'function') : undefined;
  return (
    called !== undefined &&
    ownString(called, 'name') !== undefined &&
    ownString(called, 'arguments') !== undefined
  );
}
