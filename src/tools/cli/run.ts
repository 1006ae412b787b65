import type { Io } from './io.ts';

/** Runs a command line and returns the exit code. The hook comes first, past everything that only people need. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const [name, ...rest] = args;
  if (name === 'hook' && !asksForHelp(rest, io)) {
    const { startHook } = await import('./commands/hook.ts');
    return startHook(rest, io);
  }
  const { runCommand } = await import('./run-command.ts');
  return runCommand(args, io);
}

const HELP: ReadonlySet<string> = new Set(['--help', '-h', '--all']);

/**
 * Help in the place of an answer lets a call through: a host gets it only from a command line that asks for nothing else,
 * not from `policy hook -h gemini`.
 */
function asksForHelp(args: readonly string[], io: Io): boolean {
  if (!args.includes('--help') && !args.includes('-h')) return false;
  return io.stdin.isTTY || args.every((arg) => HELP.has(arg));
}
