import type { Lock } from './lock.ts';

/** The files of a source, as they were when it was locked. */
export interface StoredSource {
  /** Their folder, absolute and without links. */
  readonly folder: string;
  /** Their texts by path in the source, sorted. */
  readonly files: ReadonlyMap<string, string>;
}

/** Keeps the files of sources by their digest. Nothing is ever fetched here. */
export interface SourceStore {
  /**
   * The files of this digest; `missing` if they are not here, `altered` if they have changed.
   *
   * @param digest as the lock has it
   */
  readonly open: (digest: string) => StoredSource | 'missing' | 'altered';
  /** Locks that count instead of those on the disk, by path: the result of an update. */
  readonly locks?: ReadonlyMap<string, Lock>;
}
