import type { Json } from '../lib/json.ts';

/** What is remembered between events. Each space is independent of the others. */
export type MemorySpace = 'model' | 'texts' | 'retries' | 'pending' | 'verdict';

/**
 * What is remembered between events: in the process for long-lived hosts, in the state file for one-shot hosts.
 * All calls are synchronous and throw if the state cannot be read or written.
 */
export interface Memory {
  get(space: MemorySpace, key: string): Json | undefined;
  /** Sets a value; undefined forgets it. */
  set(space: MemorySpace, key: string, value: Json | undefined): void;
  /**
   * Adds one to a number that is there, or starts at one; false, and nothing is added, once it has reached the limit or is
   * no number. Of any number of processes that add at once, each counts.
   *
   * @param limit at least 1
   */
  increment(space: MemorySpace, key: string, limit: number): boolean;
}

/** Remembers nothing: for events that stand alone, in examples and reports. */
export const NO_MEMORY: Memory = { get: () => undefined, set: () => {}, increment: () => true };
