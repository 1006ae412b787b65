import type { ProgramRow } from '../../../model/program-row.ts';
import type { Flag, Span } from '../../reading/reading.ts';
import { EMPTY_WORD, type Word } from '../../reading/word.ts';
import type { Arg, Call, ParsedArguments } from '../../shell/scope/interpreter.ts';
import { otherSpellingsIn } from '../spec/row-table.ts';

/** The rest of a call for help: the flag that asks for it. A word that may be `--` leaves open if it is a flag. */
export function withoutWordsBesideHelp(
  parsed: ParsedArguments,
  levels: readonly ProgramRow[],
): ParsedArguments {
  if (parsed.openEnded || parsed.flags.length === 0) return parsed;
  const help = levels.flatMap((level) => level.help ?? []);
  if (help.length === 0) return parsed;
  // Right behind a flag that the rows do not have it may be the value of that: `--description -h`.
  const open = new Set(
    parsed.flags
      .filter((flag) => mayTakeNext(flag, levels) && !help.includes(flag.name))
      .map(({ arg }) => arg),
  );
  const asked = parsed.flags.filter(({ name, arg }) => help.includes(name) && !open.has(arg - 1));
  if (asked.length === 0) return parsed;
  // Settings in front of the subcommand may name the program that shows the help: `git -c man.x.cmd=…`.
  const front = parsed.subcommands > 0 ? (parsed.operands[0]?.arg ?? 0) : 0;
  const flags = parsed.flags.filter((flag) => asked.includes(flag) || flag.arg < front);
  return { flags, operands: [], subcommands: 0, uncertain: [], openEnded: false };
}

/** True for a flag without a value that no row has, of a program whose flags are not all known. */
function mayTakeNext({ name, written, value }: Flag, levels: readonly ProgramRow[]): boolean {
  if (value !== undefined || written.includes('=') || levels.some(({ abbreviates }) => abbreviates === true))
    return false;
  return name.startsWith('--') || !levels.some((level) => otherSpellingsIn(level, name).length > 0);
}

export function hasFlag(parsed: ParsedArguments, ...names: readonly string[]): boolean {
  return parsed.flags.some((flag) => names.includes(flag.name));
}

/** True if a key of a row holds: always, or with one of these flags. */
export function keyHolds(parsed: ParsedArguments, when: true | readonly string[] | undefined): boolean {
  return when === true || (when !== undefined && hasFlag(parsed, ...when));
}

export function flagValue(parsed: ParsedArguments, ...names: readonly string[]): Word | undefined {
  return parsed.flags.findLast((flag) => names.includes(flag.name))?.value;
}

/** The word that a flag's value is in: the next one, or the flag's own. */
export function valueArgument(args: readonly Arg[], flag: Flag): Arg | undefined {
  const next = args[flag.arg + 1];
  return next !== undefined && next.word === flag.value ? next : args[flag.arg];
}

/** A flag's value as an argument of its own. */
export function valueAsArgument(args: readonly Arg[], flag: Flag, span: Span): Arg {
  const arg = valueArgument(args, flag);
  const isWhole = arg !== undefined && arg.word === flag.value;
  return { word: flag.value ?? EMPTY_WORD, span: arg?.span ?? span, at: isWhole ? arg.at : undefined };
}

/** True if a command only prints its help, or only says which changes it would make. */
export function isIdle(parsed: Call['parsed'], levels: readonly [ProgramRow, ...ProgramRow[]]): boolean {
  const row = levels.at(-1) ?? levels[0];
  return asksForHelp(parsed, row) || isHarmless(parsed, row) || isDryRun(parsed, levels);
}

export function isDryRun(parsed: Call['parsed'], levels: readonly [ProgramRow, ...ProgramRow[]]): boolean {
  return keyHolds(parsed, levels[0].dry_run) || keyHolds(parsed, levels.at(-1)?.dry_run);
}

export function isHarmless(parsed: Call['parsed'], { harmless, harmless_alone }: ProgramRow): boolean {
  return keyHolds(parsed, harmless) && !(harmless_alone === true && parsed.flags.length > 1);
}

/** True for a flag that asks for help: not after an operand of many programs, nor with a value: `cargo yank --version 1.0.0 a`. */
export function asksForHelp({ flags, operands, subcommands }: Call['parsed'], { help }: ProgramRow): boolean {
  const first = operands[subcommands]?.arg ?? Number.POSITIVE_INFINITY;
  const asks = ({ name, arg, value, written }: Flag) =>
    (name === '--help' || name === '--version') &&
    arg < first &&
    (value === undefined || written.includes('='));
  return help?.length !== 0 && flags.some(asks);
}
