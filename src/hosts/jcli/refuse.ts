import { isJsonObject, type Json, type JsonObject, ownString } from '../../lib/json.ts';
import type { HostSetting, Reply } from '../host.ts';
import { EVENTS, isNativeEvent, type JcliKind } from './events.ts';
import { type Generation, generationOf, refusesByAbort } from './generation.ts';

/** The refusal of a message that cannot be judged. The environment names the event where the message does not. */
export function refuse(message: Json | undefined, cause: string, setting: HostSetting): Reply {
  const named = isJsonObject(message) ? ownString(message, 'event') : undefined;
  const native = named ?? setting.env['JCLI_HOOK_EVENT'];
  const kind = native !== undefined && isNativeEvent(native) ? EVENTS[native] : 'before_tool';
  const reason = `Refused by policy: this event cannot be judged: ${cause}`;
  return reply(refusalOf(kind, reason, generationOf(setting, message)));
}

/** The answer that stops this event's effect. Never both of `action` and `abort`. */
export function refusalOf(kind: JcliKind, reason: string, generation: Generation): JsonObject {
  switch (kind) {
    // A stop lets the tool run; only a skip keeps it from running.
    case 'before_tool':
      return refusesByAbort(generation) ? { abort: true } : { action: 'skip' };
    case 'before_prompt':
    case 'before_llm':
      return refusesByAbort(generation) ? { abort: true } : { action: 'stop' };
    case 'after_llm':
      return refusesByAbort(generation)
        ? { assistant_output: reason }
        : { action: 'stop', system_message: reason };
    case 'after_tool':
      return { tool_result: reason };
    case 'tool_failure':
      return { tool_error: reason };
    case 'prompt_sent':
    case 'after_turn':
    case 'before_compact':
    case 'after_compact':
    case 'session_start':
    case 'session_end':
      return {};
    default:
      return kind satisfies never;
  }
}

/** An answer. Every exit code but 0 counts as a broken hook, which lets the call through. */
export function reply(body: JsonObject): Reply {
  const text = JSON.stringify(body);
  return { stdout: text.includes('\\ud') ? JSON.stringify(body, wellFormed) : text, stderr: '', exitCode: 0 };
}

/** The host cannot read half of a surrogate pair, and would throw the whole answer away for it. */
function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}
