import type { ArrivedBytes } from './read-arrived.ts';

/** The command line, unchecked: an option that cannot be used refuses every event. */
export interface HookOptions {
  readonly host: string | undefined;
  readonly hostVersion: string | undefined;
  readonly policies: readonly string[];
  readonly workspace: string | undefined;
  readonly interactive: boolean;
  /** True if a yes counts for the rest of the session, if the host can do that. */
  readonly keepYes?: boolean;
  readonly hostTimeoutS: number | undefined;
  /** How a person is asked by `action: ask`: `terminal`, or the absolute path of a program; undefined for the host's own way. */
  readonly approveWith: string | undefined;
  readonly log: boolean;
  /** True to keep each message in the log, redacted, for judging it again later. */
  readonly logInput: boolean;
  /** True to keep commands in the log, redacted and cut. */
  readonly logCommand: boolean;
  /** How long decisions are kept; undefined for as long as there is room. */
  readonly logDays: number | undefined;
  /** Why the command line cannot be used; every event is refused with it. */
  readonly problem: string | undefined;
}

/** The parts of the process that the hook needs. */
export interface HookIo {
  readonly stdin: {
    stream(): ReadableStream<Uint8Array>;
    /** The bytes that are there already, which the stream does not bring again; without it there are none. */
    arrived?(maxBytes: number): ArrivedBytes;
  };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}
