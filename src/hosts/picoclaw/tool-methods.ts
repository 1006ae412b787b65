import { isJsonObject, type Json, type JsonObject, own, ownObject, ownString } from '../../lib/json.ts';
import { type Decision, type RespondResult, reasonInPlace } from '../../model/decision.ts';
import type { Event, EventText, Subject } from '../../model/event.ts';
import { AFTER_TOOL_ANSWER, BEFORE_TOOL_ANSWER, FINISHED_CALL, TOOL_CALL } from './message-types.ts';
import type { Method } from './method.ts';
import { toolOf } from './tools.ts';
import { CONTINUE, capReason, write } from './wire.ts';

const REFUSED = 'Refused by policy';

/** A call is about to be approved and run. */
export const beforeTool: Method = {
  kind: 'before_tool',
  type: TOOL_CALL,
  needs: 'tool',
  subject: callSubject,
  tool: toolOf,
  proceed(event, decision, subject) {
    if (subject === event.subject) return CONTINUE;
    if (subject === undefined) return denyTool(reasonInPlace(decision, 'there is no rewritten call'));
    // PicoClaw takes the returned call whole: a field that is left out is gone.
    return withCall(decision, { ...event.raw, ...callSubject(subject) }, { action: 'modify' });
  },
  respond,
  refuse: (_params, reason) => denyTool(reason),
  ends: true,
};

/** A call in its final form, after all hooks: one that is approved here runs as it is. */
export const approveTool: Method = {
  kind: 'approve_tool',
  type: TOOL_CALL,
  needs: 'tool',
  subject: callSubject,
  tool: toolOf,
  proceed: (_event, { action, reason }) => (action === 'modify' ? disapproved(reason) : '{"approved":true}'),
  refuse: (_params, reason) => disapproved(reason),
};

/** A tool has run; neither the model nor the user has seen its result. */
export const afterTool: Method = {
  kind: 'after_tool',
  type: FINISHED_CALL,
  needs: 'tool',
  subject: (params) => ({ result: params['result'] ?? {} }),
  texts,
  // A rewrite changes the result only: the call is in the parameters.
  tool: (_subject, params) => toolOf(callSubject(params)),
  proceed: returned,
  refuse: withheld,
  ends: true,
};

/** The call as a rewrite sees it. PicoClaw leaves empty arguments out. */
function callSubject(params: JsonObject): Subject {
  return { tool: params['tool'] ?? '', arguments: params['arguments'] ?? {} };
}

function denyTool(reason = REFUSED): string {
  return JSON.stringify({ action: 'deny_tool', reason: capReason(reason) });
}

function disapproved(reason = REFUSED): string {
  return JSON.stringify({ approved: false, reason: capReason(reason) });
}

function respond(event: Event, decision: Decision): string {
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

function texts(subject: Subject): readonly EventText[] {
  const result = ownObject(subject, 'result');
  if (result === undefined) return [];
  return ['for_llm', 'for_user'].flatMap((name) => {
    const text = ownString(result, name);
    return text === undefined || text === '' ? [] : [{ role: 'tool', text, path: ['result', name] }];
  });
}

/** PicoClaw takes the returned result whole, and only from inside a second `result`. */
function returned(event: Event, decision: Decision, subject: Subject | undefined): string {
  const before = own(event.subject, 'result');
  const rewritten = subject === undefined ? undefined : own(subject, 'result');
  if (rewritten === undefined || rewritten === null)
    return withheld(event.raw, reasonInPlace(decision, 'there is no rewritten result'));
  const result = withExtras(rewritten, decision);
  if (result === before) return CONTINUE;
  const written = write('the rewritten result', resultAnswer(event.raw, result), AFTER_TOOL_ANSWER);
  if ('text' in written) return written.text;
  const onlyAdds = decision.action !== 'modify' && !decision.suppressOutput;
  return onlyAdds ? CONTINUE : withheld(event.raw, reasonInPlace(decision, written.cause));
}

/** All of the event goes back beside the result, since a hook that is asked later sees nothing else. */
function resultAnswer(params: JsonObject | undefined, result: Json): JsonObject {
  return { action: 'modify', result: { ...params, result } };
}

function withExtras(result: Json, decision: Decision): Json {
  const { contexts, messages, suppressOutput } = decision;
  const isAlone = contexts.length === 0 && messages.length === 0 && !suppressOutput;
  if (isAlone || !isJsonObject(result)) return result;
  return {
    ...result,
    for_llm: lines(ownString(result, 'for_llm'), contexts),
    for_user: lines(ownString(result, 'for_user'), messages),
    ...(suppressOutput ? { silent: true } : {}),
  };
}

function lines(first: string | undefined, more: readonly string[]): string {
  return [first ?? '', ...more].filter((text) => text !== '').join('\n');
}

/** A result with nothing of the original but its display settings; unknown fields could carry the text. */
function withheld(params: JsonObject | undefined, reason = 'Result withheld by policy'): string {
  const original = (params === undefined ? undefined : ownObject(params, 'result')) ?? {};
  const result = {
    for_llm: capReason(reason),
    for_user: '',
    silent: own(original, 'silent') === true,
    is_error: true,
    async: own(original, 'async') === true,
    response_handled: false,
  };
  const written = write('the result', resultAnswer(params, result), AFTER_TOOL_ANSWER);
  return 'text' in written ? written.text : JSON.stringify(resultAnswer(undefined, result));
}
