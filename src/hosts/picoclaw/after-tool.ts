import { isJsonObject, type Json, type JsonObject, own, ownObject, ownString } from '../../lib/json.ts';
import { type Decision, reasonInPlace } from '../../model/decision.ts';
import type { Event, EventText, Subject } from '../../model/event.ts';
import { AFTER_TOOL_ANSWER, FINISHED_CALL } from './message-types.ts';
import { type Method, noModel } from './method.ts';
import { callSubject } from './tool-call.ts';
import { toolOf } from './tools.ts';
import { CONTINUE, capReason, ending, write } from './wire.ts';

/** A tool has run; neither the model nor the user has seen its result. */
export const afterTool = {
  kind: 'after_tool',
  type: FINISHED_CALL,
  needs: 'tool',
  subject: (params) => ({ result: params['result'] ?? {} }),
  texts,
  // A rewrite changes the result only: the call is in the parameters.
  tool: (_subject, params) => toolOf(callSubject(params)),
  model: noModel,
  answer,
  refuse: withheld,
} as const satisfies Method;

function texts(subject: Subject): readonly EventText[] {
  const result = ownObject(subject, 'result');
  if (result === undefined) return [];
  return ['for_llm', 'for_user'].flatMap((name) => {
    const text = ownString(result, name);
    return text === undefined || text === '' ? [] : [{ role: 'tool', text, path: ['result', name] }];
  });
}

function answer(event: Event, decision: Decision): string {
  switch (decision.action) {
    case 'continue':
    case 'approve':
      return returned(event, decision, event.subject);
    case 'modify':
      return returned(event, decision, decision.subject);
    case 'respond':
    case 'deny':
    case 'ask':
    case 'retry_feedback':
      return withheld(event.raw, decision.reason ?? 'Result withheld by policy');
    case 'abort_turn':
    case 'hard_abort':
      return ending(decision.action, decision.reason);
    default: {
      const never: never = decision.action;
      return never;
    }
  }
}

/** PicoClaw takes the returned result whole, and only from inside a second `result`. */
function returned(event: Event, decision: Decision, subject: Subject | undefined): string {
  const before = own(event.subject, 'result');
  const rewritten = subject === undefined ? undefined : own(subject, 'result');
  if (rewritten === undefined || rewritten === null)
    return withheld(event.raw, reasonInPlace(decision, 'there is no rewritten result'));
  const result = withBesides(rewritten, decision);
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

function withBesides(result: Json, decision: Decision): Json {
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

/**
 * A result that holds nothing of the original but how it was to be shown. Fields that are not known here could carry
 * what is withheld, so they go too.
 */
function withheld(params: JsonObject | undefined, reason: string): string {
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
