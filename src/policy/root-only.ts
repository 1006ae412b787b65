import { lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const BY_GROUP = 0o020;
const BY_OTHERS = 0o002;
const STICKY = 0o1000;

/** Whether only root can change or replace what a path leads to. */
export function onlyRootWrites(path: string): boolean {
  return openPlaceAbove(realpathSync(path)) === undefined;
}

/**
 * The first path by which others than root could change what a folder holds: the folder, what is above it, or what is in
 * it. Undefined if there is none, and on Windows, where access lists say who may.
 */
export function openPlaceOf(folder: string): string | undefined {
  if (process.getuid === undefined) return undefined;
  const real = realpathSync(folder);
  return (
    openPlaceAbove(real) ??
    readdirSync(real, { recursive: true, encoding: 'utf8' })
      .map((name) => join(real, name))
      .find((path) => isOpen(lstatSync(path)))
  );
}

function openPlaceAbove(real: string): string | undefined {
  for (let at = real; ; at = dirname(at)) {
    if (isOpen(statSync(at), at !== real)) return at;
    if (at === dirname(at)) return undefined;
  }
}

function isOpen(stats: Stats, isAbove = false): boolean {
  // What a link leads to is looked at by itself.
  return stats.uid !== 0 || (!stats.isSymbolicLink() && othersWrite(stats, isAbove));
}

/** @param keepsFiles true for a folder of which it matters whether others can replace what is in it */
export function othersWrite({ mode, gid, uid }: Stats, keepsFiles: boolean): boolean {
  // A folder with the sticky bit keeps its files from all but their owners.
  if (keepsFiles && (mode & STICKY) !== 0) return false;
  // A group of the owner's own, of the same number, has nobody else in it.
  return (mode & BY_OTHERS) !== 0 || ((mode & BY_GROUP) !== 0 && gid !== uid);
}
