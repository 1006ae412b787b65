import type { Json, JsonObject } from '../../lib/json.ts';
import type { BareCall } from '../host.ts';
import { overlay } from '../overlay.ts';
import { jsonOrText, messagesOf, nativeCall } from '../portable-call.ts';
import { EVENTS } from './events.ts';
import { TOOLS } from './tools.ts';

/** A message as jcli would send it. An event that it does not have keeps its portable name. */
export function compose(call: BareCall): Json {
  const context = call.context ?? {};
  const [native] = Object.entries(EVENTS).find(([, kind]) => kind === call.on) ?? [call.on];
  const message = {
    event: native,
    ...parts(call),
    session_id: String(context.session ?? 'session'),
    cwd: String(context.cwd ?? '/workspace'),
  };
  return overlay(message, call.event);
}

function parts(call: BareCall): JsonObject {
  const messages = messagesOf(call);
  switch (call.on) {
    case 'before_tool': {
      const native = nativeCall(TOOLS, call);
      return { tool_name: native.tool, tool_arguments: JSON.stringify(native.arguments) };
    }
    case 'after_tool':
      return { tool_name: nativeCall(TOOLS, call).tool, tool_result: jsonOrText(call.result) };
    case 'tool_failure':
      return { tool_name: nativeCall(TOOLS, call).tool, tool_error: jsonOrText(call.result) };
    case 'before_prompt':
    case 'prompt_sent':
      return { messages, user_input: call.prompt ?? '' };
    case 'before_llm':
      return { messages, system_prompt: '', ...modelOf(call) };
    case 'after_llm':
      return { messages, ...modelOf(call), assistant_output: jsonOrText(call.response) };
    case 'after_turn':
      return {
        messages,
        system_prompt: '',
        ...modelOf(call),
        user_input: jsonOrText(call.response),
      };
    case 'before_compact':
      return { messages, system_prompt: '', ...modelOf(call) };
    case 'after_compact':
    case 'session_start':
    case 'session_end':
      return { messages };
    case 'approve_tool':
    case 'tool_choice':
    case 'notification':
      return {};
    default:
      return call.on satisfies never;
  }
}

/** A model that the call does not name is not made up. */
function modelOf({ model }: BareCall): JsonObject {
  return model === undefined ? {} : { model };
}
