import type { JsonObject } from '../../../src/lib/json.ts';
import type { Features } from './hooks.ts';

/** The kinds that turns of this stand-in tell of: index up to 0.2.8, dotted name since. */
export const KIND_INDEX = {
  turn_start: [0, 'agent.turn.start'],
  turn_end: [1, 'agent.turn.end'],
  llm_request: [2, 'agent.llm.request'],
  llm_response: [4, 'agent.llm.response'],
  tool_exec_start: [8, 'agent.tool.exec_start'],
  tool_exec_end: [9, 'agent.tool.exec_end'],
  tool_exec_skipped: [10, 'agent.tool.exec_skipped'],
} as const;

/** Names that a configuration may observe. */
export function observableNames(features: Features): ReadonlySet<string> {
  const short = Object.keys(KIND_INDEX);
  const dotted = Object.values(KIND_INDEX).map(([, name]) => name);
  return new Set<string>(features.runtimeEvents ? [...short, ...dotted] : short);
}

/** A notification in the form of the version. */
export function notification(
  features: Features,
  kind: keyof typeof KIND_INDEX,
  meta: JsonObject,
  inbound: JsonObject,
  payload: JsonObject,
): { readonly method: string; readonly params: JsonObject } {
  const [index, name] = KIND_INDEX[kind];
  if (!features.runtimeEvents) {
    const context = features.context ? { Context: { inbound } } : {};
    const params = { Kind: index, Time: '2026-01-01T00:00:00Z', Meta: meta, ...context, Payload: payload };
    return { method: 'hook.event', params };
  }
  const scope = {
    agent_id: meta['AgentID'] ?? '',
    session_key: meta['SessionKey'] ?? '',
    turn_id: meta['TurnID'] ?? '',
    ...inbound,
  };
  return {
    method: 'hook.runtime_event',
    params: {
      id: 'evt-1',
      kind: name,
      time: '2026-01-01T00:00:00Z',
      source: { component: 'agent' },
      scope,
      correlation: {},
      payload,
    },
  };
}
