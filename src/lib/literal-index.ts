import { checkTime } from './time-limit.ts';

/** Strings to look for, and the item to report when one of them occurs. */
export interface LiteralEntry<T> {
  /** Each at least 3 UTF-16 units long. */
  readonly literals: readonly string[];
  /** True if case does not matter: literals are lower case, and every text with a character outside ASCII is a hit. */
  readonly fold: boolean;
  readonly item: T;
}

/** Finds which of many literals occur in a text, in one pass over it. */
export interface LiteralIndex<T> {
  /**
   * Calls `found` once for each entry of which the text holds a literal, in no particular order. Allocates nothing, so
   * it keeps marks of its own: `found` must not call `find` of the same index.
   *
   * @throws OutOfTime where a time limit is set and over
   */
  readonly find: (text: string, found: (item: T) => void) => void;
}

/** Hostile literals can make a text meet all of them at each of its characters. */
const COMPARISONS_PER_LOOK = 65_536;
const KEY_LENGTH = 3;
const KEY_MASK = (1 << (7 * KEY_LENGTH)) - 1;

interface Candidate {
  readonly literal: string;
  readonly entry: number;
  readonly fold: boolean;
  readonly key: number;
  /** How far into the literal its key ends. */
  readonly keyEnd: number;
}

/**
 * Builds a table with one key of 3 characters per literal, the one that fewest others have. Keys hold 7 bits of each character
 * and no case, so that one pass serves both kinds of entries; the literals of a key are then compared in full.
 * @param folds characters outside ASCII that may fold into one in it; all of them unless given
 * @throws {Error} if a literal is shorter than 3.
 */
export function buildLiteralIndex<T>(entries: readonly LiteralEntry<T>[], folds = /./s): LiteralIndex<T> {
  const candidates = candidatesOf(entries);
  const items = entries.map((entry) => entry.item);
  const foldEntries = Int32Array.from(entries.flatMap((entry, i) => (entry.fold ? [i] : [])));
  const literals = candidates.map((candidate) => candidate.literal);
  const keys = Int32Array.from(candidates, (candidate) => candidate.key);
  const keyEnds = Int32Array.from(candidates, (candidate) => candidate.keyEnd);
  const entryOf = Int32Array.from(candidates, (candidate) => candidate.entry);
  const isFolded = Uint8Array.from(candidates, (candidate) => (candidate.fold ? 1 : 0));
  const { filter, filterShift, slots, slotShift } = tableOf(keys);
  // An entry is marked with the number of the call that reported it.
  const marks = new Int32Array(entries.length);
  let call = 0;
  let comparisons = 0;

  function find(text: string, found: (item: T) => void): void {
    startCall();
    const length = text.length;
    let key = 0;
    let seen = 0;
    let i = 0;
    for (; i < KEY_LENGTH - 1 && i < length; i++) {
      const unit = text.charCodeAt(i);
      seen |= unit;
      key = extended(key, unit);
    }
    for (; i < length; i++) {
      const unit = text.charCodeAt(i);
      seen |= unit;
      key = extended(key, unit);
      const bit = hashOf(key, filterShift);
      if (((filter[bit >>> 5] ?? 0) >>> (bit & 31)) & 1) reportAt(text, i, key, found);
    }
    if (seen > 127 && folds.test(text)) {
      for (let i = 0; i < foldEntries.length; i++) report(foldEntries[i] ?? 0, found);
    }
  }

  function startCall(): void {
    if (call === 0x7fffffff) {
      marks.fill(0);
      call = 0;
    }
    call += 1;
  }

  function reportAt(text: string, keyEnd: number, key: number, found: (item: T) => void): void {
    let slot = hashOf(key, slotShift);
    let first = slots[slot] ?? -1;
    while (first !== -1 && keys[first] !== key) {
      slot = (slot + 1) & (slots.length - 1);
      first = slots[slot] ?? -1;
    }
    if (first === -1) return;
    for (let i = first; keys[i] === key; i++) {
      if (++comparisons % COMPARISONS_PER_LOOK === 0) checkTime();
      const entry = entryOf[i] ?? 0;
      if (marks[entry] === call) continue;
      const start = keyEnd - (keyEnds[i] ?? 0);
      const literal = literals[i] ?? '';
      if (start < 0 || start + literal.length > text.length) continue;
      const occurs = isFolded[i] === 1 ? startsFolded(text, start, literal) : text.startsWith(literal, start);
      if (occurs) report(entry, found);
    }
  }

  function report(entry: number, found: (item: T) => void): void {
    if (marks[entry] === call) return;
    marks[entry] = call;
    const item = items[entry];
    if (item !== undefined) found(item);
  }

  return { find };
}

