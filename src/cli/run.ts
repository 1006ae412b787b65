import type { Io } from './io.ts';

/** Runs a command line and returns the exit code. The hook comes first, past everything that only people need. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const [name, ...rest] = args;
  if (name === 'hook' && !asksForHelp(rest)) {
    const { startHook } = await import('./commands/hook.ts');
    return startHook(rest, io);
  }
  const { runCommand } = await import('./run-command.ts');
  return runCommand(args, io);
}

function asksForHelp(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h');
}
