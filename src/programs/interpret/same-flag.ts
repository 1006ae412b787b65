import type { ReadCommand } from '../../reading/reading.ts';
import { spellingsIn } from './arguments.ts';

export { spellingsIn as spellingsOf } from './arguments.ts';

/**
 * The other spellings of a flag where the tables know any: `--force` for the `-f` of `git push`. What the subcommand
 * says of a flag counts, else what the program says.
 */
export function otherSpellings({ rows }: ReadCommand, flag: string): readonly string[] {
  let found: readonly string[] = [];
  for (const row of rows) {
    const own = spellingsIn(row, flag);
    // A spelling that the subcommand has for another flag is none of this one.
    found = own.length > 0 ? own : found.filter((other) => spellingsIn(row, other).length === 0);
  }
  return found;
}
