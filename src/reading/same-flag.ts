import { programSpec } from './knowledge/registry.ts';
import type { ReadCommand } from './reading.ts';
import { knownText } from './word.ts';

/** The other spellings of a flag where the tables know any: `--force` for the `-f` of `git push`. */
export function otherSpellings(command: ReadCommand, flag: string): readonly string[] {
  let spec = programSpec(command.name);
  let same = spec?.same;
  for (const word of command.operands.slice(0, command.subcommands)) {
    const name = knownText(word);
    spec = name === undefined ? undefined : spec?.subcommands?.[name];
    same = spec?.same ?? same;
  }
  const spellings = same?.find((group) => group.includes(flag)) ?? [];
  return spellings.filter((other) => other !== flag);
}
