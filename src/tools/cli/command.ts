import type { Arguments, OptionSpec } from './args.ts';
import type { Io } from './io.ts';

/** One subcommand. A plain const object; `table.ts` is the only list of them. */
export interface Command {
  /** The words behind the options, as the usage line shows them: `[PATH]...`. */
  readonly operands?: string;
  /** The possible operands, for completion; absent for files and whatever else nobody can list. */
  readonly operandWords?: () => Promise<readonly string[]>;
  readonly options: readonly OptionSpec[];
  /** The help beside the options; one paragraph each. */
  readonly details: readonly string[];
  /** A worked example: lines that begin with `$ ` are typed, the others are the output. */
  readonly example: readonly string[];
  /** True if it may work for seconds: compiled code pays then, and the binary compiles late on its own. */
  readonly isLong?: true;
  /** Returns the exit code. `UsageError` and `StateError` are reported by the caller. */
  readonly run: (args: Arguments, io: Io) => Promise<number>;
}

/** The groups of commands in the help; the last one is for programs, and only `--help --all` lists it. */
export const COMMAND_GROUPS = {
  start: 'Start',
  write: 'Write policies',
  watch: 'Watch agents',
  team: 'Work as a team',
  programs: 'For programs, and rarely needed',
} as const;

/** A row of the command table: the facts of a command without loading it. */
export interface CommandRow {
  readonly name: string;
  readonly group: keyof typeof COMMAND_GROUPS;
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** Switches that every command has. */
export const COMMON_OPTIONS: readonly OptionSpec[] = [
  { name: 'help', short: 'h', summary: 'Show this help' },
];
