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
import { takeLock } from '../../lib/take-lock.ts';
import { bytesDigest, type Coverable, lastCoveredTo, withCover } from './chain.ts';
import {
  bytesAt,
  CURRENT_FILE,
  deleteFullFilesBefore,
  fullFile,
  fullFileNumbers,
  HEAD_FILE,
  keptFullFiles,
  LOCK_FILE,
  type Retention,
} from './log-files.ts';

/** A lock older than this was left behind by a process that died while it rotated. */
const STALE_LOCK_MS = 10_000;
/** If nobody manages to rotate, the file grows to this many times its cap and no further. */
const HARD_LIMIT_FACTOR = 2;
/** At that limit, how often and how long to wait for the process that rotates. */
const ROOM_ATTEMPTS = 100;
const ROOM_WAIT_MS = 1;
/** The search for the last cover: most logs have it in the last line, and a line has at most 64 KiB. */
const TAIL_BYTES = [4_096, 262_144] as const;
/** A cover spans no more than this. Many processes write far less at the same moment. */
const MAX_COVERED_BYTES = 8 * 1024 * 1024;
/** If lines must go after some time, a file is put aside after this part of it. */
const FILES_PER_AGE = 4;

export interface AppendOptions extends Retention {
  readonly folder: string;
  /** Size at which the file is put aside, in bytes. */
  readonly maxBytes: number;
}

export interface LogFile {
  /** Appends whole lines with one write, so that lines of several processes never mix. Throws if it cannot. */
  append(lines: string): void;
  close(): void;
}

/** The log's current file, shared with other processes, any of which may put it aside; late lines in that file are read, too. */
export function openLogFile(options: AppendOptions): LogFile {
  const { folder } = options;
  const path = join(folder, CURRENT_FILE);
  let descriptor: number | undefined;
  let head: number | undefined;

  const close = (): void => {
    if (descriptor !== undefined) closeSync(descriptor);
    if (head !== undefined) closeSync(head);
    descriptor = undefined;
    head = undefined;
  };

  const openWithRoom = (): { descriptor: number; size: number } => {
    for (let attempt = 0; attempt < ROOM_ATTEMPTS; attempt++) {
      if (descriptor !== undefined && !isFileAt(path, descriptor)) close();
      descriptor ??= openForAppend(path);
      const { size } = fstatSync(descriptor);
      const isPast =
        size > options.maxBytes * HARD_LIMIT_FACTOR || (attempt === 0 && isTooOld(descriptor, options));
      if (!isPast) return { descriptor, size };
      if (!rotate(path, options, descriptor)) Bun.sleepSync(ROOM_WAIT_MS);
    }
    throw new Error(`Cannot write to the decision log "${path}": it is full and cannot be rotated`);
  };

  const append = (lines: string): void => {
    const file = openWithRoom();
    const full = file.size === 0 ? fullFileNumbers(folder) : [];
    const kept = keptFullFiles(folder, full, options, Date.now());
    const { cover, isTorn } =
      file.size === 0 ? firstCover(folder, kept) : nextCover(file.descriptor, file.size);
    const covered = withCover(lines, cover);
    const bytes = isTorn ? Buffer.concat([Buffer.from('\n'), covered]) : covered;
    writeWhole(file.descriptor, bytes, path);
    head ??= openHead(folder);
    writeSync(head, `${bytesDigest(lastLine(bytes))}\n`, 0);
    const [oldest] = kept;
    if (oldest !== undefined) deleteFullFilesBefore(folder, full, oldest);
    if (file.size + bytes.length < options.maxBytes) return;
    close();
    rotate(path, options);
  };

  return { append, close };
}

/** The first line of a file covers the end of the file before it. */
function firstCover(folder: string, kept: readonly number[]): { cover: Coverable; isTorn: false } {
  const file = kept.at(-1);
  if (file === undefined) return { cover: { from: 0, to: 0, bytes: new Uint8Array() }, isTorn: false };
  const descriptor = openSync(fullFile(folder, file), OPEN_TO_READ);
  try {
    const { cover } = nextCover(descriptor, fstatSync(descriptor).size);
    return { cover: { ...cover, file, oldest: kept[0] ?? file }, isTorn: false };
  } finally {
    closeSync(descriptor);
  }
}

/**
 * The bytes that a new line covers. After an unfinished line, which would swallow it, it starts with a line break; readers skip
 * empty lines.
 */
function nextCover(descriptor: number, size: number): { cover: Coverable; isTorn: boolean } {
  let from: number | undefined;
  let isTorn = false;
  for (const length of TAIL_BYTES) {
    const tailStart = Math.max(0, size - length);
    const tail = bytesAt(descriptor, tailStart, size - tailStart);
    isTorn = tail.length > 0 && tail.at(-1) !== LINE_FEED;
    from = lastCoveredTo(tail.toString('latin1'), tailStart);
    if (from !== undefined || length >= size) break;
  }
  const start = Math.max(Math.min(from ?? 0, size), size - MAX_COVERED_BYTES);
  const bytes = bytesAt(descriptor, start, size - start);
  return { cover: { from: start, to: start + bytes.length, bytes }, isTorn };
}

const LINE_FEED = 10;

/** The last line of some that end with a newline, without it. */
function lastLine(bytes: Buffer): Buffer {
  const end = bytes.length - 1;
  return bytes.subarray(bytes.lastIndexOf(LINE_FEED, end - 1) + 1, end);
}

/** Throws the error that keeps the current file of a folder from being appended to. If there is none yet, nothing is made. */
export function checkLogFile(folder: string): void {
  const path = join(folder, CURRENT_FILE);
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) closeSync(openForAppend(path));
}

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR, O_WRONLY } = constants;
const OPEN_TO_READ = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;

function openForAppend(path: string): number {
  return openRegular(path, O_APPEND | O_RDWR);
}

function openHead(folder: string): number {
  return openRegular(join(folder, HEAD_FILE), O_WRONLY);
}

/** Opens a regular file only: a link, a device or a pipe at this place is not ours, and a pipe would block. */
function openRegular(path: string, flags: number): number {
  const descriptor = openSync(path, flags | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
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

/** True if lines must go after some time and the first one of this file has been there for a good part of it. */
function isTooOld(descriptor: number, { maxAgeMs }: AppendOptions): boolean {
  if (maxAgeMs === undefined) return false;
  const start = bytesAt(descriptor, 0, FIRST_BYTES).toString('latin1');
  const sinceMs = Date.parse(/^[^\n]*?"time":"([^"]+)"/.exec(start)?.[1] ?? '');
  return Date.now() - sinceMs > maxAgeMs / FILES_PER_AGE;
}

/** The time of a line is in the first of its bytes. */
const FIRST_BYTES = 256;

/**
 * Puts a full file, or the one of this descriptor, aside. False if another process is doing so; the second process finds a
 * small file and leaves it alone.
 */
function rotate(path: string, options: AppendOptions, descriptor?: number): boolean {
  const lock = join(options.folder, LOCK_FILE);
  if (!takeLock(lock, STALE_LOCK_MS)) return false;
  try {
    const current = statSync(path, { throwIfNoEntry: false });
    if (current === undefined) return true;
    const isMeant = descriptor !== undefined && current.ino === fstatSync(descriptor).ino;
    if (!isMeant && current.size < options.maxBytes) return true;
    renameSync(path, fullFile(options.folder, (fullFileNumbers(options.folder).at(-1) ?? 0) + 1));
    return true;
  } finally {
    unlinkSync(lock);
  }
}
