import { readdirSync, readSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../lib/message-of.ts';

/** The file that is being written. */
export const CURRENT_FILE = 'decisions.jsonl';
/** Held by the process that rotates. */
export const LOCK_FILE = 'decisions.lock';
/** The digest of the line that was written last. */
export const HEAD_FILE = 'decisions.head';

const FULL_FILE = /^decisions\.(\d{9})\.jsonl$/;

export interface LogPath {
  readonly path: string;
  /** Undefined for the one that is being written. */
  readonly number: number | undefined;
}

/** The log's files, oldest first; the current one is last. Files that are not there are left out. */
export function logFiles(folder: string): readonly LogPath[] {
  const names = readdirSync(folder);
  const current = names.includes(CURRENT_FILE)
    ? [{ path: join(folder, CURRENT_FILE), number: undefined }]
    : [];
  return [...numbersIn(names).map((number) => ({ path: fullFile(folder, number), number })), ...current];
}

/** The path of a full file. Its number never changes, so that nobody can shift one file over another. */
export function fullFile(folder: string, number: number): string {
  return join(folder, `decisions.${String(number).padStart(9, '0')}.jsonl`);
}

/** Numbers of the full files, oldest first. */
export function fullFileNumbers(folder: string): readonly number[] {
  return numbersIn(readdirSync(folder));
}

/** How much of the log is kept. */
export interface Retention {
  /** How many full files. */
  readonly keep: number;
  /** Full files in which nothing has been written for longer are deleted; unless given, they are kept however old they are. */
  readonly maxAgeMs: number | undefined;
}

/** Those of the full files that are kept; never all of them are too old, so that the next line has something to follow. */
export function keptFullFiles(
  folder: string,
  numbers: readonly number[],
  { keep, maxAgeMs }: Retention,
  nowMs: number,
): readonly number[] {
  const newest = numbers.slice(Math.max(0, numbers.length - keep));
  if (maxAgeMs === undefined) return newest;
  const isYoung = (number: number) => {
    const there = statSync(fullFile(folder, number), { throwIfNoEntry: false });
    return there !== undefined && nowMs - there.mtimeMs <= maxAgeMs;
  };
  return newest.slice(newest.findIndex(isYoung));
}

/** Deletes full files older than this one. Others may be about to do the same. */
export function deleteFullFilesBefore(folder: string, numbers: readonly number[], oldest: number): void {
  for (const number of numbers) {
    if (number >= oldest) continue;
    try {
      unlinkSync(fullFile(folder, number));
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
    }
  }
}

function numbersIn(names: readonly string[]): readonly number[] {
  return names
    .flatMap((name) => FULL_FILE.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

/** Bytes of an open file, as many as there are from a place on. */
export function bytesAt(descriptor: number, from: number, maxLength: number): Buffer {
  const bytes = Buffer.allocUnsafe(maxLength);
  let length = 0;
  while (length < maxLength) {
    const more = readSync(descriptor, bytes, length, maxLength - length, from + length);
    if (more === 0) break;
    length += more;
  }
  return bytes.subarray(0, length);
}
