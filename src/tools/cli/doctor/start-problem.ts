import { lstatSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Machine } from '../../../hosts/installation.ts';
import { isInside, realDirectory } from '../../../language/policy/files/folders.ts';
import { isWritableByOthers } from '../../../language/policy/files/root-only.ts';

/** As the system has it. */
const MAX_LINKS = 40;

/**
 * Why a program is not one to start because a configuration or the path names it: somebody else could have put it there.
 * Undefined if nothing speaks against it. A program that runs now may always be started again.
 *
 * @param path absolute
 */
export function startProblem(path: string, machine: Pick<Machine, 'home' | 'project'>): string | undefined {
  try {
    if (isRunning(path)) return undefined;
    let at = path;
    for (let links = 0; links <= MAX_LINKS; links++) {
      const folder = realpathSync(dirname(at));
      const place = join(folder, basename(at));
      const stats = lstatSync(place);
      const problem = placeProblem(place, stats, machine) ?? folderProblem(folder);
      if (problem !== undefined) return problem;
      if (!stats.isSymbolicLink()) return stats.isFile() ? undefined : 'it is no file';
      at = resolve(folder, readlinkSync(place));
    }
    return 'its links lead nowhere';
  } catch {
    return 'it is not there';
  }
}

/** True for the program that runs now. */
export function isRunning(path: string): boolean {
  try {
    return realpathSync(path) === realpathSync(process.execPath);
  } catch {
    return false;
  }
}

/** True if a file, or the target of a link, belongs to the project: whoever wrote the project wrote it. */
export function isOfWorkspace(path: string, { home, project }: Pick<Machine, 'home' | 'project'>): boolean {
  // A workspace around the home directory holds all that a person has.
  if (isInside(realDirectory(home), realDirectory(project))) return false;
  return [path, realDirectory(path)].some(
    (each) => isInside(each, project) || isInside(each, realDirectory(project)),
  );
}

function placeProblem(
  place: string,
  stats: Stats,
  machine: Pick<Machine, 'home' | 'project'>,
): string | undefined {
  if (isOfWorkspace(place, machine)) return 'it lies in the workspace';
  if (!isTrusted(stats)) return `neither root nor you own ${place}`;
  return !stats.isSymbolicLink() && isWritableByOthers(stats, false)
    ? `others may write to ${place}`
    : undefined;
}

function folderProblem(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const stats = statSync(at);
    if (!isTrusted(stats) || isWritableByOthers(stats, true)) return `others may write to ${at}`;
    if (at === dirname(at)) return undefined;
  }
}

/** Windows says by access lists who may. */
function isTrusted({ uid }: Stats): boolean {
  const own = process.getuid?.();
  return own === undefined || uid === 0 || uid === own;
}
