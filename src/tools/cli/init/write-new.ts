import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '../../../lib/message-of.ts';
import { type Io, UsageError } from '../io.ts';

/**
 * Writes a file and the folders above it, or leaves it as it is if there is something of this name; says which.
 *
 * @param shown how the file is named to people
 * @throws UsageError if it cannot be written
 */
export function writeNew(path: string, text: string, shown: string, { stdout }: Io): void {
  if (existsSync(path)) {
    stdout.write(`Left ${shown} as it is: it is there already\n`);
    return;
  }
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    throw new UsageError(`Cannot write "${path}": ${messageOf(error)}`);
  }
  stdout.write(`Wrote ${shown}\n`);
}
