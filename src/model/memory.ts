import type { Json } from '../lib/json.ts';

/** Spaces of the memory between events. Each is independent of the others. */
export type MemorySpace = 'model' | 'texts' | 'retries' | 'pending' | 'verdict';

/**
 * The memory between events: in the process for long-lived hosts, in the state file for one-shot hosts.
 * All calls are synchronous and throw if the state cannot be read or written.
 */
export interface Memory {
  get(space: MemorySpace, key: string): Json | undefined;
  /** Sets a value; undefined forgets it. */
  set(space: MemorySpace, key: string, value: Json | undefined): void;
  /**
   * Replaces a value by the result of a function; undefined means no value, before and after. Concurrent processes each
   * see the result of the previous one, so the function may be called again.
   */
  update(space: MemorySpace, key: string, change: (before: Json | undefined) => Json | undefined): void;
}

/** Remembers nothing: for events that are alone, in examples and reports. */
export const NO_MEMORY: Memory = {
  get: () => undefined,
  set: () => {},
  update: (_space, _key, change) => {
    change(undefined);
  },
};
