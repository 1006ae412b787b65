import { chmodSync, closeSync, fsyncSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { SYSTEM_PROGRAM } from '../../../hosts/guards.ts';
import { onlyRootWrites } from '../../../language/policy/files/root-only.ts';
import { writing } from '../write-text.ts';
import { flushFolder, makeFolderOf, openLock, removeFolders } from './write-configuration.ts';

const FOLDERS = [dirname(dirname(SYSTEM_PROGRAM)), dirname(SYSTEM_PROGRAM)];
/** Whatever the umask of root is. */
const MODE = 0o755;

/** The program's place if only root can change it there, else the one that it has to be put in. */
export function systemPlaceOf(program: string): string {
  return onlyRootWrites(program) ? program : SYSTEM_PROGRAM;
}

/**
 * Copies the program to where only root can change it. Who starts it meanwhile finds the old or the new one.
 *
 * @throws UsageError if it cannot be done; then nothing has changed
 */
export function copySystemProgram(program: string): void {
  const made = makeFolderOf(SYSTEM_PROGRAM);
  try {
    writing(SYSTEM_PROGRAM, () => {
      for (const folder of FOLDERS) chmodSync(folder, MODE);
      const temporary = `${SYSTEM_PROGRAM}.policy-new`;
      const lock = openLock(temporary);
      try {
        writeFileSync(lock, readFileSync(program));
        chmodSync(temporary, MODE);
        fsyncSync(lock);
        renameSync(temporary, SYSTEM_PROGRAM);
        flushFolder(dirname(SYSTEM_PROGRAM));
      } finally {
        closeSync(lock);
        rmSync(temporary, { force: true });
      }
    });
  } catch (error) {
    removeFolders(made);
    throw error;
  }
}

/** Takes the copy away. */
export function removeSystemProgram(): void {
  writing(SYSTEM_PROGRAM, () => rmSync(SYSTEM_PROGRAM));
  removeFolders(FOLDERS);
}
