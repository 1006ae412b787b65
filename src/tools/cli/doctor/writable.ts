import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { finding, type HookFinding, note } from '../../../hosts/installation.ts';
import { isWritableByOthers } from '../../../language/policy/files/root-only.ts';
import { countOf } from '../../report/layout/quantity.ts';

/** A file or folder that decides about the rights of an agent. */
export interface GuardedPath {
  readonly what: string;
  readonly path: string;
}

/** Who may write to the agent's guards. Its own account is a note, because the hook refuses such calls. */
export function writableFindings(guarded: readonly GuardedPath[]): readonly HookFinding[] {
  const open = new Map<string, Set<string>>();
  const own = new Set<string>();
  for (const { what, path } of guarded) {
    const real = realOf(path);
    if (real === undefined) continue;
    // On Windows access lists count, and modes say nothing.
    const places = process.platform === 'win32' ? [] : [real, dirname(real)];
    const at = places.find((each) => isWritableByOthers(statSync(each), each !== real));
    if (at !== undefined) open.set(what, (open.get(what) ?? new Set()).add(at));
    if (isOwn(real)) own.add(what);
  }
  const found = [...open].map(([what, places]) => {
    const [first = '', ...more] = places;
    const rest = more.length === 0 ? '' : ` and ${countOf(more.length, 'other place')}`;
    const message = `Others may write to ${first}${rest}, where ${what} is`;
    return finding('writable', message, `run chmod go-w ${[first, ...more].join(' ')}`);
  });
  if (own.size === 0) return found;
  return [...found, ownAccountNote([...own])];
}

/** Says that the agent's account may change its guards. */
export function ownAccountNote(guards: readonly string[]): HookFinding {
  const fix =
    'the hook refuses that to agents, but not to their programs: let root own them (policy install --system for the program), or the agent run as another user';
  return note('own-account', `Your own account may write to ${guards.join(', ')}`, fix);
}

/** True if a file, or the folder in which it could be replaced, belongs to the account that asks, and that is not root. */
export function isOwn(path: string): boolean {
  const uid = process.getuid?.() ?? 0;
  return uid !== 0 && [path, dirname(path)].some((at) => statSync(at).uid === uid);
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
