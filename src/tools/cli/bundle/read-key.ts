import { resolve } from 'node:path';
import type { Key } from '../../../fleet/bundle/keys.ts';
import { messageOf } from '../../../lib/message-of.ts';
import { readBounded } from '../../../lib/read-bounded.ts';
import { type Arguments, optionValues } from '../args.ts';
import { type Io, UsageError } from '../io.ts';

const MAX_KEY_BYTES = 64 * 1024;

/** The keys in the files that an option names. */
export function keysIn(
  option: 'key' | 'withdrawn',
  args: Arguments,
  { cwd }: Io,
  read: (text: string) => Key,
): readonly Key[] {
  return optionValues(args, option).map((file) => {
    try {
      return read(readBounded(resolve(cwd, file), MAX_KEY_BYTES).toString('utf8'));
    } catch (error) {
      throw new UsageError(`Cannot use key "${file}": ${messageOf(error)}`);
    }
  });
}
