import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** The bytes of an input that have arrived, and whether it has ended. */
export interface ArrivedBytes {
  readonly chunks: readonly Uint8Array[];
  readonly isWhole: boolean;
}

/** Enough for most messages. */
const CHUNK_BYTES = 8_192;

/**
 * Reads standard input as far as that takes no waiting. Most hosts have written their message before this process runs, and a
 * stream takes threads and timers. Sockets are left to the stream, and so are pipes that cannot be opened a second time without
 * blocking.
 *
 * @param maxBytes longer input is left to the stream
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
