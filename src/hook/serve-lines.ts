import type { Reply } from '../hosts/host.ts';
import { createLineSplitter } from '../lib/json-lines.ts';
import { causeOf } from './failure.ts';
import { MAX_MESSAGE_BYTES } from './read-message.ts';
import type { Responder } from './responder.ts';

/** Further requests wait for an answer to one of these, or until their own time is up. */
const MAX_IN_FLIGHT = 64;
/** Further requests are refused at once. Their lines are read all the same, because nobody sees how long they wait in the pipe. */
const MAX_WAITING = 1_024;
const MAX_WAITING_CHARS = 64 * 1_024 * 1_024;
/** Input that is read so soon after other work is assumed to have waited for that. */
const RIGHT_BEHIND_MS = 50;
/** PicoClaw kills a hook two seconds after it has closed its input. */
const FAREWELL_MS = 1500;

export interface LineServer {
  readonly stdin: ReadableStream<Uint8Array>;
  /** Writes whole text; false once the reader has left. */
  readonly write: (text: string) => boolean;
  /** Answers a line; if it throws, the line is refused. */
  readonly respond: Responder['respond'];
  /** The host's refusal of a line; of a line that is too long, its start is given. */
  readonly refuse: (line: string, cause: string) => Reply;
  /** Milliseconds after which a line is refused. */
  readonly budgetMs: (line: string) => number;
}

/**
 * Answers lines until the input ends or the reader leaves, and returns the exit code. Answers may leave in any order; nothing
 * else is ever written.
 */
export async function serveLines(server: LineServer): Promise<number> {
  const reader = server.stdin.getReader();
  const output = createOutput(server.write, () => void reader.cancel().catch(() => {}));
  const requests = createRequests(server, output);
  let arrivedMs = 0;
  const splitter = createLineSplitter(
    (line) => {
      if (line.trim() !== '') requests.take(line, arrivedMs);
    },
    {
      maxBytes: MAX_MESSAGE_BYTES,
      onTooLong: (head) =>
        output.add(server.refuse(head, `the message is larger than ${MAX_MESSAGE_BYTES} bytes`).stdout),
    },
  );
  for (let startMs = 0, endMs = Number.NEGATIVE_INFINITY; ; endMs = performance.now()) {
    const chunk = await reader.read().catch(() => undefined);
    const nowMs = performance.now();
    // A chunk read right after other work may have waited in the pipe since that began.
    arrivedMs = nowMs - endMs < RIGHT_BEHIND_MS ? startMs : nowMs;
    startMs = nowMs;
    if (chunk?.value === undefined) splitter.end();
    else splitter.push(chunk.value);
    output.flush();
    if (chunk?.value === undefined || output.closed()) break;
  }
  await requests.end(FAREWELL_MS);
  output.flush();
  return 0;
}

interface Output {
  readonly add: (text: string) => void;
  readonly flush: () => void;
  readonly closed: () => boolean;
}

function createOutput(write: LineServer['write'], onClose: () => void): Output {
  let pending: string[] = [];
  let closed = false;
  return {
    add: (text) => {
      if (text !== '') pending.push(text);
    },
    flush: () => {
      if (closed || pending.length === 0) return;
      const text = pending.length === 1 ? (pending[0] ?? '') : pending.join('');
      pending = [];
      if (write(text)) return;
      closed = true;
      onClose();
    },
    closed: () => closed,
  };
}

interface Requests {
  readonly take: (line: string, arrivedMs: number) => void;
  /** Waits for the requests under way and refuses the rest. */
  readonly end: (withinMs: number) => Promise<void>;
}

/** A request without an answer so far. */
interface Pending {
  readonly line: string;
  readonly arrivedMs: number;
  /** Its deadline, by the clock of `performance`. */
  readonly dueMs: number;
  readonly answer: (reply: Reply) => void;
  readonly refuse: (cause: string) => void;
  readonly refuseLate: () => void;
}

function createRequests(server: LineServer, output: Output): Requests {
  const underWay = new Set<Pending>();
  /** In the order of their arrival. */
  const waiting = new Set<Pending>();
  let waitingChars = 0;
  let isStarting = false;
  let onAnswer: (() => void) | undefined;

  function take(line: string, arrivedMs: number): void {
    try {
      if (underWay.size + waiting.size >= MAX_IN_FLIGHT) {
        if (waiting.size >= MAX_WAITING || waitingChars + line.length > MAX_WAITING_CHARS)
          throw new Error('too many requests are under way');
        waiting.add(createPending(line, arrivedMs));
        waitingChars += line.length;
        return;
      }
      const reply = server.respond(line, arrivedMs);
      if (reply instanceof Promise) follow(createPending(line, arrivedMs), reply);
      else output.add(reply.stdout);
    } catch (error) {
      output.add(server.refuse(line, causeOf(error)).stdout);
    }
  }

  /** Starts the deadline of a request at its arrival. */
  function createPending(line: string, arrivedMs: number): Pending {
    const answer = ({ stdout }: Reply) => {
      if (!underWay.delete(pending) && !noLongerWaits(pending)) return;
      clearTimeout(timer);
      output.add(stdout);
      startWaiting();
      onAnswer?.();
      // Answers of the same moment leave together.
      queueMicrotask(() => {
        output.flush();
      });
    };
    const refuse = (cause: string) => answer(server.refuse(line, cause));
    const budgetMs = server.budgetMs(line);
    const refuseLate = () => refuse(`no answer within ${budgetMs} ms`);
    const dueMs = arrivedMs + budgetMs;
    const pending: Pending = { line, arrivedMs, dueMs, answer, refuse, refuseLate };
    const timer = setTimeout(refuseLate, dueMs - performance.now());
    return pending;
  }

  function noLongerWaits(pending: Pending): boolean {
    const waited = waiting.delete(pending);
    if (waited) waitingChars -= pending.line.length;
    return waited;
  }

  function follow(pending: Pending, reply: Promise<Reply>): void {
    underWay.add(pending);
    reply.then(pending.answer, (error) => pending.refuse(causeOf(error)));
  }

  /** Starts one request at a time, with time between them for input, timers and answers. */
  function startWaiting(): void {
    if (isStarting || waiting.size === 0 || underWay.size >= MAX_IN_FLIGHT) return;
    isStarting = true;
    setImmediate(() => {
      isStarting = false;
      const [pending] = waiting;
      if (pending === undefined || underWay.size >= MAX_IN_FLIGHT) return;
      if (performance.now() >= pending.dueMs) {
        pending.refuseLate();
      } else {
        noLongerWaits(pending);
        follow(pending, attempt(pending));
      }
      startWaiting();
    });
  }

  async function attempt({ line, arrivedMs }: Pending): Promise<Reply> {
    return server.respond(line, arrivedMs);
  }

  function oneAnswered(): Promise<void> {
    return new Promise((resolve) => {
      onAnswer = resolve;
    });
  }

  async function end(withinMs: number): Promise<void> {
    const timer = setTimeout(() => {
      for (const { refuse } of [...waiting, ...underWay]) refuse('the agent has closed the connection');
    }, withinMs);
    while (underWay.size + waiting.size > 0) await oneAnswered();
    clearTimeout(timer);
  }

  return { take, end };
}
