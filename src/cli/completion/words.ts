import { HOSTS } from '../../hosts/registry.ts';
import type { OptionSpec } from '../args.ts';
import { COMMON_OPTIONS } from '../command.ts';
import { COMMANDS } from '../table.ts';

/** A command as a shell completes it. */
export interface CommandWords {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly OptionSpec[];
  /** What its operands can be; undefined for files and whatever else nobody can list. */
  readonly operands: readonly string[] | undefined;
}

/** Every command with its options, from the same data as the help. */
export async function commandWords(): Promise<readonly CommandWords[]> {
  const words: CommandWords[] = [];
  // One after the other: modules that load others as they start must not be loaded side by side.
  for (const { name, summary, load } of COMMANDS) {
    const { options, operandWords } = await load();
    const operands = await operandWords?.();
    words.push({ name, summary, options: [...options, ...COMMON_OPTIONS], operands });
  }
  return words;
}

/** What the value of an option can be; undefined for files and whatever else nobody can list. */
export function valueWords({ name, words }: OptionSpec): readonly string[] | undefined {
  return name === 'host' ? HOSTS.map((host) => host.name) : words;
}

/** True if a value follows the option as a word of its own. */
export function takesWord({ value, optional }: OptionSpec): boolean {
  return value !== undefined && optional !== true;
}
