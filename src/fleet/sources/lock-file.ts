import { rmSync } from 'node:fs';
import { replaceFile } from '../../hook/state/private-file.ts';
import { kindOf } from '../../language/policy/files/folders.ts';
import { readDataFile } from '../../language/policy/files/read-file.ts';
import { whyUnwritable } from '../../language/policy/files/why-unreadable.ts';
import {
  type Lock,
  type LockedSource,
  lockText,
  parseLock,
  type UnusableLock,
  unusableLock,
} from '../../language/policy/sources/lock.ts';
import { takeLock } from '../../lib/take-lock.ts';
import { SourceError } from './fetched.ts';

/** A writer that holds the file for longer has died. */
const STALE_MS = 20_000;
const WAIT_MS = 30_000;
const RETRY_MS = 50;

/** Changes of the entries of a lock; undefined takes one out. */
export type LockChanges = ReadonlyMap<string, LockedSource | undefined>;

/**
 * The lock at a path; an empty one if there is none.
 *
 * @throws SourceError if it is there and cannot be used
 */
export function readLockFile(path: string): Lock {
  const fail = ({ cause, hint }: UnusableLock) => new SourceError(`Cannot use "${path}": ${cause}; ${hint}`);
  const read = readDataFile(path, undefined);
  if (!read.ok && kindOf(path) === 'missing') return new Map();
  const lock = read.ok ? parseLock(read.text) : unusableLock(read.cause);
  if ('cause' in lock) throw fail(lock);
  return lock;
}

/**
 * Changes entries of a lock. A reader meanwhile sees the old or the new one; changes of another process in the meantime stay.
 *
 * @throws SourceError if it cannot be written; then it is as it was
 */
export async function changeLockFile(path: string, changes: LockChanges): Promise<void> {
  const held = `${path}.held`;
  await hold(held, path);
  try {
    const lock = new Map(readLockFile(path));
    for (const [source, entry] of changes) {
      if (entry === undefined) lock.delete(source);
      else lock.set(source, entry);
    }
    replaceFile(path, lockText(lock), 0o666);
  } catch (error) {
    throw error instanceof SourceError ? error : cannotWrite(path, error);
  } finally {
    rmSync(held, { force: true });
  }
}

/** Waits until no other process writes it. */
async function hold(held: string, path: string): Promise<void> {
  const endMs = Date.now() + WAIT_MS;
  try {
    while (!takeLock(held, STALE_MS, 0o666)) {
      if (Date.now() > endMs) throw new Error('another process is writing it');
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

function cannotWrite(path: string, error: unknown): SourceError {
  return new SourceError(`Cannot write "${path}": ${whyUnwritable(error)}`, { cause: error });
}
