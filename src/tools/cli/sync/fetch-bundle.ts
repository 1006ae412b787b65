import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fetchArchive, MAX_ARCHIVE_BYTES, TOO_LARGE } from '../../../fleet/bundle/archive.ts';
import { BundleError } from '../../../fleet/bundle/bundle-error.ts';
import { type Environment, pullBundle } from '../../../fleet/bundle/oci-registry.ts';
import { PassingError } from '../../../fleet/bundle/request.ts';
import { readBounded } from '../../../lib/read-bounded.ts';

/** How much patience there is with a server. */
export interface RetryLimits {
  /** How long one attempt may take. */
  readonly attemptMs: number;
  /** The pauses before further attempts, each stretched by chance: machines of a fleet start at once. */
  readonly pausesMs: readonly number[];
}

const PATIENCE: RetryLimits = { attemptMs: 30_000, pausesMs: [1_000, 4_000] };

/**
 * Fetches a bundle from https, from http on this machine, from a registry (`oci://`), or from a file. It is not verified
 * here.
 *
 * @throws BundleError if it cannot be had
 */
export async function fetchBundle(url: string, env: Environment, patience = PATIENCE): Promise<Uint8Array> {
  if (url.startsWith('file:')) return readLocal(url);
  const attempt = async () => {
    const signal = AbortSignal.timeout(patience.attemptMs);
    if (url.startsWith('oci:')) return (await pullBundle(url, { env, signal })).bytes;
    return fetchArchive(url, signal);
  };
  for (const pauseMs of patience.pausesMs) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof PassingError)) throw error;
      await Bun.sleep(pauseMs * (0.5 + Math.random()));
    }
  }
  return attempt();
}

function readLocal(url: string): Uint8Array {
  const path = fileURLToPath(url);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() !== true) throw new BundleError('there is no such file');
  if (stats.size > MAX_ARCHIVE_BYTES) throw new BundleError(TOO_LARGE);
  return readBounded(path, MAX_ARCHIVE_BYTES);
}
