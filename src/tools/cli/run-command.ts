import { SourceError } from '../../fleet/sources/fetched.ts';
import { StateError } from '../../hook/state/state-error.ts';
import { suggestionOr } from '../../lib/closest.ts';
import { likelyWord } from '../../model/likely-word.ts';
import { parseArguments } from './args.ts';
import { COMMON_OPTIONS } from './command.ts';
import { commandHelp, programHelp } from './help.ts';
import { EXIT_CODE, type Io, UsageError } from './io.ts';
import { COMMANDS } from './table.ts';
import { versionText } from './version.ts';

/** Names that people write for other ones here. */
const MEANT: Readonly<Record<string, string>> = { version: '--version', show: 'docs' };
const ALL = '--all';

/** Finds the command, reads its options and runs it. Every failure becomes a message on stderr and an exit code. */
export async function runCommand(args: readonly string[], io: Io): Promise<number> {
  const [written, ...rest] = args;
  const name = Object.hasOwn(MEANT, written ?? '') ? MEANT[written ?? ''] : written;
  let shown = io;
  try {
    shown = await shownOn(io, name, rest);
    const exitCode = await dispatch(name, rest, shown);
    if (!io.stdout.hasFailed) return exitCode;
    io.stderr.write(`${programName(name)}: Cannot write to standard output: it takes no more\n`);
    return EXIT_CODE.internalError;
  } catch (error) {
    return report(error, name, shown);
  }
}

/** The output of a command: data, and texts for agents, stay as they are. */
async function shownOn(io: Io, name: string | undefined, args: readonly string[]): Promise<Io> {
  if (name === 'hook' || args.includes('--json')) return io;
  const { wrappingIo } = await import('./terminal-io.ts');
  const { hasUnicode, plainIo } = await import('./terminal-io.ts');
  const isHelp = args.includes('--help') || args.includes('-h');
  const fitting = wrappingIo(io, isHelp ? undefined : name);
  return hasUnicode(io.env) ? fitting : plainIo(fitting);
}

async function dispatch(name: string | undefined, args: readonly string[], io: Io): Promise<number> {
  if (name === undefined) {
    io.stderr.write(programHelp(false, io.stderr.columns));
    return EXIT_CODE.usage;
  }
  if (name === '--help' || name === '-h' || name === 'help') return showHelp(args[0], io);
  if (name === '--version' || name === '-V') {
    io.stdout.write(versionText());
    return EXIT_CODE.ok;
  }
  if (name === 'completion') return (await import('./completion/print.ts')).printCompletion(args, io);
  const row = COMMANDS.find((command) => command.name === name);
  if (row === undefined) throw unknownCommand(name);
  const command = await row.load();
  const parsed = parseArguments(args, [...command.options, ...COMMON_OPTIONS]);
  if (parsed.switches.has('help')) return showHelp(name, io);
  if (parsed.problem !== undefined) throw parsed.problem;
  if (command.operands === undefined && parsed.operands.length > 0) {
    const word = parsed.operands[0];
    const instead = command.options.some((option) => option.name === 'host')
      ? `, such as --host ${word}`
      : '';
    throw new UsageError(`Cannot use "${word}": "policy ${name}" takes options only${instead}`);
  }
  if (command.isLong === true) Bun.unsafe.setJITPolicy(1);
  return command.run(parsed, io);
}

async function showHelp(name: string | undefined, io: Io): Promise<number> {
  if (name === undefined || name === ALL) {
    io.stdout.write(programHelp(name === ALL, io.stdout.columns));
    return EXIT_CODE.ok;
  }
  const row = COMMANDS.find((command) => command.name === name);
  if (row === undefined) throw unknownCommand(name);
  io.stdout.write(commandHelp(row, await row.load(), io.stdout.columns));
  return EXIT_CODE.ok;
}

function unknownCommand(name: string): UsageError {
  const what = name.startsWith('-') ? 'option' : 'command';
  const known = [...COMMANDS.map((row) => row.name), '--help', '--version'];
  const hint = suggestionOr(likelyWord(name, known), `there is no such ${what}`);
  return new UsageError(`Cannot use ${what} "${name}": ${hint}`);
}

function report(error: unknown, name: string | undefined, io: Io): number {
  const program = programName(name);
  if (error instanceof UsageError) {
    io.stderr.write(`${program}: ${error.message}\nTry ${program} --help\n`);
    return EXIT_CODE.usage;
  }
  if (error instanceof StateError) {
    io.stderr.write(`${program}: ${error.message}\n`);
    return EXIT_CODE.internalError;
  }
  if (error instanceof SourceError) {
    io.stderr.write(`${program}: ${error.message}\n`);
    return EXIT_CODE.invalidPolicy;
  }
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  io.stderr.write(`${program}: internal error, which is a defect of this program\n${what}\n`);
  return EXIT_CODE.internalError;
}

function programName(name: string | undefined): string {
  return COMMANDS.some((row) => row.name === name) ? `policy ${name}` : 'policy';
}
