import { accessSync, constants, lstatSync, readdirSync, realpathSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';

const BY_GROUP = 0o020;
const BY_OTHERS = 0o002;
const STICKY = 0o1000;

/** The only owner beside root who may change files of policies. */
export type PolicyOwner = 'root' | 'user';

/** The accounts that may; everybody on Windows, where access lists say who may. */
export function ownersOf(owner: PolicyOwner): ReadonlySet<number> | 'any' {
  const uid = process.getuid?.();
  if (uid === undefined) return 'any';
  return new Set(owner === 'root' ? [0] : [0, uid]);
}

/** True if only root can change or replace the target of a path. */
export function onlyRootWrites(path: string): boolean {
  return openPlaceAbove(realpathSync(path), new Set([0])) === undefined;
}

/** The first path with which others than root could change a folder's contents; undefined if there is none, and on Windows. */
export function openPlaceOf(folder: string): string | undefined {
  const owners = ownersOf('root');
  if (owners === 'any') return undefined;
  const real = realpathSync(folder);
  return (
    openPlaceAbove(real, owners) ??
    readdirSync(real, { recursive: true, encoding: 'utf8' })
      .map((name) => join(real, name))
      .find((path) => isOpen(path, owners))
  );
}

/** The first of a place and the folders above it that others than its owners could change. */
export function openPlaceAbove(place: string, owners: ReadonlySet<number> | 'any'): string | undefined {
  if (owners === 'any') return undefined;
  for (let at = place; ; at = dirname(at)) {
    if (isOpen(at, owners, at !== place)) return at;
    if (at === dirname(at)) return undefined;
  }
}

/** The target of a link gets a look of its own. */
function isOpen(path: string, owners: ReadonlySet<number>, isAbove = false): boolean {
  const stats = lstatSync(path);
  if (!owners.has(stats.uid)) return true;
  return !stats.isSymbolicLink() && isWritableByOthers(stats, isAbove) && !isReadOnly(path);
}

/** @param keepsFiles true for a folder whose files others must not replace */
export function isWritableByOthers({ mode, gid, uid }: Stats, keepsFiles: boolean): boolean {
  // A folder with the sticky bit keeps its files from all but their owners.
  if (keepsFiles && (mode & STICKY) !== 0) return false;
  // A group of the owner's own, of the same number, has nobody else in it.
  return (mode & BY_OTHERS) !== 0 || ((mode & BY_GROUP) !== 0 && gid !== uid);
}

/** Mounted so that nobody writes there, whatever its mode says: config maps of Kubernetes are. */
function isReadOnly(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EROFS';
  }
}
