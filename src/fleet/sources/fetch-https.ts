import { archiveEntries } from '../bundle/archive.ts';
import { archiveDigest } from '../bundle/bundle.ts';
import { fetchArchive } from '../bundle/fetch-archive.ts';
import type { Fetch } from './fetched.ts';
import { createKeptFiles } from './kept-files.ts';

/**
 * Fetches a gzipped tar from a web server. What is pinned is left to the digest of its files: some servers pack the same
 * files anew.
 */
export const fetchHttps: Fetch = async ({ location }, _pinned, { timeoutMs }) => {
  const bytes = await fetchArchive(location, AbortSignal.timeout(timeoutMs));
  return { revision: archiveDigest(bytes), files: await archiveFiles(bytes) };
};

/**
 * The files of a gzipped tar that are kept.
 *
 * @throws BundleError or SourceError if it is none, or has what no honest source has
 */
export async function archiveFiles(bytes: Uint8Array): Promise<ReadonlyMap<string, Uint8Array>> {
  const kept = createKeptFiles();
  for await (const { path, type, content } of archiveEntries(bytes)) {
    // As `tar -czf x.tar.gz .` writes it.
    const usual = path.replace(/^\.\//, '');
    if (kept.wants(usual, type, content.length) && usual !== '') kept.take(usual, content);
  }
  return kept.files;
}