/** Sorted by key, so that those that share one are neighbours. */
function candidatesOf<T>(entries: readonly LiteralEntry<T>[]): readonly Candidate[] {
  const frequency = new Map<number, number>();
  for (const { literals } of entries) {
    for (const literal of literals) {
      for (const key of keysOf(literal)) frequency.set(key, (frequency.get(key) ?? 0) + 1);
    }
  }
  const candidates = entries.flatMap(({ literals, fold }, entry) =>
    literals.map((literal) => {
      const keys = keysOf(literal);
      const [first] = keys;
      if (first === undefined)
        throw new Error(`Cannot index literal "${literal}": it is shorter than ${KEY_LENGTH}`);
      let rarest = first;
      for (const key of keys) if ((frequency.get(key) ?? 0) < (frequency.get(rarest) ?? 0)) rarest = key;
      const keyEnd = keys.indexOf(rarest) + KEY_LENGTH - 1;
      return { literal, entry, fold, key: rarest, keyEnd };
    }),
  );
  return candidates.sort((a, b) => a.key - b.key);
}

interface Table {
  /** A bit for each hash of a key, at most one in 16 set: it turns nearly all text away at one look. */
  readonly filter: Int32Array;
  readonly filterShift: number;
  /** A hash table from key to its first candidate, -1 where there is none. */
  readonly slots: Int32Array;
  readonly slotShift: number;
}

/** Sized by the number of keys, as there may be many small indexes. */
function tableOf(keys: Int32Array): Table {
  const slotBits = Math.max(4, Math.ceil(Math.log2(keys.length * 2 + 1)));
  const filterBits = slotBits + 3;
  const slots = new Int32Array(1 << slotBits).fill(-1);
  const filter = new Int32Array(1 << (filterBits - 5));
  const slotShift = 32 - slotBits;
  const filterShift = 32 - filterBits;
  for (const [i, key] of keys.entries()) {
    if (i > 0 && keys[i - 1] === key) continue;
    const bit = hashOf(key, filterShift);
    filter[bit >>> 5] = (filter[bit >>> 5] ?? 0) | (1 << (bit & 31));
    let slot = hashOf(key, slotShift);
    while (slots[slot] !== -1) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = i;
  }
  return { filter, filterShift, slots, slotShift };
}

/** The upper bits of the product, as many as `shift` leaves. */
function hashOf(key: number, shift: number): number {
  return Math.imul(key, 0x9e3779b1) >>> shift;
}

function keysOf(literal: string): readonly number[] {
  const keys: number[] = [];
  let key = 0;
  for (let i = 0; i < literal.length; i++) {
    key = extended(key, literal.charCodeAt(i));
    if (i >= KEY_LENGTH - 1) keys.push(key);
  }
  return keys;
}

/** The key that ends one unit later. The bit that tells capitals from small letters is set in every unit. */
function extended(key: number, unit: number): number {
  return ((key << 7) | ((unit | 32) & 127)) & KEY_MASK;
}

/** An ASCII capital in lower case; any other unit as it is. */
function folded(unit: number): number {
  return unit >= 65 && unit <= 90 ? unit | 32 : unit;
}

function startsFolded(text: string, start: number, literal: string): boolean {
  for (let i = 0; i < literal.length; i++) {
    if (folded(text.charCodeAt(start + i)) !== literal.charCodeAt(i)) return false;
  }
  return true;
}
