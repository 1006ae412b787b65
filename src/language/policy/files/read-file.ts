import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { sha256Hex } from '../../../lib/digest.ts';
import { isInside } from './folders.ts';
import { NOT_REGULAR, whyUnreadable } from './why-unreadable.ts';

/** The largest policy file, in bytes. */
export const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** The cause for a file that is larger. */
export const TOO_LARGE = 'it is larger than 4 MiB';

/** The largest data file, in bytes. */
export const MAX_DATA_BYTES = 256 * 1024;

/** Stands in a path for bytes that are no UTF-8. Few names have it themselves. */
export const REPLACEMENT = '\ufffd';

/** A file's text with its path free of links, or why it cannot be had. */
export type FileText =
  | { readonly ok: true; readonly path: string; readonly text: string }
  | { readonly ok: false; readonly cause: string };

/** The path of a regular file without links, or why it cannot be had. */
export type FilePlace =
  | { readonly ok: true; readonly real: string }
  | { readonly ok: false; readonly cause: string };

/**
 * Reads a regular file of at most 4 MiB as UTF-8, in one go: the checked bytes are the ones that are read.
 *
 * @param within a folder that the file must lie in when links have been followed; undefined for any place
 */
export function readPolicyFile(
  path: string,
  within: string | undefined,
  readFile: ReadFile = readRealFile,
): FileText {
  const place = findPolicyFile(path, within);
  return place.ok ? readFile(place.real) : place;
}

/** Finds a regular file without reading it. */
export function findPolicyFile(path: string, within: string | undefined): FilePlace {
  try {
    const real = realpathSync(path);
    if (within !== undefined && !isInside(real, realpathSync(within))) {
      return { ok: false, cause: `it lies outside of "${within}"` };
    }
    // Opening a device can have effects of its own.
    if (!lstatSync(real).isFile()) return { ok: false, cause: NOT_REGULAR };
    return { ok: true, real };
  } catch (error) {
    return { ok: false, cause: whyUnreadable(error) };
  }
}

/**
 * Reads a file that was listed or found.
 *
 * @param path without links
 * @param mayRead asked for a file of so many bytes before it is read; every file may be read unless given
 */
export type ReadFile = (path: string, mayRead?: (bytes: number) => boolean) => FileText;

/** Reads a file from the disk, in one go. */
export const readRealFile: ReadFile = (path, mayRead = () => true) => {
  try {
    return readRegular(path, mayRead);
  } catch (error) {
    return { ok: false, cause: whyUnreadable(error) };
  }
};

/**
 * Reads a data file of at most 256 KiB, in the same way.
 *
 * @param within a folder that it must lie in when links have been followed; undefined for any place
 */
export function readDataFile(
  path: string,
  within: string | undefined,
  mayRead: (bytes: number) => boolean = () => true,
  readFile: ReadFile = readRealFile,
): FileText {
  const place = findPolicyFile(path, within);
  if (!place.ok) return place;
  let isTooLarge = false;
  const read = readFile(place.real, (bytes) => {
    isTooLarge = bytes > MAX_DATA_BYTES;
    return !isTooLarge && mayRead(bytes);
  });
  return isTooLarge ? { ok: false, cause: `it is larger than ${MAX_DATA_BYTES / 1024} KiB` } : read;
}

/** The digest of a data file's text, or why it could not be read. */
export function dataState(read: FileText): string {
  return read.ok ? sha256Hex([read.text]) : read.cause;
}

function readRegular(path: string, mayRead: (bytes: number) => boolean): FileText {
  const refused = (cause: string): FileText => ({ ok: false, cause });
  // A pipe put in the file's place must not make us wait, nor a link lead us elsewhere.
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) return refused(NOT_REGULAR);
    if (stats.size > MAX_FILE_BYTES) return refused(TOO_LARGE);
    if (!mayRead(stats.size)) return refused('it must not be read');
    // One byte more than it should have, to notice a file that grows.
    const bytes = new Uint8Array(stats.size + 1);
    const length = readSync(fd, bytes, 0, bytes.length, 0);
    if (length !== stats.size) return refused('it changes while it is read');
    return {
      ok: true,
      path,
      text: new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length)),
    };
  } catch (error) {
    if (error instanceof TypeError) return refused('it is not UTF-8 text');
    throw error;
  } finally {
    closeSync(fd);
  }
}
