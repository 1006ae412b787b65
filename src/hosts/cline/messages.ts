import { type JsonObject, own, ownObject, ownString } from '../../lib/json.ts';
import { innerValue } from '../../lib/json-size.ts';

/** A message of Cline in the fields of the dialect. Its command line calls the event about a tool `tool_call`. */
export function readMessage(message: JsonObject): JsonObject {
  const name = ownString(message, 'hookName');
  const [root] = [own(message, 'workspaceRoots') ?? []].flat();
  const parent = own(message, 'parent_agent_id') ?? null;
  return {
    hook_event_name: name === 'tool_call' ? 'PreToolUse' : (name ?? null),
    // Its sessions know themselves by this name; extensions have tasks.
    session_id:
      own(ownObject(message, 'sessionContext') ?? {}, 'rootSessionId') ?? own(message, 'taskId') ?? null,
    cwd: typeof root === 'string' ? root : null,
    ...(parent === null ? {} : { agent_id: own(message, 'agent_id') ?? 'agent' }),
    ...callOf(message),
  };
}

/** The command line sends the arguments as they are beside a copy with strings for values. */
function callOf(message: JsonObject): JsonObject {
  const call = ownObject(message, 'tool_call');
  if (call !== undefined)
    return {
      tool_name: own(call, 'name') ?? null,
      tool_input: innerValue(own(call, 'input') ?? null),
      tool_use_id: own(call, 'id') ?? null,
    };
  const part = ownObject(message, 'preToolUse') ?? {};
  return {
    tool_name: own(part, 'toolName') ?? null,
    tool_input: innerValue(own(part, 'parameters') ?? null),
  };
}

/** A message as the extension sends it. */
export function writeMessage(fields: JsonObject): JsonObject {
  const agent = own(fields, 'agent_id');
  return {
    clineVersion: '3.0.65',
    hookName: own(fields, 'hook_event_name') ?? '',
    timestamp: '0',
    taskId: own(fields, 'session_id') ?? 'task',
    workspaceRoots: [own(fields, 'cwd') ?? '/workspace'],
    userId: 'user',
    ...(agent === undefined ? {} : { agent_id: agent, parent_agent_id: 'parent' }),
    preToolUse: { toolName: own(fields, 'tool_name') ?? '', parameters: own(fields, 'tool_input') ?? {} },
  };
}

export function isCline(message: JsonObject): boolean {
  return ownString(message, 'clineVersion') !== undefined && Object.hasOwn(message, 'hookName');
}
