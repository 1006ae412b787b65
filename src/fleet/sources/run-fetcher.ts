import { spawn } from 'node:child_process';
import { messageOf } from '../../lib/message-of.ts';
import { SourceError } from './fetched.ts';

const MAX_OUTPUT_BYTES = 128 * 1024 * 1024;
const MAX_MESSAGE_LENGTH = 300;

export interface ProgramRun {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  readonly stdin?: string;
  /** Asked a few times a second: why the program has to be stopped; undefined while it may go on. */
  readonly mustStop?: () => string | undefined;
}

/**
 * Runs a program without a shell and returns its output.
 *
 * @throws SourceError if it cannot be started, fails, takes too long, or prints too much; the message has its last words
 */
export function runFetcher(argv: readonly [string, ...string[]], run: ProgramRun): Promise<Buffer> {
  const [program, ...args] = argv;
  return new Promise((resolve, reject) => {
    // A group of its own: its children have to end with it.
    const child = spawn(program, args, { cwd: run.cwd, env: { ...run.env }, stdio: 'pipe', detached: true });
    const output: Buffer[] = [];
    let outputBytes = 0;
    let said = '';
    let stopped: string | undefined;
    const stop = (cause: string) => {
      stopped ??= cause;
      killGroup(child.pid);
    };
    const timer = setTimeout(
      () => stop(`${program} was not through after ${Math.ceil(run.timeoutMs / 1000)} s`),
      run.timeoutMs,
    );
    const watch = setInterval(() => {
      const cause = run.mustStop?.();
      if (cause !== undefined) stop(cause);
    }, 200);
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      clearInterval(watch);
      settle();
    };
    child.stdout.on('data', (chunk: Buffer) => {
      output.push(chunk);
      outputBytes += chunk.length;
      if (outputBytes > MAX_OUTPUT_BYTES) stop(`${program} printed too much`);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-4 * MAX_MESSAGE_LENGTH);
    });
    // It may end before it has read everything.
    child.stdin.on('error', () => {});
    child.stdin.end(run.stdin ?? '');
    child.once('error', (error) =>
      finish(() => reject(new SourceError(`${program} cannot be started: ${messageOf(error)}`))),
    );
    child.once('close', (code) =>
      finish(() => {
        if (stopped !== undefined) reject(new SourceError(stopped));
        else if (code === 0) resolve(Buffer.concat(output));
        else {
          reject(new SourceError(`${program} says: ${lastWords(said) || `exit code ${code}`}`));
        }
      }),
    );
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended on its own.
  }
}

/** The lines in which programs report their errors, without characters that hide addresses or move the cursor. */
function lastWords(said: string): string {
  const lines = said
    .split(/[\r\n]+/)
    .map((line) => line.replace(/\p{Cc}\[[\d;]*\w|\p{Cc}/gu, '').trim())
    .filter((line) => line !== '');
  const wrong = lines.filter((line) => /fatal|error|denied|could not|not found/i.test(line));
  return (wrong.length > 0 ? wrong : lines).slice(-2).join('; ').slice(0, MAX_MESSAGE_LENGTH);
}
