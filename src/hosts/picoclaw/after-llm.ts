import { isJsonObject, type Json, type JsonObject, own, ownObject, ownString } from '../../lib/json.ts';
import { type Decision, reasonInPlace } from '../../model/decision.ts';
import type { Event, EventText, Subject } from '../../model/event.ts';
import { type FieldTypes, wrongField } from './field-types.ts';
import { COMMON_FIELDS, type Method, noTool } from './method.ts';
import { CONTINUE, ending, resultWithinLine } from './wire.ts';

const RESPONSE_FIELDS = {
  content: 'string',
  reasoning_content: 'string',
  reasoning: 'string',
  reasoning_details: 'list',
  tool_calls: 'list',
  finish_reason: 'string',
  usage: 'object',
} as const satisfies FieldTypes;
const TEXT_FIELDS = ['content', 'reasoning_content', 'reasoning'];

/** The model has answered; its tool calls have not been looked at. */
export const afterLlm = {
  kind: 'after_llm',
  problem,
  subject: (params) => ({ response: params['response'] ?? {} }),
  texts,
  tool: noTool,
  model: (params) => ownString(params, 'model') || undefined,
  answer,
  refuse: (_params, reason) => ending('abort_turn', reason),
} as const satisfies Method;

function problem(params: JsonObject): string | undefined {
  const response = ownObject(params, 'response');
  return (
    wrongField(params, COMMON_FIELDS) ??
    wrongField(params, { model: 'string', response: 'object' }) ??
    (response === undefined ? undefined : wrongField(response, RESPONSE_FIELDS))
  );
}

function texts(subject: Subject): readonly EventText[] {
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

function answer(event: Event, decision: Decision): string {
  switch (decision.action) {
    case 'continue':
    case 'approve':
      return CONTINUE;
    case 'modify':
      return modified(event, decision);
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

/** PicoClaw takes the returned response whole, and only from inside a second `response`. */
function modified(event: Event, decision: Decision): string {
  const { subject } = decision;
  if (subject === event.subject) return CONTINUE;
  const response = subject === undefined ? undefined : own(subject, 'response');
  if (!isJsonObject(response) || wrongField(response, RESPONSE_FIELDS) !== undefined) {
    return ending('abort_turn', reasonInPlace(decision, 'PicoClaw could not read the rewritten answer'));
  }
  if (!keepsCalls(response)) {
    if (decision.onUnsupported === 'continue') return CONTINUE;
    return ending(
      'abort_turn',
      reasonInPlace(decision, 'a rewrite would lose the tool calls, which came without names'),
    );
  }
  return (
    resultWithinLine({ action: 'modify', response: { ...event.raw, response } }) ??
    ending('abort_turn', reasonInPlace(decision, 'the answer is longer than PicoClaw reads'))
  );
}

/** With most providers PicoClaw shows calls without name and arguments, and to return them so would destroy them. */
function keepsCalls(response: JsonObject): boolean {
  const calls = own(response, 'tool_calls');
  return !Array.isArray(calls) || calls.every(isWhole);
}

function isWhole(call: Json): boolean {
  if (!isJsonObject(call) || wrongField(call, { id: 'string', type: 'string' }) !== undefined) return false;
  const called = ownObject(call, 'function');
  return (
    called !== undefined &&
    ownString(called, 'name') !== undefined &&
    ownString(called, 'arguments') !== undefined
  );
}
