import type { DecisionRecord } from '../../hook/audit/record.ts';
import { hostNamed } from '../../hosts/registry.ts';
import type { RecordedResult } from '../../language/actions/respond-recorded.ts';
import { answerEvent, settingFor } from '../../language/calls/answer-call.ts';
import type { Engine } from '../../language/engine/engine.ts';
import { TOO_MANY_DIGITS, withSafeId } from '../../lib/exact-numbers.ts';
import type { Json } from '../../lib/json.ts';
import { prevents } from '../../model/action.ts';
import { NO_MEMORY } from '../../model/memory.ts';

/** The result that a logged decision is about, as the policies leave it now, or why there is none to record. */
export function resultFromRecord(
  { host: name, input, setting, tool }: DecisionRecord,
  engine: Engine,
): { readonly result: RecordedResult } | { readonly cause: string } {
  const host = hostNamed(name);
  if (host === undefined) return { cause: `there is no host "${name}"` };
  if (input === undefined || input === null)
    return { cause: 'its message was not kept; run policy install --log-input' };
  const kept = { ...settingFor(setting?.interactive === true), version: setting?.version };
  const decoded = host.decode(withSafeId(input), kept);
  if (decoded.type !== 'event' || decoded.event.kind !== 'after_tool')
    return { cause: 'it is not about the result of a call; policy log -v shows those of after_tool' };
  const { event } = decoded;
  const { decision } = answerEvent(event, { engine, memory: NO_MEMORY });
  if (prevents(decision.action)) return { cause: `policy ${decision.policyId ?? ''} withholds its result` };
  const answer = host.resultOf?.(decision.subject ?? event.subject);
  if (answer === undefined || event.tool?.arguments === undefined)
    return { cause: `${host.title} cannot answer ${tool ?? 'a call'} with a result like this` };
  if (holdsLargeNumber(event.tool.arguments)) return { cause: TOO_MANY_DIGITS };
  const { for_llm: text, ...others } = answer;
  const isPlain = Object.values(others).every((value) => value === false || value === '');
  return {
    result: { tool: event.tool.name, arguments: event.tool.arguments, result: isPlain ? text : answer },
  };
}

/** True if a number is too large to be exact. */
function holdsLargeNumber(value: Json): boolean {
  if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER;
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsLargeNumber);
}
