import { isJsonObject, type Json, type JsonObject } from '../../../src/lib/json.ts';

/** What the model says in one answer: text, a call of a tool, or a call with a text in place of arguments. */
export type Answer =
  | string
  | { readonly call: string; readonly args: JsonObject }
  | { readonly call: string; readonly input: string };

/** A model on this machine that says what it is told, in the words of whichever interface it is asked by. */
export interface ModelServer {
  /** Where it is, without a path. */
  readonly url: string;
  /** What it was asked, in order. */
  readonly requests: readonly JsonObject[];
  readonly stop: () => Promise<void>;
}

/** Starts the model. After its last answer it says "done". */
export function startModel(answers: readonly Answer[]): ModelServer {
  const requests: JsonObject[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const body: unknown = await request.json().catch(() => ({}));
      const speak = Object.entries(INTERFACES).find(([path]) =>
        new URL(request.url).pathname.endsWith(path),
      )?.[1];
      if (speak === undefined || !isJsonObject(body)) return Response.json({});
      // Titles, summaries and the like are asked for without tools.
      if (!hasTools(body) && speak !== responses) return stream(speak('a title'));
      requests.push(body);
      return stream(speak(answers[requests.length - 1] ?? 'done'));
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, requests, stop: () => server.stop(true) };
}

/** True if a request offers more than the form of a title. */
function hasTools({ tools }: JsonObject): boolean {
  return Array.isArray(tools) && !JSON.stringify(tools).includes('"name":"session_title"');
}

const INTERFACES = {
  '/messages': messages,
  '/responses': responses,
  '/chat/completions': completions,
} as const;

const USAGE = { input_tokens: 1, output_tokens: 1 };
let calls = 0;

/** Anthropic's Messages. */
function messages(answer: Answer): readonly JsonObject[] {
  const [block, delta]: readonly JsonObject[] =
    typeof answer === 'string'
      ? [
          { type: 'text', text: '' },
          { type: 'text_delta', text: answer },
        ]
      : [
          { type: 'tool_use', id: `toolu_${++calls}`, name: answer.call, input: {} },
          { type: 'input_json_delta', partial_json: argumentsOf(answer) },
        ];
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'model',
    content: [],
    usage: USAGE,
  };
  return [
    { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } },
    { type: 'content_block_start', index: 0, content_block: block ?? {} },
    { type: 'content_block_delta', index: 0, delta: delta ?? {} },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: typeof answer === 'string' ? 'end_turn' : 'tool_use', stop_sequence: null },
      usage: { output_tokens: 1 },
    },
    { type: 'message_stop' },
  ];
}

/** OpenAI's Responses. */
function responses(answer: Answer): readonly JsonObject[] {
  const call_id = `call_${++calls}`;
  const item: JsonObject =
    typeof answer === 'string'
      ? { type: 'message', role: 'assistant', id: 'm1', content: [{ type: 'output_text', text: answer }] }
      : 'input' in answer
        ? { type: 'custom_tool_call', id: 'f1', call_id, name: answer.call, input: answer.input }
        : { type: 'function_call', id: 'f1', call_id, name: answer.call, arguments: argumentsOf(answer) };
  const usage = { ...USAGE, input_tokens_details: null, output_tokens_details: null, total_tokens: 2 };
  return [
    { type: 'response.created', response: { id: 'r1' } },
    { type: 'response.output_item.done', item },
    { type: 'response.completed', response: { id: 'r1', usage } },
  ];
}

/** OpenAI's chat completions. */
function completions(answer: Answer): readonly JsonObject[] {
  const chunk = (delta: JsonObject, finish_reason: Json): JsonObject => ({
    id: 'c1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'model',
    choices: [{ index: 0, delta, finish_reason }],
  });
  const delta: JsonObject =
    typeof answer === 'string'
      ? { role: 'assistant', content: answer }
      : {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              index: 0,
              id: `call_${++calls}`,
              type: 'function',
              function: { name: answer.call, arguments: argumentsOf(answer) },
            },
          ],
        };
  return [chunk(delta, null), chunk({}, typeof answer === 'string' ? 'stop' : 'tool_calls')];
}

function argumentsOf(answer: Exclude<Answer, string>): string {
  return 'input' in answer ? answer.input : JSON.stringify(answer.args);
}

function stream(events: readonly JsonObject[]): Response {
  const lines = events.map(
    (event) =>
      `${event['type'] === undefined ? '' : `event: ${event['type']}\n`}data: ${JSON.stringify(event)}\n\n`,
  );
  const end = events[0]?.['object'] === undefined ? '' : 'data: [DONE]\n\n';
  return new Response(lines.join('') + end, { headers: { 'content-type': 'text/event-stream' } });
}
