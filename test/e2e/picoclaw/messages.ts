import type { Json, JsonObject } from '../../../src/lib/json.ts';
import { omitEmpty, type Shape } from './go-json.ts';

const META: Shape = {
  struct: {
    AgentID: 'string',
    TurnID: 'string',
    ParentTurnID: 'string',
    SessionKey: 'string',
    Iteration: 'int',
    TracePath: 'string',
    Source: 'string',
  },
};
const INBOUND: Shape = {
  struct: {
    ...Object.fromEntries(
      [
        'channel',
        'account',
        'chat_id',
        'chat_type',
        'topic_id',
        'space_id',
        'space_type',
        'sender_id',
        'message_id',
        'reply_to_message_id',
        'reply_to_sender_id',
      ].map((name): [string, Shape] => [name, 'string']),
    ),
    mentioned: 'bool',
    reply_handles: { map: 'string' },
    raw: { map: 'string' },
  },
};
const ROUTE: Shape = {
  struct: {
    AgentID: 'string',
    Channel: 'string',
    AccountID: 'string',
    SessionPolicy: { struct: { Dimensions: { list: 'string' }, IdentityLinks: { map: { list: 'string' } } } },
    MatchedBy: 'string',
  },
};
const SCOPE: Shape = {
  struct: {
    version: 'int',
    agent_id: 'string',
    channel: 'string',
    account: 'string',
    dimensions: { list: 'string' },
    values: { map: 'string' },
  },
};
const COMMON = {
  meta: META,
  context: {
    pointer: {
      struct: { inbound: { pointer: INBOUND }, route: { pointer: ROUTE }, scope: { pointer: SCOPE } },
    },
  },
  channel: 'string',
  chat_id: 'string',
} as const satisfies Record<string, Shape>;

const FUNCTION_CALL: Shape = { struct: { name: 'string', arguments: 'string', thought_signature: 'string' } };
const TOOL_CALL: Shape = {
  struct: {
    id: 'string',
    type: 'string',
    function: { pointer: FUNCTION_CALL },
    extra_content: {
      pointer: {
        struct: {
          google: { pointer: { struct: { thought_signature: 'string' } } },
          tool_feedback_explanation: 'string',
        },
      },
    },
  },
};
const CACHE_CONTROL: Shape = { pointer: { struct: { type: 'string' } } };
const MESSAGE: Shape = {
  struct: {
    role: 'string',
    content: 'string',
    model_name: 'string',
    created_at: { pointer: 'time' },
    media: { list: 'string' },
    attachments: {
      list: {
        struct: { type: 'string', ref: 'string', url: 'string', filename: 'string', content_type: 'string' },
      },
    },
    reasoning_content: 'string',
    system_parts: { list: { struct: { type: 'string', text: 'string', cache_control: CACHE_CONTROL } } },
    tool_calls: { list: TOOL_CALL },
    tool_call_id: 'string',
  },
};
const TOOL_DEFINITION: Shape = {
  struct: {
    type: 'string',
    function: { struct: { name: 'string', description: 'string', parameters: { map: 'any' } } },
  },
};
const LLM_RESPONSE: Shape = {
  struct: {
    content: 'string',
    reasoning_content: 'string',
    tool_calls: { list: TOOL_CALL },
    finish_reason: 'string',
    usage: { pointer: { struct: { prompt_tokens: 'int', completion_tokens: 'int', total_tokens: 'int' } } },
    reasoning: 'string',
    reasoning_details: {
      pointer: { list: { struct: { format: 'string', index: 'int', type: 'string', text: 'string' } } },
    },
  },
};
export const TOOL_RESULT: Shape = {
  struct: {
    for_llm: 'string',
    for_user: 'string',
    silent: 'bool',
    is_error: 'bool',
    async: 'bool',
    media: { list: 'string' },
    artifact_tags: { list: 'string' },
    response_handled: 'bool',
  },
};

