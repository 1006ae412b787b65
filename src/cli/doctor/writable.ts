import { realpathSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Finding, finding, note } from '../../hosts/installation.ts';

const BY_GROUP = 0o020;
const BY_OTHERS = 0o002;
const STICKY = 0o1000;

/** A file or folder that decides what an agent may do. */
export interface Guarded {
  readonly what: string;
  readonly path: string;
}

/**
 * Who may write to what guards the agent. That its own account may is a note: the hook refuses it, though not what a program
 * of the agent's own does.
 */
export function writableFindings(guarded: readonly Guarded[]): readonly Finding[] {
  const found: Finding[] = [];
  const own: string[] = [];
  for (const { what, path } of guarded) {
    const real = realOf(path);
    if (real === undefined) continue;
    for (const at of [real, dirname(real)]) {
      const stats = statSync(at, { throwIfNoEntry: false });
      if (stats === undefined || !others(stats, at !== real)) continue;
      const message = `Others may write to ${at}, where ${what} is`;
      found.push(finding('writable', message, `run chmod go-w ${at}`));
      break;
    }
    const uid = process.getuid?.();
    if (uid !== undefined && uid !== 0 && [real, dirname(real)].some((at) => statSync(at).uid === uid))
      own.push(what);
  }
  if (own.length > 0) {
    const message = `Your own account may write to ${[...new Set(own)].join(', ')}`;
    const fix =
      'the hook refuses that to agents, but not to their programs: let root own them, or the agent run as another user';
    found.push(note('own-account', message, fix));
  }
  return found;
}

/** A folder with the sticky bit keeps its files from all but their owners. */
function others({ mode, gid, uid }: Stats, isFolder: boolean): boolean {
  if (isFolder && (mode & STICKY) !== 0) return false;
  // A group of the owner's own, of the same number, has nobody else in it.
  return (mode & BY_OTHERS) !== 0 || ((mode & BY_GROUP) !== 0 && gid !== uid);
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
