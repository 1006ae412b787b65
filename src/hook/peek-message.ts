import { isJsonObject, type JsonObject } from '../lib/json.ts';
import { parseInner } from '../lib/json-size.ts';
import { MAX_MESSAGE_BYTES, withoutByteOrderMarks } from './read-message.ts';

/** The first message of an input, and the input as if nobody had looked at it. */
export interface PeekResult {
  /** Undefined if there is none, or it is not JSON. */
  readonly message: JsonObject | undefined;
  readonly stdin: ReadableStream<Uint8Array>;
}

/**
 * Reads an input as far as its first message goes: a document or a line, whichever it is. Hosts that send lines wait for an
 * answer to each, and some that send documents never close the input.
 *
 * @param waitMs how long the message may take
 */
export async function peekMessage(stdin: ReadableStream<Uint8Array>, waitMs: number): Promise<PeekResult> {
  const input = stdin[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, waitMs, 'late');
  });
  let message: JsonObject | undefined;
  for (let size = 0; message === undefined && size <= MAX_MESSAGE_BYTES; ) {
    const read = await Promise.race([input.next(), late]);
    if (read === 'late' || read.done === true) break;
    chunks.push(read.value);
    size += read.value.length;
    message = messageIn(chunks);
  }
  clearTimeout(timer);
  return { message, stdin: again(chunks, input) };
}

/** Most chunks end in the middle of a message, which is not worth a look. */
function messageIn(chunks: readonly Uint8Array[]): JsonObject | undefined {
  const end = new TextDecoder().decode(chunks.at(-1)).trimEnd();
  if (!end.endsWith('}')) return undefined;
  const text = withoutByteOrderMarks(Buffer.concat(chunks).toString('utf8'));
  return objectIn(text) ?? objectIn(text.split('\n', 1)[0] ?? '');
}

function objectIn(text: string): JsonObject | undefined {
  const value = parseInner(text);
  return isJsonObject(value) ? value : undefined;
}

function again(chunks: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): ReadableStream<Uint8Array> {
  let next = 0;
  return new ReadableStream({
    async pull(controller) {
      const chunk = chunks[next++] ?? (await rest.next()).value;
      if (chunk === undefined) controller.close();
      else controller.enqueue(chunk);
    },
  });
}
