import {
  asObject,
  isJsonObject,
  type Json,
  type JsonObject,
  own,
  ownObject,
  ownString,
} from '../../lib/json.ts';
import { parseInner } from '../../lib/json-size.ts';

/** The event of a message without a name, by the field that only this event has. The first that is there counts. */
const BY_FIELD: Readonly<Record<string, string>> = {
  toolResult: 'PostToolUse',
  errorContext: 'ErrorOccurred',
  error: 'PostToolUseFailure',
  toolArgs: 'PreToolUse',
  prompt: 'UserPromptSubmit',
  source: 'SessionStart',
  trigger: 'PreCompact',
  agentId: 'SubagentStop',
  agentName: 'SubagentStart',
  stopReason: 'Stop',
  reason: 'SessionEnd',
};

/**
 * Translates a message of Copilot, whose keys follow the case of the event in the configuration: `tool_name` or `toolName`. VS
 * Code mixes both.
 */
export function readMessage(message: JsonObject): JsonObject {
  const camel = (name: string) => name.replace(/_[a-z]/g, ([, letter = '']) => letter.toUpperCase());
  const field = (name: string) => own(message, name) ?? own(message, camel(name));
  const result = field('tool_result');
  const texts = asObject(result);
  const fields: Readonly<Record<string, Json | undefined>> = {
    hook_event_name: field('hook_event_name') ?? eventOf(message),
    session_id: field('session_id'),
    tool_name: field('tool_name'),
    tool_input: argumentsOf(field('tool_input') ?? own(message, 'toolArgs')),
    tool_response:
      own(texts, 'text_result_for_llm') ??
      own(texts, 'textResultForLlm') ??
      result ??
      own(message, 'tool_response'),
    agent_type: field('agent_type') ?? field('agent_name'),
    agent_id: field('agent_id') ?? field('agent_name'),
    last_assistant_message: field('last_assistant_message') ?? own(message, 'response'),
  };
  const known = Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]));
  return { ...message, ...(Object.fromEntries(known) as JsonObject) };
}

function eventOf(message: JsonObject): string | undefined {
  if (ownString(message, 'hookName') === 'permissionRequest') return 'PermissionRequest';
  return Object.entries(BY_FIELD).find(([field]) => Object.hasOwn(message, field))?.[1];
}

/** Arguments are an object, the JSON of one in older versions, or a patch as it is. */
function argumentsOf(input: Json | undefined): Json | undefined {
  if (typeof input !== 'string') return input;
  const parsed = parseInner(input);
  return isJsonObject(parsed) ? parsed : { patch: input };
}

/** True for arguments that the host knows as one text, in whose place no object can be put. */
export function isBarePatch(subject: JsonObject): boolean {
  return Object.hasOwn(ownObject(subject, 'arguments') ?? {}, 'patch');
}
