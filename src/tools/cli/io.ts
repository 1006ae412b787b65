import type { ArrivedBytes } from '../../hook/read-arrived.ts';

export interface Output {
  /** True if a person reads along. */
  readonly isTTY: boolean;
  /** The width of the terminal; undefined if it is none, or does not report it. */
  readonly columns: number | undefined;
  /** True if a write failed, for another reason than a reader that has left. */
  readonly hasFailed: boolean;
  /** True if the reader has left, as after `| head`. */
  readonly isClosed: boolean;
  write(text: string): void;
}

export interface Input {
  /** True if a person types. */
  readonly isTTY: boolean;
  stream(): ReadableStream<Uint8Array>;
  /** The bytes that were read already and that the stream does not repeat; by default none. */
  arrived?(maxBytes: number): ArrivedBytes;
}

/** Everything of the process that a command may use. Tests pass their own. */
export interface Io {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working directory; `/` if it has been deleted. */
  readonly cwd: string;
}

/** The exit codes of commands. `policy hook` ends with the host's own codes instead. */
export const EXIT_CODE = {
  ok: 0,
  /** Findings, or tests that failed. */
  findings: 1,
  usage: 2,
  invalidPolicy: 3,
  internalError: 4,
} as const;

/** The command line cannot be carried out. The message names the fault and the right form. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
