import type { SourceName } from '../../language/policy/sources/source-name.ts';

/** The present state of a source. */
export interface Fetched {
  /** Its server's name for it: a commit, a version, the digest of an image or an archive. */
  readonly revision: string;
  /** Its files by path, no more than are kept. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** The parts of this machine that a fetch may use. */
export interface FetchOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long one source may take. */
  readonly timeoutMs: number;
}

/**
 * Fetches one kind of source.
 *
 * @param pinned the revision that is locked, if the server can be asked for it: the caller compares the files with the digest
 * that is locked with it. The newest under the name if undefined
 * @throws if it cannot be had, or the server no longer has the pinned revision under this name
 */
export type Fetch = (name: SourceName, pinned: string | undefined, options: FetchOptions) => Promise<Fetched>;

/** A source could not be fetched, or differs from the demands. The message says why and what to do. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}
