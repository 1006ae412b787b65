import type { Reply } from '../hosts/host.ts';
import { createLineSplitter } from '../lib/json-lines.ts';
import { causeOf } from './failure.ts';
import { MAX_MESSAGE_BYTES } from './read-message.ts';
import type { Responder } from './responder.ts';

/** More requests than this wait until one of those under way is answered, or until their own time is up. */
const MAX_IN_FLIGHT = 64;
/** More than this are refused at once. The pipe is read all the same: nobody sees there how long a request waits. */
const MAX_WAITING = 1_024;
const MAX_WAITING_CHARS = 64 * 1_024 * 1_024;
/** Input is taken to have waited if it is read so soon after the work on the input before it. */
const RIGHT_BEHIND_MS = 50;
/** PicoClaw kills a hook two seconds after it has closed its input. */
const FAREWELL_MS = 1500;

export interface LineServer {
  readonly stdin: ReadableStream<Uint8Array>;
  /** Writes text whole, false once nobody reads any more. */
  readonly write: (text: string) => boolean;
  /** Answers a line; an error refuses it. */
  readonly respond: Responder['respond'];
  /** The host's refusal of a line that cannot be answered; of one that is too long it gets the beginning. */
  readonly refuse: (line: string, cause: string) => Reply;
  /** Milliseconds from its arrival in which a line must be answered; it is refused then. */
  readonly budgetMs: (line: string) => number;
}

/**
 * Answers lines until the input ends or nobody reads the answers, and returns the exit code. Answers may leave in any
 * order; those to one chunk of input leave in one write. Nothing else is ever written.
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
    // A chunk right behind a stretch of work may have waited in the pipe since it began.
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
  /** Waits for those under way and refuses the rest. */
  readonly end: (withinMs: number) => Promise<void>;
}

/** A request whose answer is still to come. */
interface Pending {
  readonly line: string;
  readonly arrivedMs: number;
  /** When its time is up, by the clock of `performance`. */
  readonly dueMs: number;
  readonly answer: (reply: Reply) => void;
  readonly refuse: (cause: string) => void;
  readonly refuseLate: () => void;
}

function createRequests(server: LineServer, output: Output): Requests {
  const underWay = new Set<Pending>();
  /** In the order in which they came. */
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

  /** Its time runs from its arrival, whether it is under way or waits. */
  function createPending(line: string, arrivedMs: number): Pending {
    const answer = ({ stdout }: Reply) => {
      if (!underWay.delete(pending) && !noLongerWaits(pending)) return;
      clearTimeout(timer);
      output.add(stdout);
      startWaiting();
      onAnswer?.();
      // Answers that come at the same moment leave together.
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

  /** One at a time, with room between them for input, timers and answers: judging may take all the time there is. */
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
