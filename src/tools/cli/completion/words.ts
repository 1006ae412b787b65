import { HOSTS } from '../../../hosts/registry.ts';
import type { OptionSpec } from '../args.ts';
import { COMMON_OPTIONS } from '../command.ts';
import { COMMANDS } from '../table.ts';

/** A command as a shell completes it. */
export interface CommandWords {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly OptionSpec[];
  /** Its possible operands; undefined for files and whatever else nobody can list. */
  readonly operands: readonly string[] | undefined;
  /** Words that its operands can begin with, before the others. */
  readonly verbs: readonly string[];
}

/** Every command with its options, from the same data as the help. */
export async function commandWords(): Promise<readonly CommandWords[]> {
  const words: CommandWords[] = [];
  // One after the other: modules that load others as they start must not be loaded side by side.
  for (const { name, summary, load } of COMMANDS) {
    const command = await load();
    const operands = await command.operandWords?.();
    const options = [...command.options, ...COMMON_OPTIONS];
    words.push({ name, summary, options, operands, verbs: verbsIn(command.operands ?? '') });
  }
  return words;
}

/** The words of a usage line that are typed as they are: `list` and `revoke` of `CODE | list | revoke CODE`. */
function verbsIn(usage: string): readonly string[] {
  return usage
    .split(' | ')
    .flatMap((way) => /^\[([^\]]+)\]$/.exec(way)?.[1]?.split('|') ?? way.split(' ').slice(0, 1))
    .filter((word) => /^[a-z]+$/.test(word));
}

/** The possible values of an option; undefined for files and whatever else nobody can list. */
export function valueWords({ name, words }: OptionSpec): readonly string[] | undefined {
  return name === 'host' ? HOSTS.map((host) => host.name) : words;
}

/** True if a value follows the option as a word of its own. */
export function takesWord({ value, optional }: OptionSpec): boolean {
  return value !== undefined && optional !== true;
}
