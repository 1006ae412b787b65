import { checkTime } from '../../../lib/time-limit.ts';
import type { Truth } from '../../../model/truth.ts';
import { otherSpellings, otherSpellingsIn } from '../../../reader/programs/spec/row-table.ts';
import type { Flag, ReadCommand } from '../../../reader/reading/reading.ts';
import { knownText, type Word } from '../../../reader/reading/word.ts';

export const ANY_FLAG = '-*';

/**
 * Tests if a flag is in force.
 *
 * @param named how many subcommands the policy names: then flags in front of them are those of the program
 */
export function hasFlag(command: ReadCommand, name: string, named: number): Truth {
  checkTime();
  if (name === '--') return command.args.some((word) => knownText(word) === '--');
  if (name === ANY_FLAG ? command.flags.length > 0 : flagsCalled(command, name, named).length > 0)
    return true;
  return mayHaveUnknownFlags(command) ? 'unknown' : false;
}

/** The flags of this name, in whichever spelling. */
export function flagsCalled(command: ReadCommand, name: string, named: number): readonly Flag[] {
  const called = command.flags.filter((flag) => flag.name === name || flag.written === name);
  const found = named > 0 ? called.filter((flag) => !isOfProgram(flag, command)) : called;
  const others = command.flags.length === found.length ? [] : otherSpellings(command, name);
  if (others.length === 0) return found;
  return command.flags.filter(
    (flag) => found.includes(flag) || others.includes(flag.name) || others.includes(flag.written),
  );
}

/** `git -C folder commit`: `-C` of commit is another one, with spellings of its own. */
function isOfProgram({ name, arg }: Flag, { rows, args, operands, subcommands }: ReadCommand): boolean {
  const subcommand = operands[subcommands - 1];
  if (rows.length < 2 || subcommand === undefined || arg >= args.indexOf(subcommand)) return false;
  const [program, own] = [rows[0], rows.at(-1)].map((row) => row && otherSpellingsIn(row, name).join());
  return own !== '' && own !== program;
}

/** Might one of its words be flags that nobody knows? */
export function mayHaveUnknownFlags(command: ReadCommand): boolean {
  return command.args.some((word) => couldHoldFlags(word, command));
}

/**
 * True for words that may be flags: unquoted expansions, and words after a dash that are no flag's value: `-$X`, but not
 * `-n$X`. A quoted expansion counts as an operand, which it nearly always is: `rm "$file"`.
 */
function couldHoldFlags(word: Word, { flags }: ReadCommand): boolean {
  const [first, second] = word;
  if (first?.type === 'unknown') return word.length === 1 && first.splits;
  if (first?.type !== 'text' || second?.type !== 'unknown' || !first.text.startsWith('-')) return false;
  return !flags.some(({ written, value }) => value !== undefined && first.text.startsWith(written));
}
