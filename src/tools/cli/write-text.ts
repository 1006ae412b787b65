import { chmodSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { messageOf } from '../../lib/message-of.ts';
import { UsageError } from './io.ts';

/**
 * Replaces the text of a file in one step, so that whoever reads it meanwhile finds the old or the new one. Its mode is
 * kept and links are followed.
 *
 * @throws UsageError if it cannot be written
 */
export function replaceText(path: string, text: string): void {
  try {
    const real = realpathSync(path);
    const temporary = join(dirname(real), `.${basename(real)}.${process.pid}.tmp`);
    try {
      writeFileSync(temporary, text, { flag: 'wx' });
      chmodSync(temporary, statSync(real).mode & 0o7777);
      renameSync(temporary, real);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  } catch (error) {
    throw new UsageError(`Cannot write "${path}": ${messageOf(error)}`);
  }
}

/**
 * Writes a file in one step, whatever was there before.
 *
 * @throws UsageError if it cannot be written; then what was there stays
 */
export function writeWhole(path: string, content: Uint8Array): void {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  try {
    writeFileSync(temporary, content, { flag: 'wx' });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new UsageError(`Cannot write "${path}": ${messageOf(error)}`);
  }
}

/**
 * Writes a file that is not there yet.
 *
 * @throws UsageError if it is, or cannot be written
 */
export function writeNew(path: string, text: string, mode: number): void {
  try {
    writeFileSync(path, text, { flag: 'wx', mode });
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw new UsageError(`Cannot write "${path}": ${isThere ? 'it is there already' : messageOf(error)}`);
  }
}

/**
 * Writes what an option such as `--html FILE` asks for.
 *
 * @throws UsageError if it cannot be written
 */
export function writeOutput(file: string, text: string, { cwd }: { readonly cwd: string }): void {
  try {
    writeFileSync(resolve(cwd, file), text);
  } catch (error) {
    throw new UsageError(`Cannot write "${file}": ${messageOf(error)}`);
  }
}
