import type { Json, JsonObject } from '../../lib/json.ts';
import type { BareCall } from '../host.ts';
import { overlay } from '../overlay.ts';
import { nativeCall } from '../portable-call.ts';
import { TOOLS } from './tools.ts';

/** A bare call as a message of PicoClaw. An event that it does not have becomes a notification of that name. */
export function compose(call: BareCall): Json {
  switch (call.on) {
    case 'before_llm':
      return request(call, 'hook.before_llm', {
        model: call.model ?? '',
        messages: call.messages ?? [{ role: 'user', content: call.prompt ?? '' }],
        tools: [],
        options: {},
      });
    case 'after_llm':
      return request(call, 'hook.after_llm', { model: call.model ?? '', response: responseOf(call) });
    case 'before_tool':
      return request(call, 'hook.before_tool', { ...nativeCall(TOOLS, call) });
    case 'approve_tool':
      return request(call, 'hook.approve_tool', { ...nativeCall(TOOLS, call) });
    case 'after_tool':
    case 'tool_failure':
      return request(call, 'hook.after_tool', {
        ...nativeCall(TOOLS, call),
        result: resultOf(call),
        duration: 1_000_000,
      });
    case 'prompt_sent':
      return notification(call, 'agent.turn.start', { UserMessage: call.prompt ?? '', MediaCount: 0 });
    case 'after_turn':
      return notification(call, 'agent.turn.end', {
        Status: 'completed',
        UserMessage: call.prompt ?? '',
        FinalContent: textOf(call.response),
      });
    case 'after_compact':
      return notification(call, 'agent.context.compress', {});
    case 'session_start':
    case 'before_prompt':
    case 'tool_choice':
    case 'before_compact':
    case 'notification':
    case 'session_end':
      return notification(call, call.on, {});
    default: {
      const never: never = call.on;
      return never;
    }
  }
}

function request(call: BareCall, method: string, own: JsonObject): JsonObject {
  const { context = {} } = call;
  const params: JsonObject = {
    meta: {
      AgentID: context.agent ?? 'main',
      TurnID: 'main-turn-1',
      ParentTurnID: '',
      SessionKey: context.session ?? 'session',
      Iteration: context.iteration ?? 1,
      TracePath: '',
      Source: 'runTurn',
    },
    context: { inbound: place(context, 'sender_id') },
    ...own,
  };
  return { jsonrpc: '2.0', id: 1, method, params: overlay(params, call.event) };
}

function notification(call: BareCall, kind: string, payload: JsonObject): JsonObject {
  const { context = {} } = call;
  const params: JsonObject = {
    id: 'evt-1',
    kind,
    source: { component: 'agent' },
    scope: {
      agent_id: context.agent ?? 'main',
      session_key: context.session ?? 'session',
      turn_id: 'main-turn-1',
      ...place(context, 'sender_id'),
    },
    correlation: {},
    payload,
    ...(context.iteration === undefined ? {} : { attrs: { iteration: context.iteration } }),
  };
  return { jsonrpc: '2.0', method: 'hook.runtime_event', params: overlay(params, call.event) };
}

/** The place of the conversation; facts that the call does not give are left out, so that they stay unknown. */
function place(context: NonNullable<BareCall['context']>, sender: string): JsonObject {
  return {
    ...(context.channel === undefined ? {} : { channel: context.channel }),
    ...(context.chat_id === undefined ? {} : { chat_id: context.chat_id }),
    ...(context.chat_type === undefined ? {} : { chat_type: context.chat_type }),
    ...(context.sender === undefined ? {} : { [sender]: context.sender }),
  };
}

function responseOf({ response }: BareCall): Json {
  const whole = { content: '', finish_reason: 'stop', reasoning: '', reasoning_details: null };
  return typeof response === 'object' && response !== null && !Array.isArray(response)
    ? { ...whole, ...response }
    : { ...whole, content: textOf(response) };
}

function resultOf({ on, result }: BareCall): Json {
  const whole = { for_llm: '', silent: false, is_error: on === 'tool_failure', async: false };
  return typeof result === 'object' && result !== null && !Array.isArray(result)
    ? { ...whole, ...result }
    : { ...whole, for_llm: textOf(result) };
}

function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
