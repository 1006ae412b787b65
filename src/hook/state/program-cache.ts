import { statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { SetCache } from '../../language/policy/compile/load.ts';
import { readPrivateFile, sweepFiles, writePrivateFile } from './private-file.ts';
import { findStateSubfolder, openStateSubfolder } from './state-folder.ts';

const SUBFOLDER = 'cache';
const ENDING = '.json';
const DIGEST = /^[0-9a-f]{16,128}$/;
const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_FILES = 64;
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;
/** A used file is marked as used at most once in this time, so that reading writes nothing as a rule. */
const TOUCH_EVERY_MS = 24 * 60 * 60 * 1000;
/** A temporary file older than this belongs to a process that died. */
const STALE_TEMPORARY_MS = 60 * 60 * 1000;

interface Bounds {
  /** How many sets are kept, and how many bytes they may take together. */
  readonly maxFiles?: number;
  readonly maxBytes?: number;
}

/** Compiled policy sets in the state folder, by the digest of their sources. A failure counts as a miss. */
export function createProgramCache(
  env: Readonly<Record<string, string | undefined>>,
  { maxFiles = MAX_FILES, maxBytes = MAX_TOTAL_BYTES }: Bounds = {},
): SetCache {
  return {
    read: (digest) =>
      attempt(() => {
        const folder = findStateSubfolder(env, SUBFOLDER);
        if (folder === undefined || !DIGEST.test(digest)) return undefined;
        const path = join(folder, digest + ENDING);
        const text = readPrivateFile(path, MAX_FILE_BYTES);
        if (text !== undefined) attempt(() => markUsed(path));
        return text;
      }),
    write: (digest, text) => {
      attempt(() => {
        if (!DIGEST.test(digest) || Buffer.byteLength(text) > MAX_FILE_BYTES) return;
        const folder = openStateSubfolder(env, SUBFOLDER);
        writePrivateFile(join(folder, digest + ENDING), text);
        // The sets that were used last stay, and unfinished ones go.
        sweepFiles(folder, isSet, { maxFiles, maxBytes });
        sweepFiles(folder, (name) => !isSet(name), { sinceMs: Date.now() - STALE_TEMPORARY_MS });
      });
    },
  };
}

function isSet(name: string): boolean {
  return name.endsWith(ENDING);
}

function markUsed(path: string): void {
  const now = new Date();
  if (now.getTime() - statSync(path).mtimeMs > TOUCH_EVERY_MS) utimesSync(path, now, now);
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
