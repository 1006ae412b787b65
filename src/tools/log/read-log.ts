import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { HEAD_FILE, logFiles } from '../../hook/audit/log-files.ts';
import type { DecisionRecord } from '../../hook/audit/record.ts';
import { createLineSplitter, type LineSplitter } from '../../lib/json-lines.ts';
import { codeOf } from '../../lib/message-of.ts';
import { createTwinJoiner } from './join-twins.ts';
import { parseRecord } from './parse-record.ts';
import { createVerifier, type Verification } from './verify.ts';

const CHUNK_BYTES = 1024 * 1024;
/** How often the log is looked at again where files are put aside meanwhile. */
const VERIFY_ATTEMPTS = 3;

/** The facts about a reading of the log beside the records themselves. */
export interface LogReading {
  /** Lines that are no record of this version. */
  readonly unreadable: number;
}

/** Reads a log that goes on being written. */
export interface LogReader {
  /** Reads the lines since the last time; at first, all of them. Throws if the folder cannot be read. */
  read(): void;
  /** Takes the text after the last newline for a line. */
  end(): LogReading;
}

/**
 * Calls `onRecord` for every record, oldest first; twin records become one. Skips vanished files. Throws if the folder is
 * unreadable.
 */
export function readDecisionLog(folder: string, onRecord: (record: DecisionRecord) => void): LogReading {
  const twins = createTwinJoiner(onRecord);
  const reader = openLogReader(folder, twins.add);
  reader.read();
  const reading = reader.end();
  twins.end();
  return reading;
}

/** A reader that has read nothing yet. */
export function openLogReader(folder: string, onRecord: (record: DecisionRecord) => void): LogReader {
  let unreadable = 0;
  let at: { readonly inode: number; offset: number; readonly splitter: LineSplitter } | undefined;

  const onLine = (line: string): void => {
    if (line === '') return;
    const record = parseRecord(line);
    if (record === undefined) unreadable++;
    else onRecord(record);
  };

  const read = (): void => {
    const paths = logFiles(folder).map(({ path }) => path);
    // Files keep their inode when they are put aside. One that is gone was the oldest.
    const last = at === undefined ? -1 : paths.findIndex((path) => inodeOf(path) === at?.inode);
    for (const path of paths.slice(Math.max(last, 0))) {
      const descriptor = openRegular(path);
      if (descriptor === undefined) continue;
      try {
        const inode = fstatSync(descriptor).ino;
        if (at?.inode !== inode) {
          at?.splitter.end();
          at = { inode, offset: 0, splitter: createLineSplitter(onLine) };
        }
        at.offset = readFrom(descriptor, at.offset, at.splitter);
      } finally {
        closeSync(descriptor);
      }
    }
  };

  const end = (): LogReading => {
    at?.splitter.end();
    return { unreadable };
  };

  return { read, end };
}

/** Reads on to the end of a file, and says where that is. */
function readFrom(descriptor: number, offset: number, splitter: LineSplitter): number {
  const chunk = new Uint8Array(CHUNK_BYTES);
  for (let at = offset; ; ) {
    const length = readSync(descriptor, chunk, 0, CHUNK_BYTES, at);
    if (length === 0) return at;
    splitter.push(chunk.subarray(0, length));
    at += length;
  }
}

/**
 * Holds the log against itself.
 *
 * @param wanted a digest that was its head once; undefined if none was kept
 */
export function verifyDecisionLog(folder: string, wanted: string | undefined): Verification {
  for (let attempt = 1; ; attempt++) {
    // Lines that are written meanwhile come after this head.
    const verifier = createVerifier(readHead(folder), wanted);
    const files = logFiles(folder);
    const before = inodesOf(files);
    for (const { path, number } of files) {
      const bytes = bytesOf(path);
      if (bytes !== undefined) verifier.add({ name: basename(path), number, bytes });
    }
    const verification = verifier.result();
    const hasMoved = inodesOf(logFiles(folder)) !== before;
    if (verification.findings.length === 0 || !hasMoved || attempt === VERIFY_ATTEMPTS) return verification;
  }
}

function inodesOf(files: readonly { readonly path: string }[]): string {
  return files.map(({ path }) => inodeOf(path)).join();
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

function readHead(folder: string): string | undefined {
  const text = bytesOf(join(folder, HEAD_FILE))?.toString('latin1');
  return text === undefined ? undefined : /^[0-9a-f]{64}/.exec(text)?.[0];
}

function bytesOf(path: string): Buffer | undefined {
  const descriptor = openRegular(path);
  if (descriptor === undefined) return undefined;
  try {
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** A file of the log, to be read; undefined if there is no regular file any more. */
export function openRegular(path: string): number | undefined {
  try {
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (fstatSync(descriptor).isFile()) return descriptor;
    closeSync(descriptor);
    return undefined;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
