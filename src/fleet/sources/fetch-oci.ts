import { openBundle } from '../bundle/bundle.ts';
import { pullBundle } from '../bundle/oci-registry.ts';
import type { Fetch } from './fetched.ts';
import { createKeptFiles } from './kept-files.ts';

/** Fetches a bundle out of a registry. Its signatures are not asked: the lock says which files are meant. */
export const fetchOci: Fetch = async ({ location }, pinned, { env, timeoutMs }) => {
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
