import { isJsonObject, type JsonObject, own, ownObject, ownString } from '../../lib/json.ts';
import { type Decision, reasonInPlace } from '../../model/decision.ts';
import type { Event, EventText, Subject } from '../../model/event.ts';
import { type FieldTypes, wrongField } from './field-types.ts';
import { COMMON_FIELDS, type Method, noModel } from './method.ts';
import { callProblem, callSubject } from './tool-call.ts';
import { toolOf } from './tools.ts';
import { CONTINUE, capReason, ending, resultWithinLine } from './wire.ts';

const RESULT_FIELDS = {
  for_llm: 'string',
  for_user: 'string',
  silent: 'boolean',
  is_error: 'boolean',
  async: 'boolean',
  media: 'strings',
  artifact_tags: 'strings',
  response_handled: 'boolean',
} as const satisfies FieldTypes;
const FINISHED_CALL_FIELDS = {
  ...COMMON_FIELDS,
  tool: 'string',
  arguments: 'object',
  duration: 'number',
} as const satisfies FieldTypes;

/** A tool has run; neither the model nor the user has seen its result. */
export const afterTool = {
  kind: 'after_tool',
  problem,
  subject: (params) => ({ result: params['result'] ?? {} }),
  texts,
  // A rewrite changes the result only: the call stands in the parameters.
  tool: (_subject, params) => toolOf(callSubject(params)),
  model: noModel,
  answer,
  refuse: withheld,
} as const satisfies Method;

function problem(params: JsonObject): string | undefined {
  const result = ownObject(params, 'result');
  return (
    callProblem(params) ??
    wrongField(params, { result: 'object', duration: 'number' }) ??
    (result === undefined ? undefined : wrongField(result, RESULT_FIELDS))
  );
}

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
  if (!isJsonObject(rewritten) || wrongField(rewritten, RESULT_FIELDS) !== undefined) {
    return withheld(event.raw, reasonInPlace(decision, 'PicoClaw could not read the rewritten result'));
  }
  const result = withBesides(rewritten, decision);
  if (result === before) return CONTINUE;
  const text = resultWithinLine({ action: 'modify', result: { ...readable(event.raw), result } });
  if (text !== undefined) return text;
  const onlyAdds = decision.action !== 'modify' && !decision.suppressOutput;
  return onlyAdds
    ? CONTINUE
    : withheld(event.raw, reasonInPlace(decision, 'the result is longer than PicoClaw reads'));
}

/**
 * What is given back beside the result: all of it, since a hook that is asked later sees nothing else, but nothing that
 * PicoClaw could not read, since it would ignore the whole answer then.
 */
function readable(params: JsonObject): JsonObject {
  const fits = wrongField(params, FINISHED_CALL_FIELDS) === undefined;
  return fits ? params : { tool: ownString(params, 'tool') ?? '' };
}

function withBesides(result: JsonObject, decision: Decision): JsonObject {
  const { contexts, messages, suppressOutput } = decision;
  if (contexts.length === 0 && messages.length === 0 && !suppressOutput) return result;
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
  return (
    resultWithinLine({ action: 'modify', result: { ...readable(params ?? {}), result } }) ??
    JSON.stringify({ action: 'modify', result: { result } })
  );
}
