import { type JsonObject, own, ownObject, ownString } from '../../lib/json.ts';
import type { RespondResult } from '../../model/decision.ts';
import type { Event } from '../../model/event.ts';
import type { KeptResults } from '../../model/kept-results.ts';
import type { Rule } from '../../model/policy.ts';
import { callText, recordedResults } from '../actions/respond-recorded.ts';

/** The answer from an earlier result, kept or recorded; `missed` if there is none for this call; undefined for other policies. */
export function keptAnswer(
  rule: Rule,
  event: Event,
  kept: KeptResults | undefined,
  isRewritten: boolean,
): RespondResult | 'missed' | undefined {
  const { params } = rule;
  const recorded = ownObject(params, 'recorded');
  const isCache = Object.hasOwn(params, 'cache');
  if (recorded === undefined && !isCache) return undefined;
  // Approval is asked for calls that run, and this one did.
  if (event.kind !== 'before_tool') return 'missed';
  // The result of a rewritten call is not that of the one that was asked for.
  if (isRewritten && (isCache || own(recorded ?? {}, 'otherwise') === 'run')) return 'missed';
  if (recorded !== undefined) return recordedAnswer(recorded, event);
  return kept?.find(rule, event) ?? 'missed';
}

function recordedAnswer(recorded: JsonObject, { tool }: Event): RespondResult | 'missed' {
  const found =
    tool?.arguments === undefined
      ? undefined
      : recordedResults(recorded).get(callText(tool.name, tool.arguments));
  if (found !== undefined) return typeof found === 'string' ? { for_llm: found } : found;
  if (own(recorded, 'otherwise') === 'run') return 'missed';
  const file = ownString(recorded, 'file') ?? '';
  return {
    for_llm: `Cannot answer this call of ${tool?.name ?? 'the tool'}: ${file} has no result for these arguments`,
    is_error: true,
  };
}
