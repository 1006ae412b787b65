import { resolve } from 'node:path';
import { MAX_ARCHIVE_BYTES } from '../../../fleet/bundle/archive.ts';
import { findPolicyFile } from '../../../language/policy/files/read-file.ts';
import { messageOf } from '../../../lib/message-of.ts';
import { readBounded } from '../../../lib/read-bounded.ts';

import { type Io, UsageError } from '../io.ts';

/** The one operand of a command about a bundle, and the bytes of that file: no more of them than a bundle may have. */
export function readBundle(
  [file, ...others]: readonly string[],
  { cwd }: Io,
): { readonly file: string; readonly bytes: Uint8Array } {
  if (file === undefined || others.length > 0) throw new UsageError('Cannot read a bundle: name one file');
  const place = findPolicyFile(resolve(cwd, file), undefined);
  if (!place.ok) throw new UsageError(`Cannot read bundle "${file}": ${place.cause}`);
  try {
    return { file, bytes: readBounded(place.real, MAX_ARCHIVE_BYTES) };
  } catch (error) {
    throw new UsageError(`Cannot read bundle "${file}": ${messageOf(error)}`);
  }
}
