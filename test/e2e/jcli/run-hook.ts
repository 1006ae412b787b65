import { spawn } from 'node:child_process';
import type { JsonObject } from '../../../src/lib/json.ts';
import type { Generation } from './generations.ts';
import { type HookResult, parseHookResult } from './hook-result.ts';

export interface HookDefinition {
  readonly command: string;
  /** The events it is registered for. */
  readonly events: readonly string[];
  /** Whole seconds; 0 fails at once. */
  readonly timeout?: number;
  readonly retry?: number;
  readonly on_error?: 'skip' | 'stop';
  readonly filter?: {
    readonly tool_name?: string;
    readonly tool_matcher?: string;
    readonly model_prefix?: string;
  };
  /** Answers in the place of the command, where the test is not about a process. */
  readonly answers?: (
    input: string,
    env: HookSurroundings['env'],
  ) => Promise<{ stdout: string; exitCode: number | null }>;
}

export interface HookSurroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Runs a command whose output is read from the pipe when it has ended. */
const READ_LATE = `s=$(mktemp)
{ sh -c "$0"; echo $? > "$s"; } | { until [ -s "$s" ]; do sleep 0.02; done; cat; }
read -r code < "$s"; rm "$s"; exit "$code"`;

/** Runs one hook once. Rejects for everything that the host counts as a broken hook. */
export async function runHook(
  hook: HookDefinition,
  context: JsonObject,
  generation: Generation,
  { cwd, env }: HookSurroundings,
): Promise<HookResult> {
  const timeoutMs = (hook.timeout ?? 10) * 1000;
  if (timeoutMs === 0) throw new Error('timed out after 0 s');
  const own = {
    JCLI_HOOK_EVENT: String(context['event']),
    JCLI_CWD: cwd,
    ...(generation.hookDir ? { JCLI_HOOK_DIR: cwd } : {}),
  };
  if (hook.answers !== undefined) {
    const { stdout, exitCode } = await hook.answers(JSON.stringify(context), { ...env, ...own });
    if (exitCode !== 0) throw new Error(`exit ${exitCode}`);
    return parseHookResult(stdout, generation);
  }
  const [shell = 'sh', flag = '-c'] = generation.shell;
  const killsGroup = generation.killsTree || generation.readsLate;
  const child = spawn(shell, generation.readsLate ? [flag, READ_LATE, hook.command] : [flag, hook.command], {
    cwd,
    detached: killsGroup,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env, ...own },
  });
  const { promise, resolve, reject } = Promise.withResolvers<HookResult>();
  child.once('error', (error) => reject(new Error(`cannot start: ${error.message}`)));
  // A hook that leaves without reading its input does no harm.
  child.stdin.on('error', () => {});
  child.stdin.end(JSON.stringify(context));
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.resume();
  const timer = setTimeout(() => {
    if (killsGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
    reject(new Error(`timed out after ${hook.timeout ?? 10} s`));
  }, timeoutMs);
  child.once('close', (code, signal) => {
    clearTimeout(timer);
    if (code !== 0) return reject(new Error(`exit ${code ?? signal}`));
    try {
      resolve(parseHookResult(Buffer.concat(output).toString('utf8'), generation));
    } catch (error) {
      reject(error);
    }
  });
  return promise;
}
