import { resolve } from 'node:path';
import { messageOf } from '../../lib/message-of.ts';
import { readBounded } from '../../lib/read-bounded.ts';
import { type Io, UsageError } from './io.ts';

/** More than the whole log has. */
const MAX_INPUT_BYTES = 256 * 1024 * 1024;

/**
 * The text of a file, or of standard input for `-` and for no name at all.
 *
 * @param ifMissing what to do if there is no such file, to be said after it
 * @throws UsageError if it cannot be read, or if a person would have to type it unasked
 */
export async function readInput(
  name: string | undefined,
  what: string,
  io: Io,
  ifMissing = '',
): Promise<string> {
  if (name === undefined && io.stdin.isTTY)
    throw new UsageError(`Cannot read ${what}: name a file, or - for standard input`);
  if (name === undefined || name === '-') return new Response(io.stdin.stream()).text();
  try {
    return readBounded(resolve(io.cwd, name), MAX_INPUT_BYTES).toString('utf8');
  } catch (error) {
    const cause =
      error instanceof Error && 'code' in error && error.code === 'ENOENT'
        ? `there is no such file${ifMissing}`
        : messageOf(error);
    throw new UsageError(`Cannot read ${what} "${name}": ${cause}`);
  }
}
