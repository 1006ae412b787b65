import type { Json, JsonObject } from '../../../src/lib/json.ts';

const META: JsonObject = {
  AgentID: 'main',
  TurnID: 'main-turn-3',
  ParentTurnID: '',
  SessionKey: 'telegram:group:42',
  Iteration: 2,
  TracePath: 'turn.tool.before',
  Source: 'runTurn',
};
const CONTEXT: JsonObject = {
  inbound: { channel: 'telegram', chat_id: '42', chat_type: 'group', sender_id: '7', message_id: '9' },
  route: { AgentID: 'main', Channel: 'telegram' },
};
const OLD_PLACE: JsonObject = { channel: 'telegram', chat_id: '42' };

/** A request as PicoClaw sends it. */
export function request(method: string, params: Json, id: Json = 4): JsonObject {
  return { jsonrpc: '2.0', id, method, params };
}

/** A request of the newest version with the parameters that all have. */
export function current(method: string, params: JsonObject): JsonObject {
  return request(method, { meta: META, context: CONTEXT, ...params });
}

/** The same as 0.2.6 sends it. */
export function old(method: string, params: JsonObject): JsonObject {
  return request(method, { meta: META, ...OLD_PLACE, ...params });
}

export function notice(method: string, params: JsonObject): JsonObject {
  return { jsonrpc: '2.0', method, params };
}

export const CALL: JsonObject = { tool: 'exec', arguments: { action: 'run', command: 'git push -f' } };

export const RESULT: JsonObject = {
  for_llm: 'token=abc',
  for_user: 'token=abc',
  silent: false,
  is_error: false,
  async: false,
  media: ['media://1'],
  artifact_tags: ['[file:/tmp/a]'],
  response_handled: true,
  later_field: 'token=abc',
};

export const MESSAGES: readonly JsonObject[] = [
  { role: 'system', content: 'You help.', system_parts: [{ type: 'text', text: 'You help.' }] },
  { role: 'user', content: 'hello' },
  { role: 'assistant', content: '', reasoning_content: 'hm', tool_calls: [{ id: 'c1', type: 'function' }] },
  { role: 'tool', content: 'out', tool_call_id: 'c1' },
];

export const TOOL: JsonObject = {
  type: 'function',
  function: { name: 'exec', description: 'Runs', parameters: { type: 'object' } },
};

export const REQUEST: JsonObject = {
  model: 'claude-sonnet',
  messages: MESSAGES,
  tools: [TOOL],
  options: { max_tokens: 4096 },
  graceful_terminal: true,
};

export const RESPONSE: JsonObject = {
  content: 'The key is abc',
  finish_reason: 'stop',
  reasoning: 'because abc',
  reasoning_details: [{ format: 'text', index: 0, type: 'summary', text: 'abc' }],
  later_field: 1,
};

export const NAMED_CALL: JsonObject = {
  id: 'c1',
  type: 'function',
  function: { name: 'exec', arguments: '{"command":"ls"}' },
};
