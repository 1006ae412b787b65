import { archiveDigest } from '../bundle/bundle.ts';
import { fetchArchive } from '../bundle/fetch-archive.ts';
import { archiveFiles } from './archive-files.ts';
import type { Fetch } from './fetched.ts';

/**
 * Fetches a gzipped tar from a web server. What is pinned is left to the digest of its files: some servers pack the same
 * files anew.
 */
export const fetchHttps: Fetch = async ({ location }, _pinned, { timeoutMs }) => {
  const bytes = await fetchArchive(location, AbortSignal.timeout(timeoutMs));
  return { revision: archiveDigest(bytes), files: await archiveFiles(bytes) };
};
