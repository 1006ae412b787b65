import { mkdirSync, type Stats, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { StateError, stateError } from './state-error.ts';

const FOLDER_MODE = 0o700;
const WRITABLE_BY_OTHERS = 0o022;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The state's folder: `$XDG_STATE_HOME/policy`, else `$HOME/.local/state/policy`. Relative values do not count, as
 * the XDG base directory specification says. Nothing is made or looked at.
 *
 * @throws StateError if the environment names no home
 */
export function stateFolderPath(env: Environment): string {
  const path = pathIn(env);
  if (path !== undefined) return path;
  throw new StateError('Cannot find the state folder: set HOME or XDG_STATE_HOME to an absolute path');
}

function pathIn(env: Environment): string | undefined {
  const stateHome = env['XDG_STATE_HOME'];
  if (stateHome !== undefined && isAbsolute(stateHome)) return join(stateHome, 'policy');
  const home = env['HOME'] ?? env['USERPROFILE'];
  return home !== undefined && isAbsolute(home) ? join(home, '.local', 'state', 'policy') : undefined;
}

/**
 * The state folder, made with mode 0700 if it is not there yet.
 *
 * @throws StateError if it cannot be made, belongs to someone else, or others may write to it: whoever can write there
 * can trust a project and forget refusals
 */
export function openStateFolder(env: Environment): string {
  const folder = stateFolderPath(env);
  const stats = statsOf(folder) ?? make(folder);
  checkPrivate(folder, stats);
  return folder;
}

/**
 * A folder inside the state folder, made if it is not there yet.
 *
 * @throws StateError as `openStateFolder`
 */
export function openStateSubfolder(env: Environment, name: string): string {
  const folder = join(openStateFolder(env), name);
  const stats = statsOf(folder) ?? make(folder);
  checkPrivate(folder, stats);
  return folder;
}

/**
 * A folder inside the state folder if it is there, without making anything: reading works where writing does not.
 *
 * @throws StateError if it is there and cannot be used
 */
export function findStateSubfolder(env: Environment, name: string): string | undefined {
  const stateFolder = pathIn(env);
  if (stateFolder === undefined) return undefined;
  const folder = join(stateFolder, name);
  // Most are not there, and one look tells.
  if (statsOf(folder) === undefined) return undefined;
  for (const each of [stateFolder, folder]) {
    const stats = statsOf(each);
    if (stats === undefined) return undefined;
    checkPrivate(each, stats);
  }
  return folder;
}

function statsOf(folder: string): Stats | undefined {
  try {
    return statSync(folder, { throwIfNoEntry: false });
  } catch (error) {
    throw stateError(`Cannot use the state folder "${folder}"`, error);
  }
}

function make(folder: string): Stats {
  try {
    mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
    return statSync(folder);
  } catch (error) {
    throw stateError(`Cannot make the state folder "${folder}"`, error);
  }
}

function checkPrivate(folder: string, stats: Stats): void {
  if (!stats.isDirectory())
    throw new StateError(`Cannot use the state folder "${folder}": it is not a folder`);
  // Absent on Windows, where the profile folder's own access list protects it.
  const userId = process.getuid?.();
  if (userId === undefined) return;
  if (stats.uid !== userId)
    throw new StateError(`Cannot use the state folder "${folder}": it belongs to another user`);
  if ((stats.mode & WRITABLE_BY_OTHERS) !== 0) {
    throw new StateError(
      `Cannot use the state folder "${folder}": others may write to it; run chmod 700 on it`,
    );
  }
}
