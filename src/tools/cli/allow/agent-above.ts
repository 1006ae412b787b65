import { existsSync, readFileSync } from 'node:fs';
import { agentIn, type Started } from './agents.ts';

/** More than any terminal has above it. */
const MAX_ANCESTORS = 256;

interface Ancestor extends Started {
  readonly parent: number;
}

/**
 * The agent that has started this process, by whatever way; undefined if none has.
 *
 * @throws Error if it is unknown which processes these are
 */
export function agentAbove(env: Started['env']): string | undefined {
  const own = agentIn({ argv: [], env });
  if (own !== undefined) return own;
  const look = existsSync('/proc/self/stat') ? fromProc : fromPs;
  let pid = process.ppid;
  for (let count = 0; pid > 1; count++) {
    if (count > MAX_ANCESTORS) throw new Error('there are too many of them');
    const ancestor = look(pid);
    const agent = agentIn(ancestor);
    if (agent !== undefined) return agent;
    pid = ancestor.parent;
  }
  return undefined;
}

/** proc(5): the name in `stat` may hold anything, so the fields after the last bracket count. */
function fromProc(pid: number): Ancestor {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  if (!Number.isSafeInteger(parent)) throw new Error(`the parent of process ${pid} cannot be read`);
  return { parent, argv: partsOf(`/proc/${pid}/cmdline`), env: environmentOf(pid) };
}

/** Another user's cannot be read: sudo, login, the system's own. */
function environmentOf(pid: number): Started['env'] {
  try {
    return Object.fromEntries(
      partsOf(`/proc/${pid}/environ`).map((part) => {
        const end = part.indexOf('=');
        return [part.slice(0, end), part.slice(end + 1)];
      }),
    );
  } catch {
    return undefined;
  }
}

function partsOf(path: string): readonly string[] {
  return readFileSync(path, 'utf8').split('\0');
}

function fromPs(pid: number): Ancestor {
  const { stdout, exitCode } = Bun.spawnSync(['/bin/ps', '-o', 'ppid=,command=', '-p', String(pid)]);
  const [, parent, command] = /^\s*(\d+)\s+(.*)$/m.exec(stdout.toString()) ?? [];
  if (exitCode !== 0 || parent === undefined || command === undefined)
    throw new Error(`process ${pid} cannot be seen`);
  return { parent: Number(parent), argv: command.split(' '), env: undefined };
}
