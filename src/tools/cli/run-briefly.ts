import type { HookAnswer } from '../../hosts/installation.ts';
import type { Io } from './io.ts';

export interface BriefRun {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Io['env'];
  readonly input: string;
  readonly timeoutMs: number;
}

/** Runs a program with a time limit, after which its children end too. Exit code 127 if it cannot start. */
export async function runBriefly({ argv, cwd, env, input, timeoutMs }: BriefRun): Promise<HookAnswer> {
  try {
    const child = Bun.spawn([...argv], {
      cwd,
      env: { ...env },
      stdin: new Blob([input]),
      stdout: 'pipe',
      stderr: 'pipe',
      detached: true,
    });
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      endGroup(child.pid);
    }, timeoutMs);
    const [stdout, stderr, exitCode] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    clearTimeout(timer);
    return { stdout, stderr, exitCode: isLate || child.signalCode !== null ? null : exitCode };
  } catch (error) {
    return { stdout: '', stderr: String(error), exitCode: 127 };
  }
}

/** Children of a program may hold its pipes open after it has ended. */
function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of it has ended on its own.
  }
}
