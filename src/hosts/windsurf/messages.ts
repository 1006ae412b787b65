import { asObject, type Json, type JsonObject, own, ownObject, ownString } from '../../lib/json.ts';

/** The tools that events are about; those of MCP servers are called by server and tool. */
export const TOOL_OF = {
  pre_run_command: 'run_command',
  post_run_command: 'run_command',
  pre_read_code: 'read_code',
  post_read_code: 'read_code',
  pre_write_code: 'write_code',
  post_write_code: 'write_code',
} as const;

const MCP_NAME = /^mcp__(.*?)__(.*)$/s;

/** A message of Windsurf in the fields of the dialect: its event says which tool is meant, and `tool_info` has the arguments. */
export function readMessage(message: JsonObject): JsonObject {
  const event = ownString(message, 'agent_action_name') ?? '';
  const info = own(message, 'tool_info');
  const has = asObject(info);
  return {
    hook_event_name: own(message, 'agent_action_name') ?? null,
    session_id: own(message, 'trajectory_id') ?? null,
    turn_id: own(message, 'execution_id') ?? null,
    model: own(message, 'model_name') ?? null,
    cwd: own(has, 'cwd') ?? null,
    prompt: own(has, 'user_prompt') ?? null,
    last_assistant_message: own(has, 'response') ?? null,
    ...callOf(event, info ?? null),
  };
}

function callOf(event: string, info: Json): JsonObject {
  if (event === 'pre_mcp_tool_use' || event === 'post_mcp_tool_use') {
    const has = asObject(info);
    const tool = ownString(has, 'mcp_tool_name');
    return {
      ...(tool === undefined
        ? {}
        : { tool_name: `mcp__${ownString(has, 'mcp_server_name') ?? ''}__${tool}` }),
      tool_input: own(has, 'mcp_tool_arguments') ?? {},
      tool_response: own(has, 'mcp_result') ?? null,
    };
  }
  if (!Object.hasOwn(TOOL_OF, event)) return {};
  return { tool_name: TOOL_OF[event as keyof typeof TOOL_OF], tool_input: info, tool_response: null };
}

/** A message as Windsurf sends it. A tool that it has no event for is sent like those of MCP servers. */
export function writeMessage(fields: JsonObject): JsonObject {
  const event = ownString(fields, 'hook_event_name') ?? '';
  const [when = 'pre'] = event.split('_');
  const tool = ownString(fields, 'tool_name');
  const input = ownObject(fields, 'tool_input') ?? {};
  const [native] = Object.entries(TOOL_OF).find(([name, of]) => of === tool && name.startsWith(when)) ?? [];
  const [, server = '', name = tool ?? ''] = MCP_NAME.exec(tool ?? '') ?? [];
  const info: JsonObject =
    tool === undefined
      ? { user_prompt: own(fields, 'prompt') ?? '', response: own(fields, 'last_assistant_message') ?? '' }
      : native !== undefined
        ? { ...input, ...(native === 'pre_run_command' ? { cwd: own(fields, 'cwd') ?? '' } : {}) }
        : { mcp_server_name: server, mcp_tool_name: name, mcp_tool_arguments: input };
  return {
    agent_action_name: tool === undefined ? event : (native ?? `${when}_mcp_tool_use`),
    trajectory_id: own(fields, 'session_id') ?? 'session',
    execution_id: 'execution',
    timestamp: '2026-01-01T00:00:00.000Z',
    ...(own(fields, 'model') === undefined ? {} : { model_name: own(fields, 'model') ?? '' }),
    tool_info: info,
  };
}
