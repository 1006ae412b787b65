import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../lib/message-of.ts';

/**
 * The text of a regular file; undefined if there is none. Links are not followed, and a pipe, which would block, is not read.
 * Throws if it is unreadable or above `maxBytes`.
 */
export function readPrivateFile(path: string, maxBytes: number): string | undefined {
  const descriptor = openIfThere(path);
  if (descriptor === undefined) return undefined;
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new Error(`Cannot read "${path}": it is not a regular file`);
    if (stats.size > maxBytes) throw new Error(`Cannot read "${path}": it is larger than ${maxBytes} bytes`);
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** Writes a file for its owner alone. */
export function writePrivateFile(path: string, text: string): void {
  replaceFile(path, text, 0o600);
}

/**
 * Writes a file so that readers see all of the old text or all of the new, never a part. Processes that write the same file at
 * once do not disturb each other; the last one stays.
 *
 * @param flush true to wait for the disk
 */
export function replaceFile(path: string, text: string, mode: number, flush = false): void {
  const temporary = `${path}.${process.pid}-${crypto.randomUUID()}.tmp`;
  try {
    writeFileSync(temporary, text, { mode, flag: 'wx', flush });
    renameSync(temporary, path);
  } catch (error) {
    removeIfThere(temporary);
    throw error;
  }
}

/** Deletes a file; says whether it was there. */
export function removeIfThere(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/** The files of a folder that stay: the newest, as many as fit, if they were written since then. */
export interface SweepLimits {
  readonly maxFiles?: number;
  readonly maxBytes?: number;
  readonly sinceMs?: number;
}

/** Deletes other files that are meant. */
export function sweepFiles(
  folder: string,
  isMeant: (name: string) => boolean,
  { maxFiles = Number.POSITIVE_INFINITY, maxBytes = Number.POSITIVE_INFINITY, sinceMs = 0 }: SweepLimits,
): void {
  let bytes = 0;
  const files = readdirSync(folder)
    .filter(isMeant)
    .flatMap((name) => {
      const path = join(folder, name);
      const stats = statSync(path, { throwIfNoEntry: false });
      return stats === undefined ? [] : [{ path, size: stats.size, ms: stats.mtimeMs }];
    })
    .sort((a, b) => b.ms - a.ms);
  for (const [index, { path, size, ms }] of files.entries()) {
    bytes += size;
    if (index >= maxFiles || bytes > maxBytes || ms < sinceMs) removeIfThere(path);
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
