import { MAX_ARCHIVE_BYTES } from './archive.ts';
import { bodyOf, request, statusError } from './request.ts';

/** What is said of an archive that is larger than one may be. */
export const TOO_LARGE = 'it is larger than 32 MiB';

/**
 * Fetches an archive from https, or from http on this machine. It is not verified here.
 *
 * @throws BundleError if it cannot be had
 */
export async function fetchArchive(url: string, signal: AbortSignal): Promise<Uint8Array> {
  const response = await request(url, { signal });
  if (!response.ok) throw statusError(response);
  return bodyOf(response, MAX_ARCHIVE_BYTES, TOO_LARGE);
}
