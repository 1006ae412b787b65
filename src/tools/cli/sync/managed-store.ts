import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { stateError } from '../../../hook/state/state-error.ts';
import { codeOf } from '../../../lib/message-of.ts';
import { treeDigest } from '../../../lib/tree-digest.ts';

/** Everybody's hooks read what root writes. */
const FOLDER_MODE = 0o755;
const FILE_MODE = 0o644;
const LOCK = 'sync.lock';
/** A process that holds the lock for longer has died. */
const STALE_LOCK_MS = 10 * 60 * 1_000;
/** A hook that has read the name of a tree is through with it long before. */
const KEEP_TREES_MS = 24 * 60 * 60 * 1_000;
const TREES = 'sha256';

/** The folder in which a machine keeps its managed policies. Throws `StateError` where it cannot be written. */
export interface ManagedStore {
  /** Keeps a tree of files under its digest, all of it or nothing; returns its folder. */
  readonly keep: (files: ReadonlyMap<string, Uint8Array>) => string;
  /** Replaces a file in one step. */
  readonly write: (name: string, text: string) => void;
  readonly remove: (name: string) => void;
  /** Deletes trees that nobody reads any more. The one that was in force until now is kept for a day. */
  readonly prune: (current: string, before: string | undefined) => void;
}

/**
 * Does something with the store while no other process does.
 *
 * @throws StateError if another process holds it, or it cannot be written
 */
export async function withManagedStore<T>(
  folder: string,
  action: (store: ManagedStore) => Promise<T>,
): Promise<T> {
  const lock = join(folder, LOCK);
  guarded(folder, () => {
    makeFolder(folder);
    take(lock);
  });
  try {
    return await action({
      keep: (files) => guarded(folder, () => keep(files, folder)),
      write: (name, text) => guarded(folder, () => replace(join(folder, name), text)),
      remove: (name) => guarded(folder, () => rmSync(join(folder, name), { force: true })),
      prune: (current, before) => guarded(folder, () => prune(folder, current, before)),
    });
  } finally {
    rmSync(lock, { force: true });
  }
}

function guarded<T>(folder: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    const isDenied = codeOf(error) === 'EACCES';
    throw stateError(
      `Cannot keep the managed policies in "${folder}"`,
      isDenied ? new Error('only root may; run it as root, as in sudo policy sync', { cause: error }) : error,
    );
  }
}

function take(lock: string): void {
  const sinceMs = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
  if (sinceMs !== undefined && Date.now() - sinceMs > STALE_LOCK_MS) rmSync(lock, { force: true });
  try {
    closeSync(openSync(lock, 'wx', FILE_MODE));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    throw new Error('another policy sync is at work');
  }
}

/** Whatever the umask of root is. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path);
  chmodSync(path, FOLDER_MODE);
}

function keep(files: ReadonlyMap<string, Uint8Array>, folder: string): string {
  const target = join(folder, TREES, treeDigest(files));
  if (isWhole(target)) return target;
  const made = join(folder, `update-${process.pid}-${crypto.randomUUID()}`);
  try {
    makeFolder(made);
    for (const [path, content] of files) {
      makeFolder(dirname(join(made, path)));
      writeFileSync(join(made, path), content, { flag: 'wx' });
      chmodSync(join(made, path), FILE_MODE);
    }
    makeFolder(dirname(target));
    rmSync(target, { recursive: true, force: true });
    renameSync(made, target);
    return target;
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** True if a tree is there and has its digest: a loss of power may have taken something of it. */
function isWhole(target: string): boolean {
  if (!existsSync(target)) return false;
  const names = readdirSync(target, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => statSync(join(target, name)).isFile());
  const contents = files.map((name) => [name, readFileSync(join(target, name))] as const);
  return target.endsWith(treeDigest(new Map(contents)));
}

function replace(path: string, text: string): void {
  const temporary = `${path}.new`;
  try {
    const descriptor = openSync(temporary, 'w', FILE_MODE);
    try {
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    chmodSync(temporary, FILE_MODE);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function prune(folder: string, current: string, before: string | undefined): void {
  if (before !== undefined && before !== current && existsSync(before))
    utimesSync(before, new Date(), new Date());
  const unfinished = readdirSync(folder).filter((name) => name.startsWith('update-'));
  const trees = readdirSync(join(folder, TREES)).map((name) => join(TREES, name));
  for (const path of [...unfinished, ...trees].map((name) => join(folder, name))) {
    if (path !== current && Date.now() - statSync(path).mtimeMs > KEEP_TREES_MS)
      rmSync(path, { recursive: true, force: true });
  }
}
