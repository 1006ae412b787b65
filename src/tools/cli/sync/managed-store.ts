import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../../hook/state/private-file.ts';
import { stateError } from '../../../hook/state/state-error.ts';
import { keepTree, treePath } from '../../../hook/state/tree-folder.ts';
import { codeOf } from '../../../lib/message-of.ts';
import { takeLock } from '../../../lib/take-lock.ts';

/** Everybody's hooks read the files that root writes. */
const FOLDER_MODE = 0o755;
const FILE_MODE = 0o644;
const LOCK = 'sync.lock';
/** A process that holds the lock for longer has died. */
const STALE_LOCK_MS = 10 * 60 * 1_000;
/** A hook that has read the name of a tree is through with it long before. */
const KEEP_TREES_MS = 24 * 60 * 60 * 1_000;
/** The maker of a bundle bounds it. */
const KEPT = {
  files: Number.POSITIVE_INFINITY,
  bytes: Number.POSITIVE_INFINITY,
  folderMode: FOLDER_MODE,
  fileMode: FILE_MODE,
};

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
    // Whatever the umask of root is.
    process.umask(0o022);
    mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
    if (!takeLock(lock, STALE_LOCK_MS)) throw new Error('another policy sync is at work');
  });
  try {
    return await action({
      keep: (files) => guarded(folder, () => treePath(folder, keepTree({ ...KEPT, folder }, files))),
      write: (name, text) => guarded(folder, () => replaceFile(join(folder, name), text, FILE_MODE, true)),
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

function prune(folder: string, current: string, before: string | undefined): void {
  if (before !== undefined && before !== current && existsSync(before))
    utimesSync(before, new Date(), new Date());
  for (const path of readdirSync(treePath(folder, '')).map((name) => treePath(folder, name))) {
    if (path !== current && Date.now() - statSync(path).mtimeMs > KEEP_TREES_MS)
      rmSync(path, { recursive: true, force: true });
  }
}
