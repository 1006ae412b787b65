import { lstatSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isMissing } from './why-unreadable.ts';

/** The kinds of paths: `other` is a device, a pipe or a socket, `dangling` a link that leads nowhere. */
export type PathKind = 'file' | 'folder' | 'missing' | 'dangling' | 'other' | 'unreadable';

/** The kind of a path, links followed. */
export function kindOf(path: string): PathKind {
  try {
    // Most folders that are looked for are not there: this throws nothing for them.
    const here = lstatSync(path, { throwIfNoEntry: false });
    if (here === undefined) return 'missing';
    const stats = here.isSymbolicLink() ? lstatSync(realpathSync(path)) : here;
    if (stats.isFile()) return 'file';
    return stats.isDirectory() ? 'folder' : 'other';
  } catch (error) {
    if (!isMissing(error)) return 'unreadable';
    return isThere(path) ? 'dangling' : 'missing';
  }
}

/** Nothing is below a file. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if (!isMissing(error)) throw error;
    return false;
  }
}

/** The folder of packages in a path. */
export const MODULES = `${sep}node_modules${sep}`;

/** True for a file that a package manager would bring and that is not there. */
export function isMissingModule(path: string): boolean {
  if (!path.includes(MODULES)) return false;
  const kind = kindOf(path);
  return kind === 'missing' || kind === 'dangling';
}

/** A directory with links followed, so that the folders above it are those it really lies in. */
export function realDirectory(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** The folders that hold `.git`, at and above a directory, nearest first; none outside of repositories. */
export function repositoryRoots(directory: string): readonly string[] {
  return [directory, ...ancestorsOf(directory)].filter(
    (folder) => kindOf(join(folder, '.git')) !== 'missing',
  );
}

/** The folders above a directory, nearest first. */
function ancestorsOf(directory: string): readonly string[] {
  const folders: string[] = [];
  for (
    let folder = dirname(directory);
    folder !== folders.at(-1) && folder !== directory;
    folder = dirname(folder)
  ) {
    folders.push(folder);
  }
  return folders;
}

/** True if a path is a folder itself or lies below it. Both absolute and free of links. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** A path as people name it: relative to a directory where it is below it. */
export function displayPath(path: string, directory: string): string {
  const full = resolve(path);
  return isInside(full, directory) ? relative(directory, full) || '.' : full;
}
