import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { messageOf } from '../lib/message-of.ts';
import { MAX_ARCHIVE_BYTES } from './archive.ts';
import { BundleError } from './bundle-error.ts';

/** How much patience there is with a server. */
export interface Patience {
  /** How long one attempt may take. */
  readonly attemptMs: number;
  /** The pauses before further attempts, each stretched by chance: machines of a fleet start at once. */
  readonly pausesMs: readonly number[];
}

const PATIENCE: Patience = { attemptMs: 30_000, pausesMs: [1_000, 4_000] };
const MAX_REDIRECTS = 5;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** A failure that may pass by itself. */
class PassingError extends BundleError {}

/**
 * Fetches a bundle from https, from http on this machine, or from a file. It is not verified here.
 *
 * @throws BundleError if it cannot be had
 */
export async function fetchBundle(url: string, patience = PATIENCE): Promise<Uint8Array> {
  if (url.startsWith('file:')) return readLocal(url);
  for (const pauseMs of patience.pausesMs) {
    try {
      return await fetchOnce(url, patience);
    } catch (error) {
      if (!(error instanceof PassingError)) throw error;
      await Bun.sleep(pauseMs * (0.5 + Math.random()));
    }
  }
  return fetchOnce(url, patience);
}

function readLocal(url: string): Uint8Array {
  const path = fileURLToPath(url);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() !== true) throw new BundleError('there is no such file');
  if (stats.size > MAX_ARCHIVE_BYTES) throw new BundleError('it is larger than 32 MiB');
  return readFileSync(path);
}

async function fetchOnce(url: string, { attemptMs }: Patience): Promise<Uint8Array> {
  const signal = AbortSignal.timeout(attemptMs);
  // A bundle is gzipped itself, and some servers call that an encoding.
  const decompress = false;
  // Said outright, because NODE_TLS_REJECT_UNAUTHORIZED=0 would switch it off.
  const tls = { rejectUnauthorized: true };
  let at = url;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await passing(() => fetch(at, { signal, tls, redirect: 'manual', decompress }));
    const next = response.headers.get('location');
    if (response.status >= 300 && response.status < 400 && next !== null) {
      at = redirected(next, at);
      continue;
    }
    if (!response.ok) {
      const message = `its server answers with HTTP status ${response.status}`;
      throw response.status >= 500 || response.status === 429
        ? new PassingError(message)
        : new BundleError(message);
    }
    return passing(() => bodyOf(response));
  }
  throw new BundleError('its server redirects again and again');
}

/** Where a server sends us, if that is no less private than where we were. */
function redirected(next: string, from: string): string {
  const url = URL.parse(next, from);
  const isLocal = url?.protocol === 'http:' && LOOPBACK.includes(url.hostname);
  if (url === null || !(url.protocol === 'https:' || (isLocal && from.startsWith('http:'))))
    throw new BundleError('its server redirects to where nothing is encrypted');
  return url.href;
}

async function bodyOf(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_ARCHIVE_BYTES) throw new BundleError('it is larger than 32 MiB');
    chunks.push(chunk);
  }
  const announced = Number(response.headers.get('content-length') ?? Number.NaN);
  if (announced > size) throw new PassingError('the connection was cut');
  return Buffer.concat(chunks);
}

/** Whatever goes wrong on the way may go well the next time. */
async function passing<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof BundleError) throw error;
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    throw new PassingError(
      isLate ? 'its server takes too long' : `it cannot be reached (${messageOf(error)})`,
    );
  }
}
