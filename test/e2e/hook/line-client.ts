import { spawn } from 'node:child_process';
import { isJsonObject, type Json, type JsonObject } from '../../../src/lib/json.ts';
import { BINARY } from '../../support/binary.ts';
import type { Workplace } from './workplace.ts';

/** A hook process of PicoClaw with a test at the other end. */
export interface LineClient {
  readonly send: (data: string | Uint8Array) => void;
  /** Closes its input. */
  readonly close: () => void;
  readonly signal: (name: NodeJS.Signals) => void;
  /** The answer to a request, as a line without its break. Rejects if it is not there after a while. */
  readonly answerTo: (id: number, withinMs?: number) => Promise<string>;
  /** Every line so far. */
  readonly lines: () => readonly string[];
  readonly stderr: () => string;
  /** Resolves with the exit code when it has ended, null after a signal. */
  readonly ended: Promise<number | null>;
}

const WAIT_MS = 5_000;
const KILL_MS = 50_000;

/** Starts `policy hook --host picoclaw` in the project of a workplace. */
export function startLines(
  place: Workplace,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): LineClient {
  const child = spawn(BINARY, ['hook', '--host', 'picoclaw', ...args], {
    env: { ...place.env, ...env },
    cwd: place.project,
    stdio: 'pipe',
  });
  const kill = setTimeout(() => child.kill('SIGKILL'), KILL_MS);
  const chunks: Buffer[] = [];
  const lines: string[] = [];
  const waiting = new Map<number, (line: string) => void>();
  let errors = '';
  child.stdin.on('error', () => {});
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString('utf8');
  });
  child.stdout.on('data', (chunk: Buffer) => {
    const last = chunk.lastIndexOf(10);
    if (last === -1) {
      chunks.push(chunk);
      return;
    }
    const text = Buffer.concat([...chunks.splice(0), chunk.subarray(0, last)]).toString('utf8');
    chunks.push(chunk.subarray(last + 1));
    for (const line of text.split('\n')) take(line);
  });

  function take(line: string): void {
    lines.push(line);
    const id = idOf(line);
    if (id === undefined) return;
    waiting.get(id)?.(line);
    waiting.delete(id);
  }

  return {
    send: (data) => void child.stdin.write(data),
    close: () => void child.stdin.end(),
    signal: (name) => void child.kill(name),
    answerTo: (id, withinMs = WAIT_MS) => {
      const there = lines.find((line) => idOf(line) === id);
      if (there !== undefined) return Promise.resolve(there);
      return new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`no answer to ${id}; ${errors}`)), withinMs);
        waiting.set(id, (line) => {
          clearTimeout(late);
          resolve(line);
        });
      });
    },
    lines: () => lines,
    stderr: () => errors,
    ended: new Promise((resolve) => {
      child.once('close', (code) => {
        clearTimeout(kill);
        const rest = Buffer.concat(chunks).toString('utf8');
        if (rest !== '') lines.push(rest);
        resolve(code);
      });
    }),
  };
}

/** The id in the head of an answer, which may be longer than is worth parsing. */
export function idOf(line: string): number | undefined {
  const id = /^\{"jsonrpc":"2\.0","id":(\d+),/.exec(line)?.[1];
  return id === undefined ? undefined : Number(id);
}

/** A request as a line without its break. */
export function request(id: number, method: string, params: JsonObject): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

/** A call of the shell in the words of PicoClaw. */
export function shellCall(id: number, command: string, method = 'hook.before_tool'): string {
  const meta = { SessionKey: 's', TurnID: `turn-${id}`, AgentID: 'main', Iteration: 1 };
  return request(id, method, { meta, tool: 'exec', arguments: { action: 'run', command } });
}

/** What becomes of commands, all of which one process judges. */
export async function fatesOf(
  place: Workplace,
  commands: readonly string[],
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<readonly ('prevented' | 'happens')[]> {
  const client = startLines(place, args, env);
  const fates: ('prevented' | 'happens')[] = [];
  for (const [index, command] of commands.entries()) {
    client.send(`${shellCall(index + 1, command)}\n`);
    const { action } = resultOf(await client.answerTo(index + 1));
    fates.push(action === 'deny_tool' ? 'prevented' : 'happens');
  }
  client.close();
  await client.ended;
  return fates;
}

/** The `result` of an answer. */
export function resultOf(line: string): JsonObject {
  const answer = JSON.parse(line) as Json;
  const result = isJsonObject(answer) ? answer['result'] : undefined;
  if (!isJsonObject(result)) throw new Error(`no result: ${line.slice(0, 200)}`);
  return result;
}
