import type { Json } from '../../lib/json.ts';
import type { Miss } from '../../model/miss.ts';

const MAX_WANTED_CHARS = 80;
const MAX_SEEN = 4;
const MAX_SEEN_CHARS = 60;

/** Why a test did not hold, in one line: `command.flags.any: wanted --force, saw -u`. */
export function missText({ path, wanted, excludes, seen }: Miss): string {
  const want = cut(wantedText(wanted), MAX_WANTED_CHARS);
  return `${path.join('.')}: wanted ${excludes ? 'none of ' : ''}${want}, saw ${seenText(seen)}`;
}

/** A fact as a set has resolved it. */
const FACT = /\{"fact":"[^":]*:([^"~]*)~[0-9a-f]+","outcome":"(\w+)"\}/g;

function wantedText(wanted: Json): string {
  if (typeof wanted === 'string') return wanted;
  if (Array.isArray(wanted) && wanted.every((each) => typeof each === 'string')) return wanted.join(', ');
  return JSON.stringify(wanted).replaceAll(FACT, '$1 ($2)');
}

function seenText(seen: readonly string[]): string {
  if (seen.length === 0) return 'nothing';
  const shown = seen.slice(0, MAX_SEEN).map((text) => cut(text, MAX_SEEN_CHARS));
  const left = seen.length - shown.length;
  return `${shown.join(', ')}${left === 0 ? '' : ` and ${left} more`}`;
}

function cut(text: string, maxChars: number): string {
  return text.length > maxChars ? `${text.slice(0, maxChars - 1)}…` : text;
}
