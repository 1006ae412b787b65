import { dirname, join } from 'node:path';
import { sha256Hex } from '../lib/digest.ts';
import { findStateSubfolder } from './state-folder.ts';

/** The folder inside the state folder that holds them all. */
export const SESSION_FOLDER = 'session';

/**
 * Where the policies are that were added to sessions in a directory, or in one above it: a folder for each of these, the
 * outermost first, whether there is one or not. None where nobody has added any.
 *
 * @param directory absolute, without links
 * @throws StateError if it cannot be told whether there are any
 */
export function sessionFolders(
  env: Readonly<Record<string, string | undefined>>,
  directory: string,
): readonly string[] {
  const all = findStateSubfolder(env, SESSION_FOLDER);
  if (all === undefined) return [];
  return directoriesUpFrom(directory).map((each) => join(all, sessionFolderName(each)));
}

/** A directory and those above it, the outermost first. */
export function directoriesUpFrom(directory: string): readonly string[] {
  const above = dirname(directory);
  return above === directory ? [directory] : [...directoriesUpFrom(above), directory];
}

/** How the folder of one directory is called. */
export function sessionFolderName(directory: string): string {
  return sha256Hex([directory]);
}
