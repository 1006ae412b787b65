import { chmodSync, existsSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { whyUnwritable } from '../../language/policy/files/why-unreadable.ts';
import { UsageError } from './io.ts';

/**
 * Writes a file in one step: readers see the old or the new one. Follows links and keeps the mode of an existing file.
 *
 * @param mode of a new file
 * @throws UsageError if it cannot be written; the old file stays
 */
export function writeWhole(path: string, content: string | Uint8Array, mode = 0o666): void {
  writing(path, () => {
    const real = existsSync(path) ? realpathSync(path) : path;
    const temporary = join(dirname(real), `.${basename(real)}.${process.pid}.tmp`);
    try {
      writeFileSync(temporary, content, { flag: 'wx', mode, flush: true });
      const before = statSync(real, { throwIfNoEntry: false });
      if (before !== undefined) chmodSync(temporary, before.mode & 0o7777);
      renameSync(temporary, real);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  });
}

/**
 * Writes a new file.
 *
 * @throws UsageError if it exists or cannot be written
 */
export function writeNew(path: string, text: string, mode: number): void {
  writing(path, () => {
    if (existsSync(path)) throw new Error('it is there already');
    writeFileSync(path, text, { flag: 'wx', mode });
  });
}

/**
 * Writes the file of an option such as `--html FILE`.
 *
 * @throws UsageError if it cannot be written
 */
export function writeOutput(file: string, text: string, { cwd }: { readonly cwd: string }): void {
  writing(file, () => writeFileSync(resolve(cwd, file), text));
}

/** Turns every failure into a `UsageError` that names the file. */
export function writing<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`Cannot write "${path}": ${whyUnwritable(error)}`);
  }
}
