import { messageOf } from '../lib/message-of.ts';

const MAX_OUTPUT_BYTES = 512 * 1024;

/** The text that a program has printed, or why that does not count. */
export type Printed = { readonly text: string } | { readonly cause: string };

/**
 * Runs a program with a text on stdin and a time limit. Never rejects. Its children end with it, unless they have left its
 * group, and it ends with this process, unless that is killed.
 */
export async function runProgram(argv: readonly string[], input: string, maxMs: number): Promise<Printed> {
  const timeoutMs = Math.max(0, Math.floor(maxMs));
  const [program] = argv;
  try {
    const child = Bun.spawn([...argv], {
      stdin: Buffer.from(input),
      stdout: 'pipe',
      stderr: 'ignore',
      // In a group of its own, which can be ended as a whole.
      detached: true,
    });
    endWithThisProcess(child);
    const output = child.stdout.getReader();
    const stop = () => {
      if ((child.exitCode ?? child.signalCode) === null) endGroup(child);
      // Something that has left the group may hold the output open for as long as it likes.
      void output.cancel();
    };
    const timer = setTimeout(stop, timeoutMs);
    void child.exited.then(() => endGroup(child));
    const text = await readAtMost(() => output.read(), MAX_OUTPUT_BYTES);
    if (text === undefined) stop();
    const exitCode = await child.exited;
    clearTimeout(timer);
    if (text === undefined || child.signalCode !== null)
      return { cause: `${program} was stopped after ${timeoutMs} ms or too much output` };
    return exitCode === 0 ? { text } : { cause: `${program} ended with exit code ${exitCode}` };
  } catch (error) {
    return { cause: `${program} cannot be started: ${messageOf(error)}` };
  }
}

const running = new Set<Bun.Subprocess>();

function endWithThisProcess(child: Bun.Subprocess): void {
  if (running.size === 0) process.once('exit', endAll);
  running.add(child);
  void child.exited.then(() => {
    running.delete(child);
    if (running.size === 0) process.off('exit', endAll);
  });
}

function endAll(): void {
  for (const child of running) endGroup(child);
}

/** Groups are not everywhere; where there are none, the program itself is ended. */
function endGroup(child: Bun.Subprocess): void {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}

/** Reads a stream to its end; undefined if it has more than so many bytes. */
async function readAtMost(
  next: () => Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>,
  maxBytes: number,
): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let { value } = await next(); value !== undefined; { value } = await next()) {
    size += value.length;
    if (size > maxBytes) return undefined;
    chunks.push(value);
  }
  return Buffer.concat(chunks).toString('utf8');
}
