import { dirname, join, sep } from 'node:path';
import { isJsonObject, own, ownObject, ownString, parseJson } from '../../../lib/json.ts';
import { canBePinned, parseSourceName } from './source-name.ts';

/** The file name of the lock of a folder of policies. */
export const LOCK_NAME = 'policy.lock';
const VERSION = 1;
/** The way to lock the sources of a folder anew. */
export const LOCK_HINT = 'run policy lock in a terminal of your own';
const TAKE_BACK = `take ${LOCK_NAME} back from the history, or delete it and ${LOCK_HINT}`;
const DIGEST = /^sha256:[0-9a-f]{64}$/;

export interface LockedSource {
  /** Its server's name for it: a commit, a version, the digest of an image or an archive. */
  readonly revision: string;
  /** The digest of its files, as `treeDigest` makes it, after `sha256:`. */
  readonly digest: string;
}

/** The sources of a folder of policies, by name without path. */
export type Lock = ReadonlyMap<string, LockedSource>;

/**
 * The path of the lock of a policy file: in the `.policy` folder that it lies in, else beside it.
 *
 * @param path of the policy file, absolute
 */
export function lockPath(path: string): string {
  const folder = `${sep}.policy${sep}`;
  const end = path.lastIndexOf(folder);
  return end < 0 ? join(dirname(path), LOCK_NAME) : join(path.slice(0, end + folder.length), LOCK_NAME);
}

/** Why a lock cannot be used, and what to do. */
export interface UnusableLock {
  readonly cause: string;
  readonly hint: string;
}

/** Reads a lock, or says why it cannot be used. */
export function parseLock(text: string): Lock | UnusableLock {
  const value = parseJson(text);
  if (value === undefined || !isJsonObject(value))
    return unusableLock('it is not the JSON that policy lock writes');
  const version = own(value, 'version');
  if (typeof version === 'number' && version > VERSION)
    return unusableLock(
      `it is of version ${version}, which a newer policy has written`,
      `install the version of policy that wrote ${LOCK_NAME}, or a later one`,
    );
  const sources = ownObject(value, 'sources');
  if (version !== VERSION || sources === undefined) return unusableLock('it is not what policy lock writes');
  const lock = new Map<string, LockedSource>();
  for (const [name, entry] of Object.entries(sources)) {
    const revision = isJsonObject(entry) ? ownString(entry, 'revision') : undefined;
    const digest = isJsonObject(entry) ? ownString(entry, 'digest') : undefined;
    if (revision === undefined || digest === undefined || !isSound(name, revision) || !DIGEST.test(digest))
      return unusableLock(`what it says of "${name}" is not what policy lock writes`);
    lock.set(name, { revision, digest });
  }
  return lock;
}

function isSound(source: string, revision: string): boolean {
  const name = parseSourceName(source);
  return !('cause' in name) && name.source === source && canBePinned(name, revision);
}

/** A lock that cannot be used, for a cause that `hint` mends. */
export function unusableLock(cause: string, hint = TAKE_BACK): UnusableLock {
  return { cause, hint };
}

/** The text of a lock: JSON with a line for each value, sorted by source, so that changes of it can be read and merged. */
export function lockText(lock: Lock): string {
  const sources = [...lock].sort(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify({ version: VERSION, sources: Object.fromEntries(sources) }, null, 2)}\n`;
}
