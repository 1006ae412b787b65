import type { Reply } from '../hosts/host.ts';
import { MAX_MESSAGE_BYTES } from './max-message-bytes.ts';
import { causeOf } from './responder.ts';
import { writeAll } from './write-all.ts';

export interface DocumentServer {
  readonly stdin: ReadableStream<Uint8Array>;
  readonly respond: (message: string) => Reply | Promise<Reply>;
  /** The host's refusal for a message that did not arrive in time or at all. */
  readonly refuse: (cause: string) => Reply;
  /** Milliseconds from now in which the answer must be out. */
  readonly budgetMs: number;
}

/** Reads one message, answers it, and returns the exit code. The answer is out when the budget ends, whatever happens. */
export async function serveDocument({ stdin, respond, refuse, budgetMs }: DocumentServer): Promise<number> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Reply>((resolve) => {
    timer = setTimeout(() => resolve(refuse(`no answer within ${budgetMs} ms`)), budgetMs);
  });
  const reply = await Promise.race([late, readAndRespond(stdin, respond, refuse)]);
  clearTimeout(timer);
  writeAll(1, reply.stdout);
  writeAll(2, reply.stderr);
  return reply.exitCode;
}

async function readAndRespond(
  stdin: ReadableStream<Uint8Array>,
  respond: DocumentServer['respond'],
  refuse: DocumentServer['refuse'],
): Promise<Reply> {
  try {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of stdin) {
      size += chunk.length;
      if (size > MAX_MESSAGE_BYTES) return refuse(`the message is larger than ${MAX_MESSAGE_BYTES} bytes`);
      chunks.push(chunk);
    }
    return await respond(Buffer.concat(chunks).toString('utf8'));
  } catch (error) {
    return refuse(`the message cannot be read: ${causeOf(error)}`);
  }
}
