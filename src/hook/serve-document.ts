import type { Reply } from '../hosts/host.ts';
import { causeOf } from './failure.ts';
import type { HookIo } from './hook-options.ts';
import { MAX_MESSAGE_BYTES, withoutByteOrderMarks } from './read-message.ts';

export interface DocumentServer {
  readonly stdin: HookIo['stdin'];
  readonly respond: (message: string) => Reply | Promise<Reply>;
  /** The host's refusal of the text received so far. */
  readonly refuse: (text: string, cause: string) => Reply;
  /** Milliseconds until the answer is due. */
  readonly leftMs: () => number;
}

/** Reads one message and answers it in time. An uncaught error refuses, as a crash lets the call through. */
export function serveDocument({ stdin, respond, refuse, leftMs }: DocumentServer): Reply | Promise<Reply> {
  let text = '';
  const answer = (chunks: readonly Uint8Array[]): Reply | Promise<Reply> => {
    text = textOf(Buffer.concat(chunks));
    return respond(text);
  };
  try {
    const { chunks, isWhole } = stdin.arrived?.(MAX_MESSAGE_BYTES) ?? NOTHING;
    const reply = isWhole ? answer(chunks) : readOn(stdin.stream(), chunks).then(answer);
    return reply instanceof Promise ? inTime(reply, (cause) => refuse(text, cause), leftMs()) : reply;
  } catch (error) {
    return refuse(text, causeOf(error));
  }
}

const NOTHING = { chunks: [], isWhole: false };

/** The reply, or a refusal if it is late, fails, or an error is uncaught. */
async function inTime(
  reply: Promise<Reply>,
  refuse: (cause: string) => Reply,
  budgetMs: number,
): Promise<Reply> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Reply>((resolve) => {
    timer = setTimeout(() => resolve(refuse(`no answer within ${Math.round(budgetMs)} ms`)), budgetMs);
  });
  const uncaught = new Promise<Reply>((resolve) => {
    const onError = (error: unknown) => resolve(refuse(causeOf(error)));
    process.on('uncaughtException', onError);
    process.on('unhandledRejection', onError);
  });
  const answered = reply.catch((error) => refuse(causeOf(error)));
  const first = await Promise.race([late, uncaught, answered]);
  clearTimeout(timer);
  return first;
}

async function readOn(
  stdin: ReadableStream<Uint8Array>,
  arrived: readonly Uint8Array[],
): Promise<readonly Uint8Array[]> {
  const chunks = [...arrived];
  let size = chunks.reduce((sum, { length }) => sum + length, 0);
  const reader = stdin.getReader();
  while (size <= MAX_MESSAGE_BYTES) {
    const { done, value } = await reader.read();
    if (done) return chunks;
    size += value.length;
    chunks.push(value);
  }
  throw new Error(`the message is larger than ${MAX_MESSAGE_BYTES} bytes`);
}

function textOf(bytes: Uint8Array): string {
  try {
    return withoutByteOrderMarks(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    throw new Error('the message is not UTF-8 text');
  }
}
