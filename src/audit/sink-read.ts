import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { createLineSplitter } from '../lib/json-lines.ts';
import { parseRecord } from './parse-record.ts';
import type { DecisionRecord } from './record.ts';
import { logFiles } from './sink-files.ts';

const CHUNK_BYTES = 1024 * 1024;

/** What reading the log gives beside the records themselves. */
export interface LogReading {
  /** Lines that are no record of this version. */
  readonly unreadable: number;
}

/**
 * Calls `onRecord` for every record of the log, oldest file first; within a file in the order they were written.
 * A file that goes away meanwhile is skipped. Throws if the folder cannot be read.
 */
export function readDecisionLog(folder: string, onRecord: (record: DecisionRecord) => void): LogReading {
  let unreadable = 0;
  const onLine = (line: string): void => {
    if (line === '') return;
    const record = parseRecord(line);
    if (record === undefined) unreadable++;
    else onRecord(record);
  };
  for (const path of logFiles(folder)) readLines(path, onLine);
  return { unreadable };
}

function readLines(path: string, onLine: (line: string) => void): void {
  const descriptor = openRegular(path);
  if (descriptor === undefined) return;
  try {
    const splitter = createLineSplitter(onLine);
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (;;) {
      const length = readSync(descriptor, chunk);
      if (length === 0) break;
      splitter.push(chunk.subarray(0, length));
    }
    splitter.end();
  } finally {
    closeSync(descriptor);
  }
}

/** Undefined if there is no regular file any more. */
function openRegular(path: string): number | undefined {
  try {
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (fstatSync(descriptor).isFile()) return descriptor;
    closeSync(descriptor);
    return undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
