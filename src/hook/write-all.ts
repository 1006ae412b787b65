import { writeSync } from 'node:fs';
import { codeOf } from '../lib/message-of.ts';

/** Writes everything, also to a pipe that takes only a part or is full for now; false if nobody reads it any more. */
export function writeAll(descriptor: number, text: string): boolean {
  let bytes: Uint8Array = Buffer.from(text, 'utf8');
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(descriptor, bytes));
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') return false;
      Bun.sleepSync(1);
    }
  }
  return true;
}
