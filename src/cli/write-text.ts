import { chmodSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { messageOf } from '../lib/message-of.ts';
import { UsageError } from './usage-error.ts';

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
