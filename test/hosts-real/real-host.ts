/** One scene that was played on a real host. */
export interface Scene {
  /** What happened, in words: `deny a command`. */
  readonly name: string;
  /** What the host had to do. */
  readonly expected: string;
  /** What it did. */
  readonly seen: string;
}

/** A real host that plays with the built binary as its hook. */
export interface RealHost {
  /** Its name as in `--host`. */
  readonly name: string;
  /** Why it cannot be played on this machine; undefined if it can. */
  missing(): string | undefined | Promise<string | undefined>;
  /** Plays all scenes with this binary. Commands in them are harmless even if they run. */
  play(policy: string): AsyncIterable<Scene>;
}
