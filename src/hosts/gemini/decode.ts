import { isJsonObject, type Json, type JsonObject, own, ownObject, ownString } from '../../lib/json.ts';
import type { Subject, ToolCall } from '../../model/event.ts';
import { classifyTool } from '../classify.ts';
import { contextIn, createEvent } from '../create-event.ts';
import { subjectOf as usualSubject } from '../dialect/subject.ts';
import type { Decoded } from '../host.ts';
import { NO_OPINION, refuse } from './encode.ts';
import { EVENTS, type GeminiKind, isNativeEvent } from './events.ts';
import { textsOf } from './texts.ts';
import { TOOLS } from './tools.ts';

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
      context: (raw) => contextIn('gemini', raw),
      textsOf,
      toolOf,
    }),
  };
}

function malformed(message: Json, cause: string): Decoded {
  return { type: 'malformed', cause, reply: refuse(message, cause) };
}

/** The part that a policy may see and rewrite; a string names the fault of the message. */
function subjectOf(kind: GeminiKind, raw: JsonObject): Subject | string {
  switch (kind) {
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
    case 'after_turn': {
      const response = ownString(raw, 'prompt_response');
      return response === undefined ? {} : { response };
    }
    default:
      return usualSubject(kind, raw);
  }
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

function toolOf(subject: Subject, raw: JsonObject): ToolCall | undefined {
  const name = ownString(subject, 'tool') ?? ownString(raw, 'tool_name');
  if (name === undefined) return undefined;
  const args = ownObject(subject, 'arguments') ?? ownObject(raw, 'tool_input');
  const extraArguments = name === ownString(raw, 'tool_name') ? extraArgumentsOf(raw) : undefined;
  return {
    name,
    arguments: args,
    ...classifyTool(TOOLS, name, args),
    ...(extraArguments === undefined ? {} : { extraArguments }),
  };
}

function extraArgumentsOf(raw: JsonObject): ToolCall['extraArguments'] {
  const context = ownObject(raw, 'mcp_context');
  if (context === undefined) return undefined;
  const server = ownString(context, 'server_name');
  const tool = ownString(context, 'tool_name');
  return {
    ...(server === undefined ? {} : { server }),
    ...(tool === undefined ? {} : { tool_name: tool }),
  };
}
