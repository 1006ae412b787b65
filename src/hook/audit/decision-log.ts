import { messageOf } from '../../lib/message-of.ts';
import { checkLogFile, type LogFile, openLogFile } from './log-file.ts';
import type { DecisionEntry } from './record.ts';
import type { CallNotes } from './record-call.ts';
import { createRecordWriter } from './record-writer.ts';

const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;
const DEFAULT_KEEP = 3;
/** Lines wait at most this long and at most for this much company. */
const FLUSH_AFTER_MS = 100;
const FLUSH_AT_CHARS = 65_536;

export interface DecisionLogOptions {
  /** Finds, and where needed makes, the folder of the log. Called when the first line is written; may throw. */
  readonly folder: () => string;
  /** How lines describe calls; they do not unless it is given. */
  readonly notes?: CallNotes;
  /** True to collect lines and write them together: for a process that takes many decisions. */
  readonly buffered: boolean;
  /** Size at which the file is put aside. 16 MiB unless given. */
  readonly maxBytes?: number;
  /** How many full files are kept. 3 unless given. */
  readonly keep?: number;
  /** How long decisions are kept, in milliseconds, and at most half as long again; for ever unless given. */
  readonly maxAgeMs?: number | undefined;
  /** Called once, when the first line is lost. Must not throw. */
  readonly onProblem?: (problem: string) => void;
}

/** The log of decisions. Nothing here throws: a decision never depends on whether it can be logged. */
export interface DecisionLog {
  log(entry: DecisionEntry): void;
  /** Writes the waiting lines and lets go of the file. */
  close(): void;
}

/** The log in the state folder, safe to write from any number of processes at once. */
export function openDecisionLog(options: DecisionLogOptions): DecisionLog {
  const write = createRecordWriter(ownId(), options.notes);
  let file: LogFile | undefined;
  let waiting = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasFailed = false;

  const attempt = (action: () => void): void => {
    try {
      action();
    } catch (error) {
      if (!hasFailed) options.onProblem?.(messageOf(error));
      hasFailed = true;
    }
  };

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const lines = waiting;
    waiting = '';
    if (lines === '') return;
    attempt(() => {
      const { folder, maxBytes = DEFAULT_MAX_BYTES, keep = DEFAULT_KEEP, maxAgeMs } = options;
      file ??= openLogFile({ folder: folder(), maxBytes, keep, maxAgeMs });
      file.append(lines);
    });
  };

  const log = (entry: DecisionEntry): void => {
    attempt(() => {
      waiting += write(entry, Date.now());
    });
    if (!options.buffered || waiting.length >= FLUSH_AT_CHARS) flush();
    else if (timer === undefined) timer = waitToFlush(flush);
  };

  const close = (): void => {
    flush();
    attempt(() => file?.close());
    file = undefined;
  };

  return { log, close };
}

/** Says why the log of a folder cannot be written, as far as that is known without writing; undefined if nothing speaks against it. */
export function decisionLogProblem(folder: string): string | undefined {
  try {
    checkLogFile(folder);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** The timer does not keep the process alive: whoever ends it closes the log. */
function waitToFlush(flush: () => void): ReturnType<typeof setTimeout> {
  const timer = setTimeout(flush, FLUSH_AFTER_MS);
  timer.unref();
  return timer;
}

/** Like no other process's. Nobody has to be kept from guessing it, and the system's randomness takes longer than judging. */
function ownId(): string {
  const parts = [Math.floor(Math.random() * 36 ** 4), process.pid, Date.now()];
  return parts.map((part) => part.toString(36)).join('.');
}
