import { HOSTS } from '../../src/hosts/registry.ts';
import type { Io } from '../../src/tools/cli/io.ts';
import { run } from '../../src/tools/cli/run.ts';

/** What a command did. */
export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** True if every stream is a terminal. */
  readonly isTTY?: boolean;
  /** How wide the terminal is. */
  readonly columns?: number;
}

/** Runs a command line in this process, away from the real one. */
export async function runCli(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const isTTY = options.isTTY ?? false;
  let stdout = '';
  let stderr = '';
  const io: Io = {
    stdin: { isTTY, stream: () => new Blob([options.stdin ?? '']).stream() },
    stdout: {
      isTTY,
      columns: options.columns,
      hasFailed: false,
      isClosed: false,
      write: (text) => {
        stdout += text;
      },
    },
    stderr: {
      isTTY,
      columns: options.columns,
      hasFailed: false,
      isClosed: false,
      write: (text) => {
        stderr += text;
      },
    },
    env: options.env ?? {},
    cwd: options.cwd ?? '/nonexistent',
  };
  const exitCode = await run(args, io);
  return { exitCode, stdout, stderr };
}

/** Output without what differs from run to run. */
export function stable(text: string): string {
  return text.replace(/ +\d+(\.\d+)? (µs|ms|s)\b/g, '  N µs');
}

/** The names of all hosts, as messages list them. */
export const HOST_NAMES = HOSTS.map(({ name }) => name).join(', ');
