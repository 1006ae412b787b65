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
}
