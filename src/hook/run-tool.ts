import { isJsonObject, type Json, own, ownString } from '../lib/json.ts';
import { messageOf } from '../lib/message-of.ts';
import type { RespondResult, RunSpec } from '../model/decision.ts';

const MAX_OUTPUT_BYTES = 512 * 1024;

/**
 * Runs the program of a plugin tool: arguments as JSON on stdin, the result on stdout, either an object with `for_llm`
 * or plain text. Never throws: a program that fails, is late or prints too much gives a result with `is_error`. What it
 * has started ends with it, unless that has left its group, and ends with this process, unless that is killed.
 */
export async function runTool(spec: RunSpec, budgetMs: number): Promise<RespondResult> {
  const timeoutMs = Math.max(0, Math.floor(Math.min(spec.timeoutMs, budgetMs)));
  const [program] = spec.argv;
  try {
    const child = Bun.spawn([...spec.argv], {
      stdin: Buffer.from(JSON.stringify(spec.input)),
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
      return failed(`${program} was stopped after ${timeoutMs} ms or too much output`);
    if (exitCode !== 0) return failed(`${program} ended with exit code ${exitCode}`);
    return resultFrom(text);
  } catch (error) {
    return failed(`${program} cannot be started: ${messageOf(error)}`);
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

/** What comes to its end within so many bytes; undefined if it is more. */
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

function resultFrom(output: string): RespondResult {
  const value = parse(output);
  const text = isJsonObject(value) ? ownString(value, 'for_llm') : undefined;
  if (!isJsonObject(value) || text === undefined) return { for_llm: output.trimEnd() };
  const media = own(value, 'media');
  const forUser = ownString(value, 'for_user');
  return {
    for_llm: text,
    ...(forUser === undefined ? {} : { for_user: forUser }),
    ...flag(value, 'silent'),
    ...flag(value, 'is_error'),
    ...flag(value, 'response_handled'),
    ...(Array.isArray(media) ? { media: media.filter((item) => typeof item === 'string') } : {}),
  };
}

function parse(output: string): Json | undefined {
  try {
    return JSON.parse(output) as Json;
  } catch {
    return undefined;
  }
}

function flag(value: Json, key: 'silent' | 'is_error' | 'response_handled'): Partial<RespondResult> {
  const found = isJsonObject(value) ? own(value, key) : undefined;
  return typeof found === 'boolean' ? { [key]: found } : {};
}

function failed(cause: string): RespondResult {
  return { for_llm: `The tool failed: ${cause}.`, is_error: true };
}
