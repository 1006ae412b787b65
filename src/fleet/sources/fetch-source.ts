import type { SourceKind, SourceName } from '../../language/policy/sources/source-name.ts';
import { messageOf } from '../../lib/message-of.ts';
import { archiveEntries, fetchArchive } from '../bundle/archive.ts';
import { archiveDigest, openBundle } from '../bundle/bundle.ts';
import { pullBundle } from '../bundle/oci-registry.ts';
import { type Fetch, type Fetched, type FetchOptions, SourceError } from './fetched.ts';
import { createKeptFiles } from './kept-files.ts';

/** The code that fetches each kind of source, loaded when it is needed. */
const FETCHES: Readonly<Record<SourceKind, () => Promise<Fetch>>> = {
  git: async () => (await import('./fetch-git.ts')).fetchGit,
  https: async () => fetchHttps,
  oci: async () => fetchOci,
};

/**
 * Fetches a source.
 *
 * @param pinned the revision that is locked; the newest under the name if undefined
 * @throws SourceError that names the source
 */
export async function fetchSource(
  name: SourceName,
  pinned: string | undefined,
  options: FetchOptions,
): Promise<Fetched> {
  try {
    const fetched = await (await FETCHES[name.kind]())(name, pinned, options);
    if (fetched.files.size === 0) throw new SourceError('it has no policy files');
    return fetched;
  } catch (error) {
    throw new SourceError(`Cannot fetch "${name.source}": ${messageOf(error)}`, { cause: error });
  }
}

/** Fetches a gzipped tar from a web server. The pin is left to the digest of its files: some servers pack the same files anew. */
const fetchHttps: Fetch = async ({ location }, _pinned, { timeoutMs }) => {
  const bytes = await fetchArchive(location, AbortSignal.timeout(timeoutMs));
  return { revision: archiveDigest(bytes), files: await archiveFiles(bytes) };
};

/**
 * The files of a gzipped tar that are kept.
 *
 * @throws BundleError or SourceError if it is none, or has entries that no honest source has
 */
async function archiveFiles(bytes: Uint8Array): Promise<ReadonlyMap<string, Uint8Array>> {
  const kept = createKeptFiles();
  for await (const { path, type, content } of archiveEntries(bytes)) {
    // As `tar -czf x.tar.gz .` writes it.
    const usual = path.replace(/^\.\//, '');
    if (kept.wants(usual, type, content.length) && usual !== '') kept.take(usual, content);
  }
  return kept.files;
}

/** Fetches a bundle out of a registry. Its signatures are not asked: the lock says which files are meant. */
const fetchOci: Fetch = async ({ location }, pinned, { env, timeoutMs }) => {
  const [untied] = location.split('@');
  const { bytes, digest } = await pullBundle(pinned === undefined ? location : `${untied}@${pinned}`, {
    env,
    signal: AbortSignal.timeout(timeoutMs),
  });
  const kept = createKeptFiles();
  for (const [path, content] of (await openBundle(bytes)).files)
    if (kept.wants(path, 'file', content.length)) kept.take(path, content);
  return { revision: digest, files: kept.files };
};
