import type { Json, JsonObject } from '../../../src/lib/json.ts';

/** What the model says: its last words, or calls of tools. */
export type Reply =
  | string
  | readonly { readonly name: string; readonly arguments: Readonly<Record<string, Json>> }[];

/** A request as it has reached the model. */
export interface ModelRequest {
  readonly messages: readonly JsonObject[];
}

/** A model on loopback that says what a script tells it to, and keeps what it is sent. */
export interface FakeModel {
  /** The base of its addresses. */
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  stop(): void;
}

/** @param script the next reply, from the request and the number of those before it */
export function startModel(script: (request: ModelRequest, index: number) => Reply): FakeModel {
  const requests: ModelRequest[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (received) => {
      const request = (await received.json()) as ModelRequest;
      requests.push(request);
      return answer(script(request, requests.length - 1), requests.length);
    },
  });
  return { url: server.url.origin, requests, stop: () => void server.stop(true) };
}

function answer(reply: Reply, turn: number): Response {
  const delta =
    typeof reply === 'string'
      ? { content: reply }
      : {
          tool_calls: reply.map((call, index) => ({
            index,
            id: `call_${turn}_${index}`,
            type: 'function',
            function: { name: call.name, arguments: JSON.stringify(call.arguments) },
          })),
        };
  const ending = typeof reply === 'string' ? 'stop' : 'tool_calls';
  const chunks = [
    { choices: [{ index: 0, delta, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason: ending }] },
  ];
  const lines = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'];
  return new Response(lines.map((line) => `data: ${line}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream' },
  });
}
