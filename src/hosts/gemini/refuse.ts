import { isJsonObject, type Json, ownString } from '../../lib/json.ts';
import type { Reply } from '../host.ts';
import { EVENTS, type GeminiKind, isNativeEvent } from './events.ts';
import { reply } from './reply.ts';

/** No tool may be called. Gemini CLI ignores every other refusal in BeforeToolSelection. */
export const NO_TOOLS = {
  hookSpecificOutput: { hookEventName: 'BeforeToolSelection', toolConfig: { mode: 'NONE' } },
} as const;

/** The refusal of a message that cannot be judged. */
export function refuse(message: Json | undefined, cause: string): Reply {
  const name = isJsonObject(message) ? ownString(message, 'hook_event_name') : undefined;
  const reason = `Refused by policy: this event cannot be judged: ${cause}`;
  return name !== undefined && isNativeEvent(name)
    ? refuseEvent(EVENTS[name], reason)
    : refuseAnything(reason);
}

function refuseEvent(kind: GeminiKind, reason: string): Reply {
  switch (kind) {
    case 'before_tool':
    case 'after_tool':
    case 'before_prompt':
      return reply({ decision: 'deny', reason }, 2);
    // A later hook's `allow` overwrites a `deny` here, but not a `continue: false`.
    case 'before_llm':
    case 'after_llm':
      return reply({ continue: false, stopReason: reason, decision: 'deny', reason }, 2);
    case 'tool_choice':
      return reply(NO_TOOLS, 0);
    case 'after_turn':
    case 'session_start':
    case 'session_end':
    case 'before_compact':
    case 'notification':
      return reply({}, 0);
    default:
      return kind satisfies never;
  }
}

/** Everything that any event takes for a refusal. `continue: false` keeps AfterAgent from asking the model again. */
function refuseAnything(reason: string): Reply {
  return reply({ continue: false, stopReason: reason, decision: 'deny', reason, ...NO_TOOLS }, 2);
}
