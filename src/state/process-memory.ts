import type { Json } from '../lib/json.ts';
import type { Memory } from '../model/memory.ts';

/** Enough for every conversation a host holds at a time, with room to spare. */
const MAX_ENTRIES = 10_000;

/**
 * Memory inside this process, for hosts that keep one process for all events. Bounded: the entry that was used longest
 * ago makes room.
 */
export function createProcessMemory(maxEntries: number = MAX_ENTRIES): Memory {
  const spaces = new Map<string, Map<string, Json>>();
  const spaceOf = (name: string): Map<string, Json> => {
    const known = spaces.get(name);
    if (known !== undefined) return known;
    const made = new Map<string, Json>();
    spaces.set(name, made);
    return made;
  };

  return {
    get: (space, key) => {
      const entries = spaceOf(space);
      const value = entries.get(key);
      if (value !== undefined) moveToEnd(entries, key, value);
      return value;
    },
    set: (space, key, value) => {
      const entries = spaceOf(space);
      entries.delete(key);
      if (value === undefined) return;
      if (entries.size >= maxEntries) dropOldest(entries);
      entries.set(key, value);
    },
  };
}

/** Maps keep the order of insertion, so the first key is the one used longest ago. */
function moveToEnd(entries: Map<string, Json>, key: string, value: Json): void {
  entries.delete(key);
  entries.set(key, value);
}

function dropOldest(entries: Map<string, Json>): void {
  for (const key of entries.keys()) {
    entries.delete(key);
    return;
  }
}
