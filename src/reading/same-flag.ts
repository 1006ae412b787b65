import { spellingsIn } from './arguments.ts';
import { programSpec } from './knowledge/registry.ts';
import type { ReadCommand } from './reading.ts';
import { knownText } from './word.ts';

/**
 * The other spellings of a flag where the tables know any: `--force` for the `-f` of `git push`. What the subcommand
 * says of a flag counts, else what the program says.
 */
export function otherSpellings(command: ReadCommand, flag: string): readonly string[] {
  let spec = programSpec(command.name);
  let found: readonly string[] = spec === undefined ? [] : spellingsIn(spec, flag);
  for (const word of command.operands.slice(0, command.subcommands)) {
    const name = knownText(word);
    spec = name === undefined ? undefined : spec?.subcommands?.[name];
    if (spec === undefined) break;
    const inner = spec;
    const own = spellingsIn(inner, flag);
    // A spelling that the subcommand has for another flag is none of this one.
    found = own.length > 0 ? own : found.filter((other) => spellingsIn(inner, other).length === 0);
  }
  return found;
}
