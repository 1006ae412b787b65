import { type JsonObject, own } from '../../lib/json.ts';
import type { Subject } from '../../model/event.ts';
import { wrongField } from './field-types.ts';
import { COMMON_FIELDS } from './method.ts';

/** What is wrong with the parameters of a request about a call. Arguments of any type can be judged. */
export function callProblem(params: JsonObject): string | undefined {
  const tool = own(params, 'tool');
  if (tool === undefined || tool === null) return '"tool" is missing';
  return wrongField(params, CALL_FIELDS);
}

const CALL_FIELDS = { ...COMMON_FIELDS, tool: 'string', hook_result: 'object' } as const;

/** The call as a rewrite sees it. PicoClaw leaves empty arguments out. */
export function callSubject(params: JsonObject): Subject {
  return { tool: params['tool'] ?? '', arguments: params['arguments'] ?? {} };
}
