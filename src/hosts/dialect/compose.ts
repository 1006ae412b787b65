import type { JsonObject } from '../../lib/json.ts';
import type { BareCall, Host } from '../host.ts';
import { overlay } from '../overlay.ts';
import { jsonOrText, nativeCall } from '../portable-call.ts';
import type { Dialect } from './dialect.ts';

/** A message as a host would send it. An event that it does not have keeps its portable name. */
export function composeIn(
  { events, tools, write = (fields) => fields }: Dialect,
  supports: ReturnType<Host['supports']>,
): Host['compose'] {
  return (call) => {
    const { context = {} } = call;
    const [native] = Object.entries(events).find(([, kind]) => kind === call.on) ?? [call.on];
    const { agent, permission_mode: mode } = context;
    const fields: JsonObject = {
      session_id: String(context.session ?? 'session'),
      cwd: String(context.cwd ?? '/workspace'),
      hook_event_name: native,
      ...(mode === undefined ? {} : { permission_mode: String(mode) }),
      ...(agent === undefined ? {} : { agent_type: String(agent) }),
      ...(context.subagent === true ? { agent_id: 'agent' } : {}),
      ...(supports[call.on]?.model === 'sent' && call.model !== undefined ? { model: call.model } : {}),
      ...parts(call, tools),
    };
    return overlay(write(fields), call.event);
  };
}

function parts(call: BareCall, tools: Dialect['tools']): JsonObject {
  switch (call.on) {
    case 'before_tool':
    case 'approve_tool':
      return toolParts(call, tools);
    case 'after_tool':
      return { ...toolParts(call, tools), tool_response: call.result ?? '' };
    case 'tool_failure':
      return { ...toolParts(call, tools), error: jsonOrText(call.result) };
    case 'before_prompt':
      return { prompt: call.prompt ?? '' };
    case 'after_turn':
      return { stop_hook_active: false, last_assistant_message: jsonOrText(call.response) };
    case 'session_start':
      return { source: 'startup' };
    case 'session_end':
      return { reason: 'other' };
    case 'before_compact':
    case 'after_compact':
      return { trigger: 'auto' };
    case 'notification':
      return { message: call.prompt ?? '' };
    case 'prompt_sent':
    case 'before_llm':
    case 'after_llm':
    case 'tool_choice':
      return {};
    default:
      return call.on satisfies never;
  }
}

function toolParts(call: BareCall, tools: Dialect['tools']): JsonObject {
  const native = nativeCall(tools, call);
  return { tool_name: native.tool, tool_input: native.arguments };
}
