import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';

const CHUNK_BYTES = 1024 * 1024;
const NOT_REGULAR = 'it is not a regular file';

/**
 * The bytes of a regular file that somebody names. A device may go on for ever, opening one can have effects of its own, and a
 * pipe may wait for ever.
 *
 * @throws an error with its cause if there is none, or it is larger than that
 */
export function readBounded(path: string, maxBytes: number): Buffer {
  if (!statSync(path).isFile()) throw new Error(NOT_REGULAR);
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error(NOT_REGULAR);
    const chunks: Buffer[] = [];
    for (let total = 0; ; ) {
      const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, maxBytes - total + 1));
      const length = readSync(descriptor, chunk, 0, chunk.length, null);
      if (length === 0) return Buffer.concat(chunks);
      chunks.push(chunk.subarray(0, length));
      total += length;
      if (total > maxBytes) throw new Error(`it is larger than ${sizeText(maxBytes)}`);
    }
  } finally {
    closeSync(descriptor);
  }
}

function sizeText(bytes: number): string {
  const kib = bytes / 1024;
  return kib < 1024 ? `${kib} KiB` : `${kib / 1024} MiB`;
}
