import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { CURRENT_FILE, LOCK_FILE, nextFullFile, pruneFullFiles } from './sink-files.ts';

/** A lock older than this was left behind by a process that died while it rotated. */
const STALE_LOCK_MS = 10_000;
/** Where nobody manages to rotate, the file grows to this many times its cap and no further. */
const HARD_LIMIT_FACTOR = 2;
/** At that limit, how often and how long to wait for the process that rotates. */
const ROOM_ATTEMPTS = 20;
const ROOM_WAIT_MS = 1;

export interface AppendOptions {
  readonly folder: string;
  /** Size at which the file is put aside, in bytes. */
  readonly maxBytes: number;
  /** How many full files are kept. */
  readonly keep: number;
  readonly nowMs: () => number;
}

export interface LogFile {
  /** Appends whole lines with one write, so that lines of several processes never mix. Throws if it cannot. */
  append(lines: string): void;
  close(): void;
}

/**
 * The log's current file, shared with other processes. Another process may put the file aside at any time; what is
 * written to it meanwhile lands in the file put aside, which is read as well.
 */
export function openLogFile(options: AppendOptions): LogFile {
  const path = join(options.folder, CURRENT_FILE);
  let descriptor: number | undefined;

  const close = (): void => {
    if (descriptor !== undefined) closeSync(descriptor);
    descriptor = undefined;
  };

  const openWithRoom = (): { descriptor: number; size: number } => {
    for (let attempt = 0; attempt < ROOM_ATTEMPTS; attempt++) {
      if (descriptor !== undefined && !isFileAt(path, descriptor)) close();
      descriptor ??= openForAppend(path);
      const { size } = fstatSync(descriptor);
      if (size <= options.maxBytes * HARD_LIMIT_FACTOR) return { descriptor, size };
      if (!rotate(path, options)) Bun.sleepSync(ROOM_WAIT_MS);
    }
    throw new Error(`Cannot write to the decision log "${path}": it is full and cannot be rotated`);
  };

  const append = (lines: string): void => {
    const bytes = Buffer.from(lines, 'utf8');
    const file = openWithRoom();
    writeWhole(file.descriptor, bytes, path);
    if (file.size + bytes.length < options.maxBytes) return;
    close();
    rotate(path, options);
  };

  return { append, close };
}

/** Throws what keeps the current file of a folder from being appended to. Where there is none yet, nothing is made. */
export function checkLogFile(folder: string): void {
  const path = join(folder, CURRENT_FILE);
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) closeSync(openForAppend(path));
}

/** Opens a regular file only: a link, a device or a pipe at this place is not ours, and a pipe would block. */
function openForAppend(path: string): number {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;
  const descriptor = openSync(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW | O_NONBLOCK, 0o600);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw new Error(`Cannot write to the decision log "${path}": it is not a regular file`);
}

function writeWhole(descriptor: number, bytes: Uint8Array, path: string): void {
  const written = writeSync(descriptor, bytes);
  if (written < bytes.length) throw new Error(`Cannot write to the decision log "${path}": the disk is full`);
}

function isFileAt(path: string, descriptor: number): boolean {
  const there = statSync(path, { throwIfNoEntry: false });
  return there !== undefined && there.ino === fstatSync(descriptor).ino;
}

/**
 * Puts the full file aside; false if another process is about to. One at a time: whoever comes second finds a small
 * file and leaves it alone.
 */
function rotate(path: string, options: AppendOptions): boolean {
  const lock = join(options.folder, LOCK_FILE);
  if (!acquire(lock, options.nowMs())) return false;
  try {
    const current = statSync(path, { throwIfNoEntry: false });
    if (current === undefined || current.size < options.maxBytes) return true;
    renameSync(path, nextFullFile(options.folder));
    pruneFullFiles(options.folder, options.keep);
    return true;
  } finally {
    unlinkSync(lock);
  }
}

function acquire(lock: string, nowMs: number): boolean {
  if (create(lock)) return true;
  const held = statSync(lock, { throwIfNoEntry: false });
  if (held !== undefined && nowMs - held.mtimeMs < STALE_LOCK_MS) return false;
  if (held !== undefined) unlinkSync(lock);
  return create(lock);
}

function create(lock: string): boolean {
  try {
    closeSync(openSync(lock, 'wx', 0o600));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}
