import type { JsonObject } from '../../../src/lib/json.ts';

/** What a model on loopback says to one request. */
export type Saying =
  /** The answer that the prompt asks for, with the nonce it names. */
  | {
      readonly verdict: string;
      readonly confidence?: number;
      readonly reason?: string;
      readonly nonce?: string;
    }
  /** Any text in the place of the answer. */
  | { readonly text: string }
  /** Any HTTP answer in the place of the wire format's own. */
  | { readonly response: (request: Request) => Response | Promise<Response> };

/** One request as it arrived. */
export interface Received {
  readonly path: string;
  readonly headers: Headers;
  readonly body: JsonObject;
  readonly system: string;
  readonly user: string;
}

export interface ModelServer {
  readonly url: string;
  readonly received: readonly Received[];
  readonly stop: () => Promise<void>;
}

/**
 * A server that speaks the three wire formats as their documentation has them, streaming off:
 * https://platform.openai.com/docs/api-reference/chat, https://docs.anthropic.com/en/api/messages,
 * https://ai.google.dev/api/generate-content.
 *
 * @param say what it answers to the request with this number, from 0
 */
export function startModelServer(
  say: (received: Received, index: number) => Saying | Promise<Saying>,
  tls?: { readonly key: string; readonly cert: string },
): ModelServer {
  const received: Received[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    ...(tls === undefined ? {} : { tls }),
    async fetch(request) {
      const path = new URL(request.url).pathname;
      const body = (await request.json()) as JsonObject;
      const entry = { path, headers: request.headers, body, ...promptOf(path, body) };
      received.push(entry);
      const said = await say(entry, received.length - 1);
      if ('response' in said) return said.response(request);
      return Response.json(wrap(path, body, textOf(said, entry.system)));
    },
  });
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${server.port}`,
    received,
    stop: () => server.stop(true),
  };
}

function textOf(said: Exclude<Saying, { response: unknown }>, system: string): string {
  if ('text' in said) return said.text;
  const { verdict, confidence = 0.9, reason = 'because the test says so' } = said;
  const nonce = said.nonce ?? nonceIn(system);
  return JSON.stringify({ nonce, reason, confidence, verdict });
}

/** The nonce that an answer has to repeat. */
export function nonceIn(system: string): string {
  return /"nonce" is "([0-9a-f]+)"/.exec(system)?.[1] ?? '';
}

interface OpenAiBody {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}
interface AnthropicBody {
  readonly system: readonly { readonly text: string }[];
  readonly messages: readonly { readonly content: readonly { readonly text: string }[] }[];
  readonly tools?: readonly { readonly name: string }[];
}
interface GoogleBody {
  readonly systemInstruction: { readonly parts: readonly { readonly text: string }[] };
  readonly contents: readonly { readonly parts: readonly { readonly text: string }[] }[];
}

function promptOf(path: string, body: unknown): { system: string; user: string } {
  if (path.endsWith('/chat/completions')) {
    const { messages } = body as OpenAiBody;
    const said = (role: string) => messages.find((message) => message.role === role)?.content ?? '';
    return { system: said('system'), user: said('user') };
  }
  if (path.endsWith('/messages')) {
    const { system, messages } = body as AnthropicBody;
    return { system: system.map(({ text }) => text).join('\n'), user: messages[0]?.content[0]?.text ?? '' };
  }
  const { systemInstruction, contents } = body as GoogleBody;
  return {
    system: systemInstruction.parts.map(({ text }) => text).join('\n'),
    user: contents[0]?.parts[0]?.text ?? '',
  };
}

function wrap(path: string, body: unknown, text: string): JsonObject {
  if (path.endsWith('/chat/completions')) {
    return {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model: 'tested',
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
    };
  }
  if (path.endsWith('/messages')) {
    const tool = (body as AnthropicBody).tools?.[0];
    return {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'tested',
      content:
        tool === undefined
          ? [{ type: 'text', text }]
          : [{ type: 'tool_use', id: 'toolu_1', name: tool.name, input: JSON.parse(text) }],
      stop_reason: tool === undefined ? 'end_turn' : 'tool_use',
      stop_sequence: null,
      usage: { input_tokens: 100, output_tokens: 20 },
    };
  }
  return {
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 },
    modelVersion: 'tested',
  };
}
