import type { FieldType } from './field-types.ts';

// The structs of `pkg/agent/hooks.go`, `pkg/providers/protocoltypes`, `pkg/tools/shared`, `pkg/bus`, `pkg/routing` and
// `pkg/session` in PicoClaw's source, with the fields of all versions: none has changed its type.

const META: FieldType = {
  fields: {
    AgentID: 'string',
    TurnID: 'string',
    ParentTurnID: 'string',
    SessionKey: 'string',
    Iteration: 'int',
    TracePath: 'string',
    Source: 'string',
  },
};
const INBOUND: FieldType = {
  fields: {
    channel: 'string',
    account: 'string',
    chat_id: 'string',
    chat_type: 'string',
    topic_id: 'string',
    space_id: 'string',
    space_type: 'string',
    sender_id: 'string',
    message_id: 'string',
    mentioned: 'boolean',
    reply_to_message_id: 'string',
    reply_to_sender_id: 'string',
    reply_handles: { map: 'string' },
    raw: { map: 'string' },
  },
};
const ROUTE: FieldType = {
  fields: {
    AgentID: 'string',
    Channel: 'string',
    AccountID: 'string',
    SessionPolicy: {
      fields: { Dimensions: { list: 'string' }, IdentityLinks: { map: { list: 'string' } } },
    },
    MatchedBy: 'string',
  },
};
const SCOPE: FieldType = {
  fields: {
    version: 'int',
    agent_id: 'string',
    channel: 'string',
    account: 'string',
    dimensions: { list: 'string' },
    values: { map: 'string' },
  },
};
/** What every message carries beside its own fields; the last two before 0.2.7. */
const COMMON = {
  meta: META,
  context: { fields: { inbound: INBOUND, route: ROUTE, scope: SCOPE } },
  channel: 'string',
  chat_id: 'string',
} as const satisfies Record<string, FieldType>;

const TOOL_CALLS: FieldType = {
  list: {
    fields: {
      id: 'string',
      type: 'string',
      function: { fields: { name: 'string', arguments: 'string', thought_signature: 'string' } },
      extra_content: {
        fields: {
          google: { fields: { thought_signature: 'string' } },
          tool_feedback_explanation: 'string',
        },
      },
    },
  },
};
const CHAT_MESSAGE: FieldType = {
  fields: {
    role: 'string',
    content: 'text',
    model_name: 'string',
    created_at: 'time',
    media: { list: 'string' },
    attachments: {
      list: {
        fields: { type: 'string', ref: 'string', url: 'string', filename: 'string', content_type: 'string' },
      },
    },
    reasoning_content: 'string',
    system_parts: {
      list: { fields: { type: 'string', text: 'string', cache_control: { fields: { type: 'string' } } } },
    },
    tool_calls: TOOL_CALLS,
    tool_call_id: 'string',
  },
};

const TOOL_RESULT: FieldType = {
  fields: {
    for_llm: 'string',
    for_user: 'string',
    silent: 'boolean',
    is_error: 'boolean',
    async: 'boolean',
    media: { list: 'string' },
    artifact_tags: { list: 'string' },
    response_handled: 'boolean',
  },
};

/** A request to the model. */
export const LLM_REQUEST: FieldType = {
  fields: {
    ...COMMON,
    model: 'string',
    messages: { list: CHAT_MESSAGE },
    tools: {
      list: {
        fields: {
          type: 'string',
          function: { fields: { name: 'string', description: 'string', parameters: { map: 'any' } } },
        },
      },
    },
    options: { map: 'any' },
    graceful_terminal: 'boolean',
  },
};

/** The model's answer. */
export const LLM_RESPONSE: FieldType = {
  fields: {
    ...COMMON,
    model: 'string',
    response: {
      fields: {
        content: 'string',
        reasoning_content: 'string',
        tool_calls: TOOL_CALLS,
        finish_reason: 'string',
        usage: { fields: { prompt_tokens: 'int', completion_tokens: 'int', total_tokens: 'int' } },
        reasoning: 'string',
        reasoning_details: {
          list: { fields: { format: 'string', index: 'int', type: 'string', text: 'string' } },
        },
      },
    },
  },
};

/** A call before it runs. */
export const TOOL_CALL: FieldType = {
  fields: { ...COMMON, tool: 'string', arguments: { map: 'any' }, hook_result: TOOL_RESULT },
};

/** A call that has run. */
export const FINISHED_CALL: FieldType = {
  fields: {
    ...COMMON,
    tool: 'string',
    arguments: { map: 'any' },
    result: TOOL_RESULT,
    duration: 'int64',
  },
};

const DECISION = { action: 'string', reason: 'string' } as const satisfies Record<string, FieldType>;

export const BEFORE_LLM_ANSWER: FieldType = { fields: { ...DECISION, request: LLM_REQUEST } };
export const AFTER_LLM_ANSWER: FieldType = { fields: { ...DECISION, response: LLM_RESPONSE } };
export const BEFORE_TOOL_ANSWER: FieldType = {
  fields: { ...DECISION, call: TOOL_CALL, result: TOOL_RESULT },
};
export const AFTER_TOOL_ANSWER: FieldType = { fields: { ...DECISION, result: FINISHED_CALL } };
