import { isJsonObject, type Json, own, ownString } from '../lib/json.ts';
import type { RespondResult, RunSpec } from '../model/decision.ts';

const MAX_OUTPUT_BYTES = 512 * 1024;

/**
 * Runs the program of a plugin tool: arguments as JSON on stdin, the result on stdout, either an object with `for_llm`
 * or plain text. Never throws: a program that fails, is late or prints too much gives a result with `is_error`.
 */
export async function runTool(spec: RunSpec, budgetMs: number): Promise<RespondResult> {
  const timeoutMs = Math.min(spec.timeoutMs, budgetMs);
  const [program] = spec.argv;
  try {
    const child = Bun.spawn([...spec.argv], {
      stdin: Buffer.from(JSON.stringify(spec.input)),
      stdout: 'pipe',
      stderr: 'ignore',
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    const output = await readAtMost(child.stdout, MAX_OUTPUT_BYTES, () => child.kill('SIGKILL'));
    const exitCode = await child.exited;
    if (child.signalCode !== null)
      return failed(`${program} was stopped after ${timeoutMs} ms or too much output`);
    if (exitCode !== 0) return failed(`${program} ended with exit code ${exitCode}`);
    return resultFrom(output);
  } catch (error) {
    return failed(`${program} cannot be started: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function readAtMost(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
  tooMuch: () => void,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > maxBytes) {
      tooMuch();
      break;
    }
    chunks.push(chunk);
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
