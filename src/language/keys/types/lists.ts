import { deepEqual } from '../../../lib/deep-equal.ts';
import { asList, type Json } from '../../../lib/json.ts';
import type { ValueType } from '../key-analysis.ts';
import { choice, WHOLE } from '../shape.ts';
import { namesIn, patternCovers } from './name-pattern.ts';

export const ONE_VALUE: ValueType = { shape: WHOLE, implies: deepEqual };

/** One value, or several of which any is enough. */
export const VALUES: ValueType = {
  shape: choice(WHOLE),
  implies: (narrow, wide) => asList(narrow).every((value) => asList(wide).includes(value)),
};

/** Names with `*` for any characters. */
export const NAMES: ValueType = {
  shape: choice(WHOLE),
  implies: (narrow, wide) => namesCovered(asList(narrow).map(String), asList(wide).map(String)),
};

/** The same in one text, with `|` between them. */
export const JOINED_NAMES: ValueType = {
  shape: { type: 'names' },
  implies: (narrow, wide) => namesCovered(namesIn(String(narrow)), namesIn(String(wide))),
};

/** Texts with which something may start. */
export const PREFIXES: ValueType = {
  shape: { type: 'choice', item: WHOLE, covers: isStartOf },
  implies: (narrow, wide) =>
    asList(narrow).every((start) => asList(wide).some((other) => isStartOf(other, start))),
};

/** The words of a subcommand, in order; the first is the program. */
export const WORDS: ValueType = {
  shape: { type: 'sequence', item: choice(WHOLE) },
  implies: (narrow, wide) =>
    Array.isArray(narrow) &&
    Array.isArray(wide) &&
    wide.every((words: Json, index) => {
      const own: Json | undefined = narrow[index];
      return own !== undefined && (index === 0 ? NAMES : VALUES).implies(own, words, false);
    }),
};

function namesCovered(narrow: readonly string[], wide: readonly string[]): boolean {
  return narrow.every((name) => wide.some((pattern) => patternCovers(pattern, name)));
}

function isStartOf(wide: Json, narrow: Json): boolean {
  return String(narrow).startsWith(String(wide));
}
