import { lstatSync, realpathSync } from 'node:fs';
import type { SourceStore } from '../../language/policy/sources/source-store.ts';
import { treeDigest } from '../../lib/tree-digest.ts';
import { guarded } from './state-error.ts';
import { findStateSubfolder, openStateSubfolder } from './state-folder.ts';
import { keepTree, readTree, treePath } from './tree-folder.ts';

const SUBFOLDER = 'sources';
const DIGEST = /^sha256:([0-9a-f]{64})$/;
/** The bounds of one source. Fetching it stays within them as well. */
export const MAX_SOURCE_FILES = 20_000;
export const MAX_SOURCE_BYTES = 64 * 1024 * 1024;
const KEPT = { files: MAX_SOURCE_FILES, bytes: MAX_SOURCE_BYTES, folderMode: 0o700, fileMode: 0o600 };

/** The files of sources in the state folder, by digest. Throws `StateError` if the folder cannot be used. */
export interface FileStore extends Pick<SourceStore, 'open'> {
  /** The digest under which files are kept. */
  digestOf(files: ReadonlyMap<string, Uint8Array>): string;
  /** Keeps the files of a source, all of them or none; returns their digest. */
  keep(files: ReadonlyMap<string, Uint8Array>): string;
}

/** The sources in the state folder, which is made when the first is kept. */
export function createSourceStore(env: Readonly<Record<string, string | undefined>>): FileStore {
  return {
    open: (digest) => {
      const name = DIGEST.exec(digest)?.[1];
      const folder = findStateSubfolder(env, SUBFOLDER);
      return folder === undefined || name === undefined ? 'missing' : open(treePath(folder, name), name);
    },
    digestOf: (files) => `sha256:${treeDigest(files)}`,
    keep: (files) => {
      const folder = openStateSubfolder(env, SUBFOLDER);
      return guarded(
        `Cannot keep the files of a source in "${folder}"`,
        () => `sha256:${keepTree({ ...KEPT, folder }, files)}`,
      );
    },
  };
}

function open(folder: string, digest: string): ReturnType<FileStore['open']> {
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return 'missing';
  try {
    const files = readTree(folder, digest, KEPT);
    if (files === undefined) return 'altered';
    const decoder = new TextDecoder('utf-8', { fatal: true });
    const texts = [...files].map(([path, bytes]) => [path, decoder.decode(bytes)] as const);
    return { folder: realpathSync(folder), files: new Map(texts.sort(([a], [b]) => (a < b ? -1 : 1))) };
  } catch {
    return 'altered';
  }
}
