import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { codeOf } from './message-of.ts';

/**
 * Creates a file that one process can hold and must delete; false if another has it. One older than `staleMs` was left by a
 * crash.
 */
export function takeLock(path: string, staleMs: number, mode = 0o600): boolean {
  const sinceMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  if (sinceMs !== undefined && Date.now() - sinceMs > staleMs) rmSync(path, { force: true });
  try {
    closeSync(openSync(path, 'wx', mode));
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}
