import { wordsIn } from '../words-in.ts';
import { type Fields, type FieldType, fieldsOf } from './field-types.ts';

// The structs of `pkg/agent/hooks.go`, `pkg/providers/protocoltypes`, `pkg/tools/shared`, `pkg/bus`, `pkg/routing` and
// `pkg/session` in PicoClaw's source, with the fields of all versions: none has changed its type.

/** A struct: its strings by their names, then its other fields. */
function struct(strings: string, others: Fields = {}): FieldType {
  return fieldsOf({ ...Object.fromEntries(wordsIn(strings).map((name) => [name, 'string'])), ...others });
}

const STRINGS: FieldType = { list: 'string' };

const INBOUND = struct(
  `channel account chat_id chat_type topic_id space_id space_type sender_id message_id
   reply_to_message_id reply_to_sender_id`,
  { mentioned: 'boolean', reply_handles: { map: 'string' }, raw: { map: 'string' } },
);
const ROUTE = struct('AgentID Channel AccountID MatchedBy', {
  SessionPolicy: struct('', { Dimensions: STRINGS, IdentityLinks: { map: STRINGS } }),
});
const SCOPE = struct('agent_id channel account', {
  version: 'int',
  dimensions: STRINGS,
  values: { map: 'string' },
});

/** A message, with the fields that each carries beside its own: `channel` and `chat_id` before 0.2.7. */
function message(strings: string, others: Fields): FieldType {
  return struct(`channel chat_id ${strings}`, {
    meta: struct('AgentID TurnID ParentTurnID SessionKey TracePath Source', { Iteration: 'int' }),
    context: struct('', { inbound: INBOUND, route: ROUTE, scope: SCOPE }),
    ...others,
  });
}

const TOOL_CALLS: FieldType = {
  list: struct('id type', {
    function: struct('name arguments thought_signature'),
    extra_content: struct('tool_feedback_explanation', { google: struct('thought_signature') }),
  }),
};
const CHAT_MESSAGE = struct('role model_name reasoning_content tool_call_id', {
  content: 'text',
  created_at: 'time',
  media: STRINGS,
  attachments: { list: struct('type ref url filename content_type') },
  system_parts: { list: struct('type text', { cache_control: struct('type') }) },
  tool_calls: TOOL_CALLS,
});
const TOOL_RESULT = struct('for_llm for_user', {
  silent: 'boolean',
  is_error: 'boolean',
  async: 'boolean',
  media: STRINGS,
  artifact_tags: STRINGS,
  response_handled: 'boolean',
});
const MODEL_ANSWER = struct('content reasoning_content finish_reason reasoning', {
  tool_calls: TOOL_CALLS,
  usage: struct('', { prompt_tokens: 'int', completion_tokens: 'int', total_tokens: 'int' }),
  reasoning_details: { list: struct('format type text', { index: 'int' }) },
});

export const LLM_REQUEST = message('model', {
  messages: { list: CHAT_MESSAGE },
  tools: {
    list: struct('type', { function: struct('name description', { parameters: { map: 'any' } }) }),
  },
  options: { map: 'any' },
  graceful_terminal: 'boolean',
});

export const LLM_RESPONSE = message('model', { response: MODEL_ANSWER });

/** A call before it runs. */
export const TOOL_CALL = message('tool', { arguments: { map: 'any' }, hook_result: TOOL_RESULT });

export const FINISHED_CALL = message('tool', {
  arguments: { map: 'any' },
  result: TOOL_RESULT,
  duration: 'int64',
});

export const BEFORE_LLM_ANSWER = struct('action reason', { request: LLM_REQUEST });
export const AFTER_LLM_ANSWER = struct('action reason', { response: LLM_RESPONSE });
export const BEFORE_TOOL_ANSWER = struct('action reason', { call: TOOL_CALL, result: TOOL_RESULT });
export const AFTER_TOOL_ANSWER = struct('action reason', { result: FINISHED_CALL });
