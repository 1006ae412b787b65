import { type Json, type JsonObject, own, ownObject, ownString } from '../../lib/json.ts';
import type { EventKind, Subject } from '../../model/event.ts';

/** The part that a policy may see and rewrite; a string names the fault of the message. */
export function subjectOf(kind: EventKind, fields: JsonObject): Subject | string {
  switch (kind) {
    case 'before_tool':
    case 'approve_tool': {
      const tool = ownString(fields, 'tool_name');
      if (tool === undefined) return '"tool_name" is not a string';
      const args = ownObject(fields, 'tool_input');
      return args === undefined ? '"tool_input" is not an object' : { tool, arguments: args };
    }
    case 'after_tool':
      return resultSubject(fields, own(fields, 'tool_response'));
    case 'tool_failure':
      return resultSubject(fields, own(fields, 'error'));
    case 'before_prompt': {
      const prompt = ownString(fields, 'prompt');
      return prompt === undefined ? '"prompt" is not a string' : { prompt };
    }
    case 'after_turn':
      return textSubject('response', ownString(fields, 'last_assistant_message'));
    case 'notification':
      return textSubject('message', ownString(fields, 'message'));
    default:
      return {};
  }
}

function resultSubject(fields: JsonObject, result: Json | undefined): Subject | string {
  if (ownString(fields, 'tool_name') === undefined) return '"tool_name" is not a string';
  return { result: result ?? null };
}

function textSubject(key: string, text: string | undefined): Subject {
  return text === undefined ? {} : { [key]: text };
}
