import type { JsonObject } from '../../lib/json.ts';
import { type Decision, type RespondResult, reasonInPlace } from '../../model/decision.ts';
import type { Event } from '../../model/event.ts';
import { BEFORE_TOOL_ANSWER, TOOL_CALL } from './message-types.ts';
import { type Method, noModel, noTexts } from './method.ts';
import { callSubject } from './tool-call.ts';
import { toolOf } from './tools.ts';
import { CONTINUE, capReason, ending, write } from './wire.ts';

/** A call is about to be approved and run. */
export const beforeTool = {
  kind: 'before_tool',
  type: TOOL_CALL,
  needs: 'tool',
  subject: callSubject,
  texts: noTexts,
  tool: toolOf,
  model: noModel,
  answer,
  refuse: (_params, reason) => denyTool(reason),
} as const satisfies Method;

function answer(event: Event, decision: Decision): string {
  switch (decision.action) {
    case 'continue':
    case 'approve':
      return CONTINUE;
    case 'modify':
      return modified(event, decision);
    case 'respond':
      return responded(event, decision);
    case 'deny':
    case 'ask':
    case 'retry_feedback':
      return denyTool(decision.reason);
    case 'abort_turn':
    case 'hard_abort':
      return ending(decision.action, decision.reason);
    default: {
      const never: never = decision.action;
      return never;
    }
  }
}

function denyTool(reason: string | undefined): string {
  return JSON.stringify({ action: 'deny_tool', reason: capReason(reason ?? 'Refused by policy') });
}

/** PicoClaw takes the returned call whole: what is left out is gone. */
function modified(event: Event, decision: Decision): string {
  const { subject } = decision;
  if (subject === event.subject) return CONTINUE;
  if (subject === undefined) return denyTool(reasonInPlace(decision, 'there is no rewritten call'));
  const call = { ...event.raw, tool: subject['tool'] ?? '', arguments: subject['arguments'] ?? {} };
  return withCall(decision, call, { action: 'modify' });
}

function responded(event: Event, decision: Decision): string {
  const { result } = decision;
  // Without a result PicoClaw would run the original call.
  if (result === undefined) return denyTool(decision.reason ?? reasonInPlace(decision, 'there is no answer'));
  const answer = { action: 'respond', result: flatResult(result) };
  return decision.call === undefined
    ? written(decision, 'the answer', answer)
    : withCall(decision, { ...event.raw, ...decision.call }, answer);
}

function flatResult(result: RespondResult): JsonObject {
  return {
    for_llm: result.for_llm,
    for_user: result.for_user ?? '',
    silent: result.silent ?? false,
    is_error: result.is_error ?? false,
    ...(result.media === undefined ? {} : { media: result.media }),
    ...(result.response_handled === undefined ? {} : { response_handled: result.response_handled }),
  };
}

function withCall(decision: Decision, call: JsonObject, answer: JsonObject): string {
  return call['tool'] === ''
    ? denyTool(reasonInPlace(decision, 'the rewritten call names no tool'))
    : written(decision, 'the rewritten call', { ...answer, call });
}

function written(decision: Decision, what: string, answer: JsonObject): string {
  const result = write(what, answer, BEFORE_TOOL_ANSWER);
  return 'text' in result ? result.text : denyTool(reasonInPlace(decision, result.cause));
}
