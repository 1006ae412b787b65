import { programSpec } from './knowledge/registry.ts';
import type { ReadCommand } from './reading.ts';
import { knownText } from './word.ts';

/** The other spelling of a flag where the tables know one: `--force` for the `-f` of `git push`. */
export function otherSpelling(command: ReadCommand, flag: string): string | undefined {
  let spec = programSpec(command.name);
  let same = spec?.same;
  for (const word of command.operands.slice(0, command.subcommands)) {
    const name = knownText(word);
    spec = name === undefined ? undefined : spec?.subcommands?.[name];
    same = spec?.same ?? same;
  }
  for (const [short, long] of same ?? []) {
    if (flag === short) return long;
    if (flag === long) return short;
  }
  return undefined;
}
