import { closeSync, fstatSync } from 'node:fs';
import { bytesDigest } from '../../hook/audit/chain.ts';
import { bytesAt, logFiles } from '../../hook/audit/log-files.ts';
import type { DecisionRecord } from '../../hook/audit/record.ts';
import { MAX_RECORD_LINE_BYTES } from '../../hook/audit/record-writer.ts';
import { createTwinJoiner } from './join-twins.ts';
import { parseRecord } from './parse-record.ts';
import { openRegular } from './read-log.ts';

/** The size of a batch: some hundred lines, and always a whole one. */
const BATCH_BYTES = 4 * MAX_RECORD_LINE_BYTES;
/** A file is known again by its first bytes, which have an id that no other line has. */
const HEAD_BYTES = 1_024;
/** A writer that has opened a file just before it was put aside may still write to it. */
const SETTLED_AFTER_MS = 5_000;
/** How often the list of files is looked at again where it changes meanwhile. */
const ATTEMPTS = 5;

/** How far a log has been read. Files keep it when they are put aside; another file in the same place does not have it. */
export interface LogPosition {
  /** The digest of so many first bytes of the file. */
  readonly head: string;
  readonly headBytes: number;
  /** The byte after the last one that was read. */
  readonly offset: number;
}

/** Some records that are behind each other in a log. */
export interface LogBatch {
  /** Two about one call are one. */
  readonly records: readonly DecisionRecord[];
  /** The position at which to go on; undefined if there is nothing more for now. */
  readonly next: LogPosition | undefined;
  /** True if the file of the position is gone: lines of it that have not been read are lost. */
  readonly isGap: boolean;
}

interface OpenFile {
  readonly descriptor: number;
  /** Undefined for the one that is being written. */
  readonly number: number | undefined;
}

/** The records of a log after a position, oldest first. Throws if the folder or a file cannot be read. */
export function readLogBatch(folder: string, after: LogPosition | undefined, nowMs: number): LogBatch {
  const at = after === undefined ? undefined : findFile(folder, after);
  const isGap = after !== undefined && at === undefined;
  let offset = isGap ? 0 : (after?.offset ?? 0);
  for (let file = at ?? openAfter(folder, 0); file !== undefined; offset = 0) {
    const { descriptor, number } = file;
    try {
      const batch = batchFrom(file, offset);
      if (batch !== undefined) return { ...batch, isGap };
      if (number === undefined || nowMs - fstatSync(descriptor).mtimeMs < SETTLED_AFTER_MS) break;
    } finally {
      closeSync(descriptor);
    }
    file = openAfter(folder, number);
  }
  return { records: [], next: undefined, isGap };
}

/** Whole lines only: the bytes after the last newline may be half of one. */
function batchFrom({ descriptor }: OpenFile, offset: number): Pick<LogBatch, 'records' | 'next'> | undefined {
  const bytes = bytesAt(descriptor, offset, BATCH_BYTES);
  // No line is as long as a batch: where one seems to be, it is not ours.
  const length =
    bytes.length === BATCH_BYTES && !bytes.includes(LINE_FEED)
      ? bytes.length
      : bytes.lastIndexOf(LINE_FEED) + 1;
  if (length === 0) return undefined;
  const records: DecisionRecord[] = [];
  const twins = createTwinJoiner((record) => records.push(record));
  for (const line of bytes.subarray(0, length).toString('utf8').split('\n')) {
    const record = line === '' ? undefined : parseRecord(line);
    if (record !== undefined) twins.add(record);
  }
  twins.end();
  const end = offset + length;
  const headBytes = Math.min(end, HEAD_BYTES);
  return { records, next: { head: headOf(descriptor, headBytes), headBytes, offset: end } };
}

const LINE_FEED = 10;

/** The file of a position; undefined if it has been deleted. */
function findFile(folder: string, { head, headBytes }: LogPosition): OpenFile | undefined {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = logFiles(folder);
    for (const { path, number } of before) {
      const descriptor = openRegular(path);
      if (descriptor === undefined) continue;
      if (headOf(descriptor, headBytes) === head) return { descriptor, number };
      closeSync(descriptor);
    }
    if (logFiles(folder).length === before.length) return undefined;
  }
  return undefined;
}

/** The oldest file with a number above this one, else the one that is being written. */
function openAfter(folder: string, after: number): OpenFile | undefined {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const file = nextFile(folder, after);
    if (file === undefined) return undefined;
    const descriptor = openRegular(file.path);
    if (descriptor === undefined) continue;
    // The one that was being written may have been put aside since: then it is another one now.
    if (file.number !== undefined || nextFile(folder, after)?.number === undefined)
      return { descriptor, number: file.number };
    closeSync(descriptor);
  }
  return undefined;
}

function nextFile(folder: string, after: number) {
  return logFiles(folder).find(({ number }) => number === undefined || number > after);
}

function headOf(descriptor: number, length: number): string {
  return bytesDigest(bytesAt(descriptor, 0, length));
}
