import type { Json } from '../lib/json.ts';

/** Spaces of the memory between events. Each is independent of the others. */
export type MemorySpace = 'model' | 'texts' | 'retries' | 'pending' | 'verdict';

/** The memory between events, in the process or in the state file. All calls are synchronous and throw if that fails. */
export interface Memory {
  get(space: MemorySpace, key: string): Json | undefined;
  /** Sets a value; undefined forgets it. */
  set(space: MemorySpace, key: string, value: Json | undefined): void;
  /** Replaces a value by a function's result; undefined is no value. Concurrent processes take turns, so it may be called again. */
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
