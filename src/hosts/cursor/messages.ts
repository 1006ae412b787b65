import { canonicalJson } from '../../lib/canonical-json.ts';
import { fastHash } from '../../lib/digest.ts';
import { asObject, type Json, type JsonObject, own, ownString } from '../../lib/json.ts';
import { innerValue } from '../../lib/json-size.ts';

/** A message of Cursor in the fields of the dialect. Some events are about one tool, and name it by their own names. */
export function readMessage(message: JsonObject): JsonObject {
  const [root] = [own(message, 'workspace_roots') ?? []].flat();
  const cwd = ownString(message, 'cwd') ?? '';
  return {
    ...message,
    session_id: own(message, 'session_id') ?? own(message, 'conversation_id') ?? null,
    turn_id: own(message, 'generation_id') ?? null,
    cwd: cwd === '' ? (root ?? '') : cwd,
    tool_response: own(message, 'tool_output') ?? null,
    ...said('error', own(message, 'error_message')),
    ...said('agent_type', own(message, 'subagent_type')),
    ...said('agent_id', own(message, 'subagent_id') ?? own(message, 'subagent_type')),
    ...said('last_assistant_message', own(message, 'summary')),
    ...callOf(message),
  };
}

function said(field: string, value: Json | undefined): JsonObject {
  return value === undefined ? {} : { [field]: value };
}

/** The tools about whose calls a second event comes, which names fewer of their arguments. */
const TWIN_TOOLS = /^(?:Shell|Read|MCP:.*)$/;

/** The common mark of both events about a call: no host's id is in both. */
export function twinOf({ session_id, turn_id, tool_name, tool_input }: JsonObject): string | undefined {
  if (!TWIN_TOOLS.test(String(tool_name))) return undefined;
  const input = asObject(tool_input);
  const said =
    own(input, 'command') ??
    own(input, 'file_path') ??
    own(input, 'target_file') ??
    own(input, 'path') ??
    canonicalJson(input);
  return fastHash(JSON.stringify([session_id, turn_id, tool_name, said]));
}

function callOf(message: JsonObject): JsonObject {
  const event = ownString(message, 'hook_event_name');
  switch (ownString(message, 'tool_name') === undefined || event === 'beforeMCPExecution' ? event : '') {
    case 'beforeShellExecution':
      return callWith('Shell', 'command', message);
    case 'beforeReadFile':
      return callWith('Read', 'file_path', message);
    case 'beforeMCPExecution': {
      const tool = ownString(message, 'tool_name');
      const input = innerValue(own(message, 'tool_input') ?? null);
      return {
        ...(tool === undefined ? {} : { tool_name: tool.startsWith('MCP:') ? tool : `MCP:${tool}` }),
        tool_input: input,
      };
    }
    default:
      return {};
  }
}

function callWith(tool_name: string, argument: string, message: JsonObject): JsonObject {
  return { tool_name, tool_input: { [argument]: own(message, argument) ?? null } };
}
