import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { codeOf } from './message-of.ts';

/**
 * Makes a file that only one process can make; false if another has it. Whoever has it deletes it; one that is older than
 * `staleMs` was left behind by a process that died.
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
