import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { InstallRecord } from './install-store.ts';

const PIECE_BYTES = 1024 * 1024;

/**
 * The SHA-256 of a file as 64 hex digits, as `sha256sum` prints it. The file is read in pieces: a program is too large to hold
 * all of it.
 *
 * @throws Error of the file system if it cannot be read
 */
export function fileDigest(path: string): string {
  const hasher = new Bun.CryptoHasher('sha256');
  const piece = new Uint8Array(PIECE_BYTES);
  const file = openSync(path, 'r');
  try {
    for (let bytes = readSync(file, piece); bytes > 0; bytes = readSync(file, piece))
      hasher.update(piece.subarray(0, bytes));
  } finally {
    closeSync(file);
  }
  return hasher.digest('hex');
}

/** Identifies the file at a path and its state: another text if it was written to or replaced. Undefined without a file. */
export function fileIdentity(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (found === undefined) return undefined;
  const { dev, ino, size, mtimeNs, ctimeNs } = found;
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}

/** True if this file is the very one that was installed, so that its bytes are known. */
export function isInstalledFile({ programFile }: InstallRecord, path: string): boolean {
  return programFile !== undefined && programFile === fileIdentity(path);
}
