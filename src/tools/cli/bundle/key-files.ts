import { resolve } from 'node:path';
import { generateKeys, type Key, readPublicKey } from '../../../fleet/bundle/keys.ts';
import { messageOf } from '../../../lib/message-of.ts';
import { type Arguments, optionValues } from '../args.ts';
import { EXIT_CODE, type Io, UsageError } from '../io.ts';
import { readNamed } from '../read-input.ts';
import { writeNew } from '../write-text.ts';

const SECRET_MODE = 0o600;
const PUBLIC_MODE = 0o644;
const MAX_KEY_BYTES = 64 * 1024;

/** `policy bundle keygen NAME`. */
export function generateKeyFiles([name, ...others]: readonly string[], { cwd, stdout }: Io): number {
  if (name === undefined || others.length > 0)
    throw new UsageError('Cannot make keys: write keygen NAME, which makes NAME.key and NAME.pub');
  const { publicText, secretText } = generateKeys();
  writeNew(resolve(cwd, `${name}.key`), secretText, SECRET_MODE);
  writeNew(resolve(cwd, `${name}.pub`), publicText, PUBLIC_MODE);
  stdout.write(`Wrote ${name}.key and ${name}.pub: key ${readPublicKey(publicText).id}\n`);
  return EXIT_CODE.ok;
}

export function keysIn(
  option: 'key' | 'withdrawn',
  args: Arguments,
  io: Io,
  read: (text: string) => Key,
): readonly Key[] {
  return optionValues(args, option).map((file) => {
    const text = readNamed(file, 'key', MAX_KEY_BYTES, io).toString('utf8');
    try {
      return read(text);
    } catch (error) {
      throw new UsageError(`Cannot use key "${file}": ${messageOf(error)}`);
    }
  });
}
