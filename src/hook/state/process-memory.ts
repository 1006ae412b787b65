import type { Json } from '../../lib/json.ts';
import type { Memory, MemorySpace } from '../../model/memory.ts';

/** Enough for every conversation a host holds at a time, with room to spare. */
const MAX_ENTRIES = 10_000;

/** Memory for hosts that keep one process for all events. Bounded: unused entries make room. */
export function createProcessMemory(maxEntries: number = MAX_ENTRIES): Memory {
  const spaces = new Map<string, Generations>();
  const spaceOf = (name: string): Generations => {
    const known = spaces.get(name);
    if (known !== undefined) return known;
    const made: Generations = { young: new Map(), old: new Map() };
    spaces.set(name, made);
    return made;
  };

  const get = (space: MemorySpace, key: string): Json | undefined => {
    const entries = spaceOf(space);
    const value = entries.young.get(key);
    if (value !== undefined) return value;
    const older = entries.old.get(key);
    if (older !== undefined) put(entries, key, older, maxEntries);
    return older;
  };

  const set: Memory['set'] = (space, key, value) => {
    const entries = spaceOf(space);
    if (value !== undefined) {
      put(entries, key, value, maxEntries);
      return;
    }
    entries.young.delete(key);
    entries.old.delete(key);
  };

  return { get, set, update: (space, key, change) => set(space, key, change(get(space, key))) };
}

/**
 * Two generations: when the young one is full it becomes the old one, whose unused entries are forgotten. Cheaper than an order
 * of use.
 */
interface Generations {
  young: Map<string, Json>;
  old: Map<string, Json>;
}

function put(entries: Generations, key: string, value: Json, maxEntries: number): void {
  if (!entries.young.has(key) && entries.young.size >= Math.max(Math.floor(maxEntries / 2), 1)) {
    entries.old = entries.young;
    entries.young = new Map();
  }
  entries.old.delete(key);
  entries.young.set(key, value);
}
