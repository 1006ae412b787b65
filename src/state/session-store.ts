import { linkSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readPrivateFile, removeIfThere, writePrivateFile } from './private-file.ts';
import { directoriesUpFrom, SESSION_FOLDER, sessionFolderName, sessionFolders } from './session-folders.ts';
import { StateError, stateError } from './state-error.ts';
import { findStateSubfolder, openStateSubfolder } from './state-folder.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** As large as a policy file may be. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;
const ENDING = '.yaml';

/** A policy file that was added to sessions. */
export interface SessionFile {
  readonly id: string;
  /** It is in force in sessions in and below this one. */
  readonly directory: string;
  readonly path: string;
  readonly text: string;
  readonly addedMs: number;
}

/** A file that is written and not in force yet. */
export interface Staged {
  /** The folder in which it stands alone. */
  readonly folder: string;
  /**
   * Puts it in force; `taken` if another file of this directory has its id, which stays.
   *
   * @throws StateError if it cannot be kept
   */
  readonly keep: (directory: string) => 'kept' | 'taken';
  /** Takes it away, unless it was kept. */
  readonly end: () => void;
}

/**
 * Writes a file apart from those in force, so that it can be tried.
 *
 * @throws StateError if it cannot be written
 */
export function stageSessionFile(env: Environment, id: string, text: string): Staged {
  const folder = openStateSubfolder(env, join(SESSION_FOLDER, `new-${crypto.randomUUID()}`));
  const path = join(folder, id + ENDING);
  guarded('keep policies', () => writePrivateFile(path, text));
  return {
    folder,
    keep: (directory) =>
      guarded('keep policies', () => {
        const target = openStateSubfolder(env, join(SESSION_FOLDER, sessionFolderName(directory)));
        try {
          // Unlike a new name, a link takes the place of nothing.
          linkSync(path, join(target, id + ENDING));
          return 'kept';
        } catch (error) {
          if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return 'taken';
          throw error;
        }
      }),
    end: () => {
      rmSync(folder, { recursive: true, force: true });
      removeIfEmpty(dirname(folder));
    },
  };
}

/**
 * The files that are in force in sessions in a directory, those of directories above it first.
 *
 * @throws StateError if they cannot be read
 */
export function sessionFiles(env: Environment, directory: string): readonly SessionFile[] {
  const folders = sessionFolders(env, directory);
  const directories = directoriesUpFrom(directory);
  return guarded('read policies', () =>
    folders.flatMap((folder, index) =>
      namesIn(folder).flatMap((name) => {
        const path = join(folder, name);
        const text = readPrivateFile(path, MAX_FILE_BYTES);
        if (text === undefined) return [];
        const addedMs = statSync(path).mtimeMs;
        return [
          { id: basename(name, ENDING), directory: directories[index] ?? directory, path, text, addedMs },
        ];
      }),
    ),
  );
}

/**
 * Takes a file out of force, and the folders that are empty then: where there are none, hooks have nothing to look for.
 *
 * @throws StateError if it cannot be deleted
 */
export function removeSessionFile(env: Environment, { path }: SessionFile): void {
  guarded('remove policies', () => {
    removeIfThere(path);
    removeIfEmpty(dirname(path));
    const all = findStateSubfolder(env, SESSION_FOLDER);
    if (all !== undefined) removeIfEmpty(all);
  });
}

function namesIn(folder: string): readonly string[] {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(ENDING))
    .sort();
}

/** Another process may put something in at the same moment, and then the folder stays. */
function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {}
}

function guarded<T>(verb: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw error instanceof StateError ? error : stateError(`Cannot ${verb} of sessions`, error);
  }
}
