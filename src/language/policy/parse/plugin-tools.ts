import { type Json, type JsonObject, own, ownString } from '../../../lib/json.ts';
import type { Position } from '../../../model/diagnostic.ts';
import type { RuleDraft } from './file-draft.ts';
import { coveredEvents, pickKeys, requirementsOf } from './normalise-policy.ts';

/** A call that breaks the schema is answered before the tool is. */
const VIOLATION_PRIORITY = 1_000_000;

/** The rules of a plugin tool: it is offered, a call against its schema gets an error, and others get its answer. */
export function toolRules(tool: JsonObject, fileName: string, position: Position): readonly RuleDraft[] {
  const name = ownString(tool, 'name') ?? '';
  const parameters = own(tool, 'parameters') ?? {};
  const draft = (
    part: string,
    rest: Omit<RuleDraft, 'id' | 'position' | 'mode' | 'literals' | 'needs'>,
  ): RuleDraft => ({
    id: `${fileName}/${name}:${part}`,
    position,
    mode: 'enforce',
    ...requirementsOf(rest.when),
    ...rest,
  });
  return [
    draft('inject', {
      priority: 0,
      on: ['before_llm'],
      when: {},
      whenUnknown: 'skip',
      action: 'modify',
      params: { rewrite: { add_tools: [{ name, description: own(tool, 'description') ?? '', parameters }] } },
    }),
    draft('arguments', {
      priority: VIOLATION_PRIORITY,
      on: coveredEvents(['before_tool']),
      when: { tool_matcher: name, arguments_violate: parameters },
      whenUnknown: 'match',
      action: 'respond',
      params: { result: { for_llm: `Cannot call ${name}: {{match.0}}`, is_error: true } },
    }),
    draft('answer', {
      priority: 0,
      on: coveredEvents(['before_tool']),
      when: { tool_matcher: name },
      whenUnknown: 'match',
      action: 'respond',
      params: answerOf(tool),
    }),
  ];
}

/** The tool's answer as parameters of `respond`. A plain list is the program to run. */
export function answerOf(tool: JsonObject): JsonObject {
  const run: Json | undefined = own(tool, 'run');
  if (Array.isArray(run)) return { run: { argv: run } };
  return pickKeys(tool, (key) => key === 'result' || key === 'table' || key === 'run');
}
