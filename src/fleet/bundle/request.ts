import { messageOf } from '../../lib/message-of.ts';
import { BundleError } from './bundle-error.ts';

const MAX_REDIRECTS = 5;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** A failure that may pass on its own. */
export class PassingError extends BundleError {}

export interface Request {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly signal: AbortSignal;
}

/** True for an address on this machine: nobody else can listen there. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.includes(host);
}

/**
 * Asks a server, follows where it sends us, and returns its answer whatever the status is. Headers go to the first server
 * alone.
 *
 * @throws BundleError if there is no answer
 */
export async function request(
  url: string,
  { method = 'GET', headers = {}, body, signal }: Request,
): Promise<Response> {
  // A bundle is gzipped itself, and some servers call that an encoding.
  const decompress = false;
  // Said outright, because NODE_TLS_REJECT_UNAUTHORIZED=0 would switch it off.
  const tls = { rejectUnauthorized: true };
  const common = {
    method,
    signal,
    tls,
    decompress,
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  } as const;
  let at = url;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const isFirst = new URL(at).origin === new URL(url).origin;
    const response = await passing(() => fetch(at, { ...common, headers: isFirst ? { ...headers } : {} }));
    const next = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || next === null) return response;
    at = redirected(next, at);
  }
  throw new BundleError('its server redirects again and again');
}

/** Follows a redirect, if its target is no less private than the place that sent it. */
function redirected(next: string, from: string): string {
  const url = URL.parse(next, from);
  const isLocal = url?.protocol === 'http:' && isLoopback(url.hostname);
  if (url === null || !(url.protocol === 'https:' || (isLocal && from.startsWith('http:'))))
    throw new BundleError('its server redirects to an unencrypted address');
  return url.href;
}

/** The error for a status that means no. */
export function statusError({ status }: Response): BundleError {
  const message = `its server answers with HTTP status ${status}`;
  return status >= 500 || status === 429 ? new PassingError(message) : new BundleError(message);
}

/**
 * Reads an answer to its end.
 *
 * @throws BundleError if it is longer than it may be, or cut off
 */
export function bodyOf(response: Response, maxBytes: number, tooLarge: string): Promise<Uint8Array> {
  return passing(async () => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > maxBytes) throw new BundleError(tooLarge);
      chunks.push(chunk);
    }
    const announced = Number(response.headers.get('content-length') ?? Number.NaN);
    if (announced > size) throw new PassingError('the connection was cut');
    return Buffer.concat(chunks);
  });
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
