import { isJsonObject, type JsonObject } from '../../lib/json.ts';
import { type Decision, type RespondResult, reasonInPlace } from '../../model/decision.ts';
import type { Event } from '../../model/event.ts';
import { type Method, noModel, noTexts } from './method.ts';
import { callProblem, callSubject } from './tool-call.ts';
import { toolOf } from './tools.ts';
import { CONTINUE, capReason, ending, resultWithinLine } from './wire.ts';

/** A call is about to be approved and run. */
export const beforeTool = {
  kind: 'before_tool',
  problem: callProblem,
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
  return (
    wholeCall(
      { ...event.raw, tool: subject['tool'] ?? '', arguments: subject['arguments'] ?? {} },
      (call) => ({
        action: 'modify',
        call,
      }),
    ) ?? denyTool(reasonInPlace(decision, 'PicoClaw could not read the rewritten call'))
  );
}

function responded(event: Event, decision: Decision): string {
  const { result } = decision;
  // Without a result PicoClaw would run the original call.
  if (result === undefined) return denyTool(decision.reason ?? reasonInPlace(decision, 'there is no answer'));
  const flat = flatResult(result);
  const text =
    decision.call === undefined
      ? resultWithinLine({ action: 'respond', result: flat })
      : wholeCall({ ...event.raw, ...decision.call }, (call) => ({ action: 'respond', call, result: flat }));
  return text ?? denyTool(reasonInPlace(decision, 'PicoClaw could not read the answer'));
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

/** PicoClaw ignores an answer with a field of a wrong type and runs the original call. */
function wholeCall(call: JsonObject, wrap: (call: JsonObject) => JsonObject): string | undefined {
  const readable =
    callProblem(call) === undefined && call['tool'] !== '' && isJsonObject(call['arguments'] ?? {});
  return readable ? resultWithinLine(wrap(call)) : undefined;
}
