import { isJsonObject, type Json, type JsonObject, own, ownObject, ownString } from '../../lib/json.ts';
import type { Context, Subject, ToolCall } from '../../model/event.ts';
import { classifyTool } from '../classify.ts';
import { createEvent } from '../create-event.ts';
import type { Decoded } from '../host.ts';
import { NO_OPINION, refuse } from './encode.ts';
import { EVENTS, type GeminiKind, isNativeEvent } from './events.ts';
import { textsOf } from './texts.ts';
import { TOOLS } from './tools.ts';

/** Reads one message from a hook's stdin. */
export function decode(message: Json): Decoded {
  if (!isJsonObject(message)) return malformed(message, 'the message is not an object');
  const native = ownString(message, 'hook_event_name');
  if (native === undefined) return malformed(message, 'the message has no "hook_event_name"');
  if (!isNativeEvent(native)) return { type: 'reply', reply: NO_OPINION };
  const kind = EVENTS[native];
  const subject = subjectOf(kind, message);
  if (typeof subject === 'string') return malformed(message, `${native}: ${subject}`);
  return {
    type: 'event',
    event: createEvent({
      kind,
      host: 'gemini',
      native,
      requestId: undefined,
      raw: message,
      subject,
      model: modelOf(message),
      session: ownString(message, 'session_id'),
      turn: undefined,
      startsTurn: kind === 'before_prompt',
      context: contextOf,
      textsOf,
      toolOf,
    }),
  };
}

function malformed(message: Json, cause: string): Decoded {
  return { type: 'malformed', cause, reply: refuse(message, cause) };
}

/** What a policy may see and rewrite; a string names what is wrong with the message. */
function subjectOf(kind: GeminiKind, raw: JsonObject): Subject | string {
  switch (kind) {
    case 'before_tool':
      return callSubject(raw);
    case 'after_tool': {
      if (ownString(raw, 'tool_name') === undefined) return '"tool_name" is not a string';
      const result = ownObject(raw, 'tool_response');
      return result === undefined ? '"tool_response" is not an object' : { result };
    }
    case 'before_llm':
      return requestSubject(raw);
    case 'tool_choice': {
      const request = requestSubject(raw);
      return typeof request === 'string' ? request : { messages: request['messages'] ?? [] };
    }
    case 'after_llm': {
      const response = ownObject(raw, 'llm_response');
      return response === undefined ? '"llm_response" is not an object' : { response };
    }
    case 'before_prompt': {
      const prompt = ownString(raw, 'prompt');
      return prompt === undefined ? '"prompt" is not a string' : { prompt };
    }
    case 'after_turn': {
      const response = ownString(raw, 'prompt_response');
      return response === undefined ? {} : { response };
    }
    case 'notification': {
      const text = ownString(raw, 'message');
      return text === undefined ? {} : { message: text };
    }
    case 'session_start':
    case 'session_end':
    case 'before_compact':
      return {};
    default:
      return kind satisfies never;
  }
}

function callSubject(raw: JsonObject): Subject | string {
  const tool = ownString(raw, 'tool_name');
  if (tool === undefined) return '"tool_name" is not a string';
  const args = ownObject(raw, 'tool_input');
  return args === undefined ? '"tool_input" is not an object' : { tool, arguments: args };
}

function requestSubject(raw: JsonObject): Subject | string {
  const request = ownObject(raw, 'llm_request');
  if (request === undefined) return '"llm_request" is not an object';
  const messages = own(request, 'messages');
  if (!Array.isArray(messages)) return '"llm_request.messages" is not a list';
  const model = ownString(request, 'model');
  const options = ownObject(request, 'config') ?? {};
  return model === undefined ? { messages, options } : { model, messages, options };
}

function modelOf(raw: JsonObject): string | undefined {
  const request = ownObject(raw, 'llm_request');
  return request === undefined ? undefined : ownString(request, 'model');
}

function contextOf(raw: JsonObject): Context {
  const cwd = ownString(raw, 'cwd');
  const session = ownString(raw, 'session_id');
  return {
    host: 'gemini',
    ...(cwd === undefined ? {} : { cwd }),
    ...(session === undefined ? {} : { session }),
  };
}

function toolOf(subject: Subject, raw: JsonObject): ToolCall | undefined {
  const name = ownString(subject, 'tool') ?? ownString(raw, 'tool_name');
  if (name === undefined) return undefined;
  const args = ownObject(subject, 'arguments') ?? ownObject(raw, 'tool_input');
  const told = name === ownString(raw, 'tool_name') ? toldOf(raw) : undefined;
  return {
    name,
    arguments: args,
    ...classifyTool(TOOLS, name, args),
    ...(told === undefined ? {} : { told }),
  };
}

function toldOf(raw: JsonObject): ToolCall['told'] {
  const context = ownObject(raw, 'mcp_context');
  if (context === undefined) return undefined;
  const server = ownString(context, 'server_name');
  const tool = ownString(context, 'tool_name');
  return {
    ...(server === undefined ? {} : { server }),
    ...(tool === undefined ? {} : { tool_name: tool }),
  };
}
