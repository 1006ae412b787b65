import type { Reply } from '../hosts/host.ts';
import { causeOf } from './failure.ts';
import { MAX_MESSAGE_BYTES, withoutByteOrderMarks } from './read-message.ts';

export interface DocumentServer {
  readonly stdin: ReadableStream<Uint8Array>;
  readonly respond: (message: string) => Reply | Promise<Reply>;
  /** The host's refusal, of the text that has arrived whole; empty if none has. */
  readonly refuse: (text: string, cause: string) => Reply;
  /** Milliseconds from now in which the answer must be there. */
  readonly budgetMs: number;
}

/**
 * Reads one message and answers it. The answer is there when the budget ends, whatever happens. An error that nothing
 * has caught refuses: the runtime would end the process with a stack, and its host would let the call through.
 */
export async function serveDocument({ stdin, respond, refuse, budgetMs }: DocumentServer): Promise<Reply> {
  let text = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Reply>((resolve) => {
    timer = setTimeout(() => resolve(refuse(text, `no answer within ${Math.round(budgetMs)} ms`)), budgetMs);
  });
  const uncaught = new Promise<Reply>((resolve) => {
    const onError = (error: unknown) => resolve(refuse(text, causeOf(error)));
    process.on('uncaughtException', onError);
    process.on('unhandledRejection', onError);
  });
  const answer = async (): Promise<Reply> => {
    try {
      text = await readText(stdin);
      return await respond(text);
    } catch (error) {
      return refuse(text, causeOf(error));
    }
  };
  const reply = await Promise.race([late, uncaught, answer()]);
  clearTimeout(timer);
  return reply;
}

async function readText(stdin: ReadableStream<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // `for await` takes longer until it has run for the first time.
  const reader = stdin.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    size += read.value.length;
    if (size > MAX_MESSAGE_BYTES) throw new Error(`the message is larger than ${MAX_MESSAGE_BYTES} bytes`);
    chunks.push(read.value);
  }
  return textOf(Buffer.concat(chunks));
}

function textOf(bytes: Uint8Array): string {
  try {
    return withoutByteOrderMarks(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    throw new Error('the message is not UTF-8 text');
  }
}
