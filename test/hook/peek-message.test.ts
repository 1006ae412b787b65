import { expect, test } from 'bun:test';
import { peekMessage } from '../../src/hook/peek-message.ts';

function input(chunks: readonly string[], ends = true): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      if (ends) controller.close();
    },
  });
}

test.each([
  [['{"a":', '1}'], { a: 1 }],
  [['{"a":1}\n{"b":2}\n'], { a: 1 }],
  [['{"a":"}', '"}'], { a: '}' }],
  [['x'], undefined],
  [['[1]'], undefined],
  [[], undefined],
] as const)(
  'peekMessage finds the first message of %j and leaves the input as it was',
  async (chunks, message) => {
    const peeked = await peekMessage(input(chunks), 1_000);
    expect(peeked.message).toEqual(message);
    expect(await new Response(peeked.stdin).text()).toBe(chunks.join(''));
  },
);

test('peekMessage does not wait for the end of an input that stays open, nor for ever', async () => {
  expect((await peekMessage(input(['{"a":1}\n'], false), 1_000)).message).toEqual({ a: 1 });
  const startMs = performance.now();
  expect((await peekMessage(input(['{"a":'], false), 50)).message).toBeUndefined();
  expect(performance.now() - startMs).toBeLessThan(5_000);
});
