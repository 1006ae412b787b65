import { readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { readPrivateFile, removeIfThere, writePrivateFile } from './private-file.ts';
import { findStateSubfolder, openStateSubfolder } from './state-folder.ts';

const SUBFOLDER = 'cache';
const ENDING = '.json';
const DIGEST = /^[0-9a-f]{16,128}$/;
const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_FILES = 64;
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;
/** A file that is used is marked as such at most this often, so that reading writes nothing as a rule. */
const TOUCH_EVERY_MS = 24 * 60 * 60 * 1000;
/** A temporary file older than this belongs to a process that died. */
const STALE_TEMPORARY_MS = 60 * 60 * 1000;

/** Compiled policy sets in the state folder, by the digest of what they were made from. Whatever fails is a miss. */
export interface ProgramCache {
  /** The text kept under this digest, or undefined. Never throws. */
  read(digest: string): string | undefined;
  /** Keeps a text for later processes and makes room for it. Never throws. */
  write(digest: string, text: string): void;
}

export interface ProgramCacheOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly nowMs: () => number;
  /** How many sets are kept. 64 unless told. */
  readonly maxFiles?: number;
  /** How many bytes they may take together. 64 MiB unless told. */
  readonly maxTotalBytes?: number;
}

/** The cache in the state folder, which is made when the first set is written. */
export function createProgramCache(options: ProgramCacheOptions): ProgramCache {
  return {
    read: (digest) => attempt(() => readText(options, digest)),
    write: (digest, text) => {
      attempt(() => writeText(options, digest, text));
    },
  };
}

function readText({ env, nowMs }: ProgramCacheOptions, digest: string): string | undefined {
  const folder = findStateSubfolder(env, SUBFOLDER);
  if (folder === undefined || !DIGEST.test(digest)) return undefined;
  const path = join(folder, digest + ENDING);
  const text = readPrivateFile(path, MAX_FILE_BYTES);
  if (text !== undefined) attempt(() => markUsed(path, nowMs()));
  return text;
}

function writeText(options: ProgramCacheOptions, digest: string, text: string): void {
  if (!DIGEST.test(digest) || Buffer.byteLength(text) > MAX_FILE_BYTES) return;
  const folder = openStateSubfolder(options.env, SUBFOLDER);
  writePrivateFile(join(folder, digest + ENDING), text);
  prune(folder, options);
}

function markUsed(path: string, nowMs: number): void {
  if (nowMs - statSync(path).mtimeMs > TOUCH_EVERY_MS) utimesSync(path, nowMs / 1000, nowMs / 1000);
}

interface CachedFile {
  readonly path: string;
  readonly usedMs: number;
  readonly bytes: number;
}

/** Keeps the sets that were used last, within both bounds, and sweeps up what was never finished. */
function prune(folder: string, options: ProgramCacheOptions): void {
  const files = filesIn(folder);
  const maxFiles = options.maxFiles ?? MAX_FILES;
  const maxTotalBytes = options.maxTotalBytes ?? MAX_TOTAL_BYTES;
  let count = 0;
  let totalBytes = 0;
  for (const { path, bytes } of files.filter(isFinished).sort((a, b) => b.usedMs - a.usedMs)) {
    count++;
    totalBytes += bytes;
    if (count > maxFiles || totalBytes > maxTotalBytes) removeIfThere(path);
  }
  for (const file of files) {
    if (!isFinished(file) && options.nowMs() - file.usedMs > STALE_TEMPORARY_MS) removeIfThere(file.path);
  }
}

function filesIn(folder: string): readonly CachedFile[] {
  return readdirSync(folder).flatMap((name): readonly CachedFile[] => {
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats === undefined ? [] : [{ path, usedMs: stats.mtimeMs, bytes: stats.size }];
  });
}

function isFinished({ path }: CachedFile): boolean {
  return path.endsWith(ENDING);
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
