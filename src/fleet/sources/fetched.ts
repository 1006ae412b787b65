import type { SourceName } from '../../language/policy/sources/source-name.ts';

/** The present state of a source. */
export interface Fetched {
  /** The server's name for it: a commit, a version, or the digest of an image or archive. */
  readonly revision: string;
  /** Its files by path, up to the limit of files kept. */
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
 * @param pinned the locked revision, if the server can be asked for it; undefined for the newest. The caller compares the
 * digests
 * @throws SourceError if it cannot be fetched, or the server no longer has the pinned revision
 */
export type Fetch = (name: SourceName, pinned: string | undefined, options: FetchOptions) => Promise<Fetched>;

/** A source could not be fetched, or differs from the demands. The message says why and what to do. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}
