import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts';
import type { BareCall } from '../host.ts';
import { overlay } from '../overlay.ts';
import { nativeCall } from '../portable-call.ts';
import { EVENTS } from './events.ts';
import { syntheticAnswer } from './rewrite.ts';
import { TOOLS } from './tools.ts';

/** A message as Gemini CLI would send it. An event that it does not have keeps its portable name. */
export function compose(call: BareCall): Json {
  const context = call.context ?? {};
  const message = {
    session_id: String(context.session ?? 'session'),
    transcript_path: '',
    cwd: String(context.cwd ?? '/workspace'),
    hook_event_name: nativeName(call),
    timestamp: '2026-01-01T00:00:00.000Z',
    ...parts(call),
  };
  return overlay(message, call.event);
}

function nativeName(call: BareCall): string {
  const [name] = Object.entries(EVENTS).find(([, kind]) => kind === call.on) ?? [call.on];
  return name;
}

function parts(call: BareCall): JsonObject {
  switch (call.on) {
    case 'before_tool':
      return tool(call);
    case 'after_tool':
      return { ...tool(call), tool_response: result(call.result ?? '') };
    case 'before_llm':
    case 'tool_choice':
      return { llm_request: request(call) };
    case 'after_llm':
      return { llm_request: request(call), llm_response: response(call.response ?? '') };
    case 'before_prompt':
      return { prompt: call.prompt ?? '' };
    case 'after_turn':
      return {
        prompt: call.prompt ?? '',
        prompt_response: typeof call.response === 'string' ? call.response : '',
        stop_hook_active: false,
      };
    case 'session_start':
      return { source: 'startup' };
    case 'session_end':
      return { reason: 'exit' };
    case 'before_compact':
      return { trigger: 'auto' };
    case 'notification':
      return { notification_type: 'ToolPermission', message: call.prompt ?? '', details: {} };
    case 'prompt_sent':
    case 'approve_tool':
    case 'tool_failure':
    case 'after_compact':
      return {};
    default:
      return call.on satisfies never;
  }
}

function tool(call: BareCall): JsonObject {
  const native = nativeCall(TOOLS, call);
  const [, server, name] = /^mcp_([^_]+)_(.+)$/.exec(native.tool) ?? [];
  return {
    tool_name: native.tool,
    tool_input: native.arguments,
    ...(server === undefined || name === undefined
      ? {}
      : { mcp_context: { server_name: server, tool_name: name } }),
  };
}

function result(value: Json): JsonObject {
  if (isJsonObject(value) && (Object.hasOwn(value, 'llmContent') || Object.hasOwn(value, 'error')))
    return value;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { llmContent: text, returnDisplay: text };
}

function request(call: BareCall): JsonObject {
  const prompt = call.prompt === undefined ? [] : [{ role: 'user', content: call.prompt }];
  return {
    ...(call.model === undefined ? {} : { model: call.model }),
    messages: (call.messages ?? prompt).map((message) =>
      message['role'] === 'assistant' ? { ...message, role: 'model' } : message,
    ),
    config: {},
  };
}

function response(value: Json): JsonObject {
  return isJsonObject(value)
    ? value
    : syntheticAnswer(typeof value === 'string' ? value : JSON.stringify(value));
}
