import type { Io } from './io.ts';

/** Runs a command line and returns the exit code. The hook comes first, before code that only people need. */
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
 * True if only help is asked for. A host that reads help as an answer lets the call through, so `policy hook -h gemini` is no
 * help.
 */
function asksForHelp(args: readonly string[], io: Io): boolean {
  if (!args.includes('--help') && !args.includes('-h')) return false;
  return io.stdin.isTTY || args.every((arg) => HELP.has(arg));
}
