/** Time, as judges need it. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  /** Resolves after so many milliseconds, or as soon as the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Calls once after so many milliseconds, unless the function that it returns is called first. */
  readonly after: (ms: number, action: () => void) => () => void;
}
