import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type Json, own } from '../lib/json.ts';

/** A value that a rewrite has changed; undefined for what was not there, or is no longer. */
export interface Change {
  /** Keys and indexes with dots between them; empty for the whole. */
  readonly path: string;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** What differs between two values, as far inside as both are mappings, or lists of one length. */
export function changesBetween(
  before: Json | undefined,
  after: Json | undefined,
  path = '',
): readonly Change[] {
  if (isDeepStrictEqual(before, after)) return [];
  const inside = (key: string | number) => (path === '' ? String(key) : `${path}.${key}`);
  if (isJsonObject(before ?? null) && isJsonObject(after ?? null)) {
    const [from, to] = [before, after] as [{ [key: string]: Json }, { [key: string]: Json }];
    const keys = new Set([...Object.keys(from), ...Object.keys(to)]);
    return [...keys].flatMap((key) => changesBetween(own(from, key), own(to, key), inside(key)));
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((item: Json, index) => changesBetween(item, after[index], inside(index)));
  return [{ path, before, after }];
}
