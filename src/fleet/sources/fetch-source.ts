import type { SourceKind, SourceName } from '../../language/policy/sources/source-name.ts';
import { messageOf } from '../../lib/message-of.ts';
import type { Fetch, Fetched, FetchOptions } from './fetched.ts';
import { SourceError } from './source-error.ts';

/** What fetches each kind of source, loaded when it is needed. */
const FETCHES: Readonly<Record<SourceKind, () => Promise<Fetch>>> = {
  git: async () => (await import('./fetch-git.ts')).fetchGit,
  https: async () => (await import('./fetch-https.ts')).fetchHttps,
  oci: async () => (await import('./fetch-oci.ts')).fetchOci,
};

/**
 * Fetches a source.
 *
 * @param pinned the revision that is locked; the newest that the name stands for if undefined
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
