import { resolve } from 'node:path';
import { generateKeys, readPublicKey } from '../../../fleet/bundle/keys.ts';
import { EXIT_CODE, type Io, UsageError } from '../io.ts';
import { writeNew } from '../write-text.ts';

const SECRET_MODE = 0o600;
const PUBLIC_MODE = 0o644;

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
