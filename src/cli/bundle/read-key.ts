import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Key } from '../../bundle/keys.ts';
import { messageOf } from '../../lib/message-of.ts';
import { type Arguments, optionValues } from '../args.ts';
import type { Io } from '../io.ts';
import { UsageError } from '../usage-error.ts';

/** The keys in the files that an option names. */
export function keysIn(
  option: 'key' | 'withdrawn',
  args: Arguments,
  { cwd }: Io,
  read: (text: string) => Key,
): readonly Key[] {
  return optionValues(args, option).map((file) => {
    try {
      return read(readFileSync(resolve(cwd, file), 'utf8'));
    } catch (error) {
      throw new UsageError(`Cannot use key "${file}": ${messageOf(error)}`);
    }
  });
}
