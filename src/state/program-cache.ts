import { readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type Json, own } from '../lib/json.ts';
import type { Program } from '../model/policy.ts';
import { readPrivateFile, removeIfThere, writePrivateFile } from './private-file.ts';
import { openStateSubfolder } from './state-folder.ts';

const SUBFOLDER = 'cache';
const DIGEST = /^[0-9a-f]{16,128}$/;
const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_FILES = 64;
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;
/** A file that is used is marked as such at most this often, so that reading writes nothing as a rule. */
const TOUCH_EVERY_MS = 24 * 60 * 60 * 1000;
/** A temporary file older than this belongs to a process that died. */
const STALE_TEMPORARY_MS = 60 * 60 * 1000;

/** Compiled policy sets in the state folder, by their digest. A cache: whatever fails is a miss. */
export interface ProgramCache {
  /** The compiled set of this digest, or undefined. Never throws. */
  read(digest: string): Program | undefined;
  /** Keeps a compiled set for later processes and makes room for it. Never throws. */
  write(program: Program): void;
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
    read: (digest) => attempt(() => readProgram(options, digest)),
    write: (program) => {
      attempt(() => writeProgram(options, program));
    },
  };
}

function readProgram({ env, nowMs }: ProgramCacheOptions, digest: string): Program | undefined {
  const path = pathOf(openStateSubfolder(env, SUBFOLDER), digest);
  const text = readPrivateFile(path, MAX_FILE_BYTES);
  if (text === undefined) return undefined;
  const value: Json = JSON.parse(text);
  if (!isProgram(value, digest)) {
    removeIfThere(path);
    return undefined;
  }
  markUsed(path, nowMs());
  return value;
}

function writeProgram(options: ProgramCacheOptions, program: Program): void {
  const folder = openStateSubfolder(options.env, SUBFOLDER);
  const text = JSON.stringify(program);
  if (text.length > MAX_FILE_BYTES) return;
  writePrivateFile(pathOf(folder, program.digest), text);
  prune(folder, options);
}

function pathOf(folder: string, digest: string): string {
  if (!DIGEST.test(digest)) throw new Error(`Cannot use digest "${digest}": it is not hexadecimal`);
  return join(folder, `${digest}.json`);
}

/** The file is ours and was written whole, so only its outline is looked at. */
function isProgram(value: Json, digest: string): value is Json & Program {
  return (
    isJsonObject(value) &&
    own(value, 'digest') === digest &&
    Array.isArray(own(value, 'rules')) &&
    Array.isArray(own(value, 'unmatchedDeny')) &&
    typeof own(value, 'onErrorContinue') === 'boolean'
  );
}

function markUsed(path: string, nowMs: number): void {
  if (nowMs - statSync(path).mtimeMs > TOUCH_EVERY_MS) utimesSync(path, nowMs / 1000, nowMs / 1000);
}

/** Keeps the sets that were used last, within both bounds. */
function prune(folder: string, options: ProgramCacheOptions): void {
  const files = readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats === undefined ? [] : [{ path, usedMs: stats.mtimeMs, bytes: stats.size }];
  });
  const [kept, temporary] = partition(files, ({ path }) => path.endsWith('.json'));
  for (const { path, usedMs } of temporary) {
    if (options.nowMs() - usedMs > STALE_TEMPORARY_MS) removeIfThere(path);
  }
  let count = 0;
  let totalBytes = 0;
  for (const { path, bytes } of kept.sort((a, b) => b.usedMs - a.usedMs)) {
    count++;
    totalBytes += bytes;
    const fits =
      count <= (options.maxFiles ?? MAX_FILES) && totalBytes <= (options.maxTotalBytes ?? MAX_TOTAL_BYTES);
    if (!fits) removeIfThere(path);
  }
}

function partition<T>(items: readonly T[], belongs: (item: T) => boolean): [T[], T[]] {
  return [items.filter(belongs), items.filter((item) => !belongs(item))];
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
