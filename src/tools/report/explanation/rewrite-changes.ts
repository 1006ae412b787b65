import { deepEqual } from '../../../lib/deep-equal.ts';
import { isJsonObject, type Json, own } from '../../../lib/json.ts';
import type { Decision } from '../../../model/decision.ts';
import type { Event } from '../../../model/event.ts';
import { printable, printableCut } from '../layout/printable.ts';

/** A value that a rewrite has changed; undefined for a value that was not there, or is no longer. */
export interface ValueChange {
  /** Keys and indexes with dots between them; empty for the whole. */
  readonly path: string;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** The differences between two values, as far inside as both are mappings, or lists of one length. */
export function changesBetween(
  before: Json | undefined,
  after: Json | undefined,
  path = '',
): readonly ValueChange[] {
  if (deepEqual(before ?? null, after ?? null)) return [];
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

/** The changes that the host gets to the values it sent, for people: each value before and after. */
export interface ShownChanges {
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** How many more there are. */
  readonly left: number;
}

/**
 * The changes that a decision makes to an event; undefined if there are none.
 *
 * @param maxChanges how many changes are listed
 * @param maxChars how much of a value is shown, in characters
 */
export function shownChanges(
  event: Event,
  { action, subject }: Decision,
  { maxChanges, maxChars }: { readonly maxChanges: number; readonly maxChars: number },
): ShownChanges | undefined {
  if (action !== 'modify' || subject === undefined) return undefined;
  const changes = changesBetween(event.subject, subject);
  const shown = changes.slice(0, maxChanges);
  const linesOf = (side: 'before' | 'after') =>
    shown.map(({ path, [side]: value }) =>
      `${printable(path)}  ${value === undefined ? '(nothing)' : valueText(value, maxChars)}`.trim(),
    );
  return { before: linesOf('before'), after: linesOf('after'), left: changes.length - shown.length };
}

/** A value for people, cut: texts in quotes, everything else as JSON. */
export function valueText(value: Json, maxChars: number): string {
  return typeof value === 'string'
    ? `"${printableCut(value, maxChars)}"`
    : printableCut(JSON.stringify(value), maxChars);
}
