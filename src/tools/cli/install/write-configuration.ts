import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { writing } from '../write-text.ts';
import { readConfiguration } from './machine.ts';

const NEW_FILE_MODE = 0o600;
const PROGRAM_MODE = 0o700;
const WRITABLE = 0o222;

/** A file's new text. */
export interface Replacement {
  readonly path: string;
  /** The text that the file must still have; undefined for no file. */
  readonly before: string | undefined;
  /** Undefined deletes it. */
  readonly after: string | undefined;
}

/**
 * Replaces a configuration in one step: whoever reads it finds the old or the new text. Links are followed, the mode and
 * the owner stay. The new text's temporary file is the lock: two of these at once do not both write.
 *
 * @param beforeRename called when all but the last step is done
 * @throws UsageError if it cannot be done; then nothing has changed
 */
export function writeConfiguration(
  { path, before, after }: Replacement,
  beforeRename: () => void = () => undefined,
): void {
  writing(path, () => {
    const real = realPlace(path);
    const temporary = `${real}.policy-new`;
    const lock = openLock(temporary);
    try {
      if (readConfiguration(real) !== before)
        throw new Error('it has changed meanwhile; run the command again');
      if (after !== undefined) writeFileSync(lock, after);
      fsyncSync(lock);
      const stats = statSync(real, { throwIfNoEntry: false });
      // A host starts a file that begins with `#!` itself.
      if (stats === undefined && after?.startsWith('#!') === true) chmodSync(temporary, PROGRAM_MODE);
      if (stats !== undefined) {
        chmodSync(temporary, stats.mode & 0o7777);
        if (process.getuid?.() === 0) chownSync(temporary, stats.uid, stats.gid);
      }
      beforeRename();
      if (after !== undefined) renameSync(temporary, real);
      else if (stats !== undefined) unlinkSync(real);
      flushFolder(dirname(real));
    } finally {
      closeSync(lock);
      rmSync(temporary, { force: true });
    }
  });
}

/** Throws a `UsageError` if a file could not be replaced as things are. Nothing is written. */
export function checkWritable(path: string): void {
  writing(path, () => {
    const real = realPlace(path);
    const stats = statSync(real, { throwIfNoEntry: false });
    if (stats !== undefined && (stats.mode & WRITABLE) === 0)
      throw new Error('it is read-only; make it writable first');
    if (stats !== undefined) accessSync(real, constants.W_OK);
    accessSync(nearestFolder(dirname(real)), constants.W_OK);
  });
}

/** Makes the folder of a file; returns the folders that were not there, outermost first. */
export function makeFolderOf(path: string): readonly string[] {
  return writing(path, () => {
    const folder = dirname(realPlace(path));
    const made: string[] = [];
    for (let at = folder; !existsSync(at); at = dirname(at)) made.unshift(at);
    mkdirSync(folder, { recursive: true });
    return made;
  });
}

/** Takes folders away that are empty. */
export function removeFolders(made: readonly string[]): void {
  for (const folder of [...made].reverse()) {
    try {
      rmdirSync(folder);
    } catch {
      // Something of somebody else's is in it by now.
      return;
    }
  }
}

function realPlace(path: string): string {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (!isLink) return path;
  if (!existsSync(path)) throw new Error('it is a link to nothing; fix the link or delete it');
  return realpathSync(path);
}

function nearestFolder(folder: string): string {
  return existsSync(folder) ? folder : nearestFolder(dirname(folder));
}

/** Opens the temporary file of whoever writes; only one of those at once gets it. */
export function openLock(temporary: string): number {
  try {
    return openSync(temporary, 'wx', NEW_FILE_MODE);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    throw new Error(
      `another install is writing it; if there is none, one was killed: delete "${temporary}" and run the command again`,
    );
  }
}

/** The rename itself must outlast a loss of power. */
export function flushFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