const BEFORE_LLM: Shape = {
  struct: {
    ...COMMON,
    model: 'string',
    messages: { list: MESSAGE },
    tools: { list: TOOL_DEFINITION },
    options: { map: 'any' },
    graceful_terminal: 'bool',
  },
};
const AFTER_LLM: Shape = { struct: { ...COMMON, model: 'string', response: { pointer: LLM_RESPONSE } } };
const TOOL_REQUEST: Shape = {
  struct: { ...COMMON, tool: 'string', arguments: { map: 'any' }, hook_result: { pointer: TOOL_RESULT } },
};
const AFTER_TOOL: Shape = {
  struct: {
    ...COMMON,
    tool: 'string',
    arguments: { map: 'any' },
    result: { pointer: TOOL_RESULT },
    duration: 'int',
  },
};

/** The parameters of each method. */
export const PARAMS = {
  'hook.before_llm': BEFORE_LLM,
  'hook.after_llm': AFTER_LLM,
  'hook.before_tool': TOOL_REQUEST,
  'hook.approve_tool': TOOL_REQUEST,
  'hook.after_tool': AFTER_TOOL,
} as const satisfies Record<string, Shape>;

const VERDICT = { action: 'string', reason: 'string' } as const;

/** What PicoClaw decodes from the result of each method. */
export const ANSWERS = {
  'hook.before_llm': { struct: { ...VERDICT, request: { pointer: BEFORE_LLM } } },
  'hook.after_llm': { struct: { ...VERDICT, response: { pointer: AFTER_LLM } } },
  'hook.before_tool': {
    struct: { ...VERDICT, call: { pointer: TOOL_REQUEST }, result: { pointer: TOOL_RESULT } },
  },
  'hook.after_tool': { struct: { ...VERDICT, result: { pointer: AFTER_TOOL } } },
  'hook.approve_tool': { struct: { approved: 'bool', reason: 'string' } },
} as const satisfies Record<string, Shape>;
export type Interceptor = keyof typeof ANSWERS;

const RESULT_OMITS = ['for_user', 'media', 'artifact_tags', 'response_handled'];
const MESSAGE_OMITS = [
  'model_name',
  'created_at',
  'media',
  'attachments',
  'reasoning_content',
  'system_parts',
  'tool_calls',
  'tool_call_id',
];
const REQUEST_OMITS = [
  'context',
  'channel',
  'chat_id',
  'messages',
  'tools',
  'options',
  'graceful_terminal',
  'arguments',
  'hook_result',
  'response',
];

/** The parameters of a request as PicoClaw writes them: a value of one of the shapes above without what is empty. */
export function toWire(params: JsonObject): JsonObject {
  const wire: Record<string, Json> = { ...omitEmpty(params, REQUEST_OMITS) };
  if (Array.isArray(wire['messages'])) wire['messages'] = wire['messages'].map(messageToWire);
  if (isObject(wire['response'])) wire['response'] = responseToWire(wire['response']);
  if (isObject(wire['result'])) wire['result'] = omitEmpty(wire['result'], RESULT_OMITS);
  if (isObject(wire['hook_result'])) wire['hook_result'] = omitEmpty(wire['hook_result'], RESULT_OMITS);
  if (wire['result'] === null) delete wire['result'];
  return wire;
}

function messageToWire(message: Json): Json {
  if (!isObject(message)) return message;
  const wire: Record<string, Json> = { ...omitEmpty(message, MESSAGE_OMITS) };
  if (Array.isArray(wire['tool_calls'])) wire['tool_calls'] = wire['tool_calls'].map(callToWire);
  return wire;
}

function responseToWire(response: JsonObject): JsonObject {
  const wire: Record<string, Json> = { ...omitEmpty(response, ['reasoning_content', 'tool_calls', 'usage']) };
  if (Array.isArray(wire['tool_calls'])) wire['tool_calls'] = wire['tool_calls'].map(callToWire);
  return wire;
}

function callToWire(call: Json): Json {
  if (!isObject(call)) return call;
  const called = call['function'];
  return omitEmpty(
    {
      ...call,
      function: isObject(called ?? null) ? omitEmpty(called as JsonObject, ['thought_signature']) : null,
    },
    ['type', 'function', 'extra_content'],
  );
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
