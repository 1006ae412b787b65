import { isJsonObject, type Json, own, ownObject, ownString } from '../../lib/json.ts';
import { type Decision, reasonInPlace } from '../../model/decision.ts';
import type { Event, EventText, Subject } from '../../model/event.ts';
import { AFTER_LLM_ANSWER, LLM_RESPONSE } from './message-types.ts';
import { type Method, noTool } from './method.ts';
import { CONTINUE, ending, write } from './wire.ts';

const TEXT_FIELDS = ['content', 'reasoning_content', 'reasoning'];

/** The model has answered; its tool calls have not been looked at. */
export const afterLlm = {
  kind: 'after_llm',
  type: LLM_RESPONSE,
  subject: (params) => ({ response: params['response'] ?? {} }),
  texts,
  tool: noTool,
  model: (params) => ownString(params, 'model') || undefined,
  answer,
  refuse: (_params, reason) => ending('abort_turn', reason),
} as const satisfies Method;

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
