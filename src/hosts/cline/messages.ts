import { type Json, type JsonObject, own, ownObject, ownString } from '../../lib/json.ts';

/** Where a message has what its event is about, and what the event is called in the files that hold hooks. */
const PARTS = {
  preToolUse: 'PreToolUse',
  postToolUse: 'PostToolUse',
  userPromptSubmit: 'UserPromptSubmit',
  taskStart: 'TaskStart',
  taskComplete: 'TaskComplete',
  preCompact: 'PreCompact',
} as const;

/** A message of Cline in the fields of the dialect. Its command line and its extension name events differently. */
export function readMessage(message: JsonObject): JsonObject {
  const [key] = Object.entries(PARTS).find(([part]) => own(message, part) !== undefined) ?? [];
  const part = key === undefined ? {} : (ownObject(message, key) ?? {});
  const name = ownString(message, 'hookName');
  const event = name === undefined || key === undefined ? name : PARTS[key as keyof typeof PARTS];
  const [root] = [own(message, 'workspaceRoots') ?? []].flat();
  return {
    hook_event_name: event ?? null,
    session_id: own(message, 'taskId') ?? null,
    cwd: typeof root === 'string' ? root : null,
    prompt: own(part, 'prompt') ?? null,
    ...(own(message, 'parent_agent_id') == null ? {} : { agent_id: own(message, 'agent_id') ?? 'agent' }),
    ...callOf(message, part),
  };
}

/** The command line sends the arguments as they are beside a copy with texts for values. */
function callOf(message: JsonObject, part: JsonObject): JsonObject {
  const call = ownObject(message, 'tool_call');
  const name = call === undefined ? own(part, 'toolName') : own(call, 'name');
  if (name === undefined) return {};
  const input = call === undefined ? own(part, 'parameters') : own(call, 'input');
  return {
    tool_name: name,
    tool_input: parsed(input ?? null),
    tool_response: own(part, 'result') ?? null,
    ...(call === undefined ? {} : { tool_use_id: own(call, 'id') ?? null }),
  };
}

/** Arguments that are texts of JSON; others are what they are, and refused further on. */
function parsed(input: Json): Json {
  if (typeof input !== 'string') return input;
  try {
    return JSON.parse(input) as Json;
  } catch {
    return input;
  }
}

/** A message as the extension sends it. */
export function writeMessage(fields: JsonObject): JsonObject {
  const event = ownString(fields, 'hook_event_name') ?? '';
  const [key] = Object.entries(PARTS).find(([, name]) => name === event) ?? [];
  const tool = own(fields, 'tool_name');
  const part: JsonObject =
    tool === undefined
      ? { prompt: own(fields, 'prompt') ?? '' }
      : {
          toolName: tool,
          parameters: own(fields, 'tool_input') ?? {},
          ...(own(fields, 'tool_response') === undefined
            ? {}
            : { result: own(fields, 'tool_response') ?? null }),
        };
  const agent = own(fields, 'agent_id');
  return {
    clineVersion: '3.0.65',
    hookName: event,
    timestamp: '0',
    taskId: own(fields, 'session_id') ?? 'task',
    workspaceRoots: [own(fields, 'cwd') ?? '/workspace'],
    userId: 'user',
    ...(agent === undefined ? {} : { agent_id: agent, parent_agent_id: 'parent' }),
    ...(key === undefined ? {} : { [key]: part }),
  };
}

/** True if a message is one of Cline's. */
export function isCline(message: JsonObject): boolean {
  return ownString(message, 'clineVersion') !== undefined && Object.hasOwn(message, 'hookName');
}
