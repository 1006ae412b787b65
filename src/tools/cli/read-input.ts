import { resolve } from 'node:path';
import { whyUnreadable } from '../../language/policy/files/why-unreadable.ts';
import { readBounded } from '../../lib/read-bounded.ts';
import { type Io, UsageError } from './io.ts';

/** More than the whole log has. */
const MAX_INPUT_BYTES = 256 * 1024 * 1024;

/**
 * The text of a file, or of standard input for `-` and for no name at all.
 *
 * @param ifMissing the advice behind the message that the file is missing
 * @throws UsageError if it cannot be read, or if a person would have to type it unasked
 */
export async function readInput(
  name: string | undefined,
  what: string,
  io: Io,
  ifMissing?: string,
): Promise<string> {
  if (name === undefined && io.stdin.isTTY)
    throw new UsageError(`Cannot read ${what}: name a file, or - for standard input`);
  if (name === undefined || name === '-') return new Response(io.stdin.stream()).text();
  return readNamed(name, what, MAX_INPUT_BYTES, io, ifMissing).toString('utf8');
}

/**
 * The bytes of a file that the command line names.
 *
 * @throws UsageError if it cannot be read, or has more bytes
 */
export function readNamed(
  file: string,
  what: string,
  maxBytes: number,
  { cwd }: Pick<Io, 'cwd'>,
  ifMissing = '',
): Buffer {
  try {
    return readBounded(resolve(cwd, file), maxBytes);
  } catch (error) {
    const cause = whyUnreadable(error);
    const hint = Object(error).code === 'ENOENT' ? ifMissing : '';
    throw new UsageError(`Cannot read ${what} "${file}": ${cause}${hint}`);
  }
}
