import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** The bytes of an input that are there already, and whether it has ended with them. */
export interface ArrivedBytes {
  readonly chunks: readonly Uint8Array[];
  readonly isWhole: boolean;
}

/** Most messages fit in. */
const CHUNK_BYTES = 8_192;

/**
 * Reads the part of standard input that is there without waiting: a stream takes threads and timers, and most hosts have written
 * their message before this process runs. Sockets are left to the stream, and so are pipes that have no second way to them that
 * does not wait.
 *
 * @param maxBytes from where on it is left to the stream
 */
export function readArrived(maxBytes: number): ArrivedBytes {
  const chunks: Uint8Array[] = [];
  let opened: number | undefined;
  try {
    const stats = fstatSync(0);
    if (stats.isFIFO()) opened = openSync('/proc/self/fd/0', constants.O_RDONLY | constants.O_NONBLOCK);
    else if (!stats.isFile()) return { chunks, isWhole: false };
    for (let size = 0; size <= maxBytes; ) {
      const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
      const length = readSync(opened ?? 0, buffer);
      if (length === 0) return { chunks, isWhole: true };
      size += length;
      chunks.push(buffer.subarray(0, length));
    }
    return { chunks, isWhole: false };
  } catch {
    return { chunks, isWhole: false };
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}
