import { codeOf } from '../../lib/message-of.ts';
import { readBounded } from '../../lib/read-bounded.ts';
import { JudgeError } from './judge-error.ts';

/** The longest answer that is read. A verdict takes a few hundred bytes. */
const MAX_BODY_BYTES = 256 * 1024;
const MAX_CA_FILE_BYTES = 1024 * 1024;

/**
 * A `fetch` for judges: redirects and answers with an error status end in a `JudgeError`, bodies are read whole and are
 * bounded, and nothing of them gets into a message. Proxies (`HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`) and
 * `NODE_EXTRA_CA_CERTS` are honoured by the runtime.
 *
 * @param caFile PEM file with authorities that are trusted beside those that are so anyway
 */
export function judgeFetch(caFile: string | null): typeof fetch {
  // Said outright, because NODE_TLS_REJECT_UNAUTHORIZED=0 would switch it off.
  const verified = { rejectUnauthorized: true };
  const tls = caFile === null ? verified : { ...verified, ca: [...authorities(caFile)] };
  const guarded = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const response = await reached(() => fetch(input, { ...init, tls, redirect: 'manual' }), 'no-connection');
    checkStatus(response);
    const body = await reached(() => readBody(response), 'cut-off');
    const type = response.headers.get('content-type') ?? 'application/json';
    return new Response(body, { status: response.status, headers: { 'content-type': type } });
  };
  return Object.assign(guarded, { preconnect: fetch.preconnect });
}

const CERTIFICATE =
  /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]*-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g;

/** Those that the runtime trusts anyway, `NODE_EXTRA_CA_CERTS` among them, and those of the file. */
function authorities(path: string): readonly string[] {
  const { getCACertificates } = require('node:tls') as typeof import('node:tls');
  const own = (readText(path).match(CERTIFICATE) ?? []).filter(isCertificate);
  // The runtime would report a file without certificates as a failed connection that may work the next time.
  if (own.length === 0) throw new JudgeError('tls', `the file "${path}" holds no certificate`);
  return [...getCACertificates('default'), ...own];
}

function readText(path: string): string {
  try {
    return readBounded(path, MAX_CA_FILE_BYTES).toString('utf8');
  } catch {
    throw new JudgeError('tls', `the file "${path}" with its authorities cannot be read`);
  }
}

function isCertificate(pem: string): boolean {
  const { X509Certificate } = require('node:crypto') as typeof import('node:crypto');
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

/** Puts errors on the way into our words. */
async function reached<T>(action: () => Promise<T>, failure: 'no-connection' | 'cut-off'): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof JudgeError || isAbort(error)) throw error;
    if (isCertificateProblem(error)) throw new JudgeError('tls', 'its certificate cannot be verified');
    const message =
      failure === 'cut-off' || isReset(error) ? 'the connection was cut' : 'it cannot be reached';
    throw new JudgeError(isReset(error) ? 'cut-off' : failure, message, { mayPass: true });
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError');
}

function isReset(error: unknown): boolean {
  return /ECONNRESET|ConnectionClosed|UnexpectedEOF|EPIPE/i.test(String(codeOf(error)));
}

function isCertificateProblem(error: unknown): boolean {
  return /CERT|SIGNATURE|TLS|SSL|ISSUER/i.test(String(codeOf(error)));
}

function checkStatus(response: Response): void {
  const { status } = response;
  if (response.ok) return;
  void response.body?.cancel().catch(() => {});
  if (status >= 300 && status < 400)
    throw new JudgeError('redirect', 'it redirects elsewhere, which is not followed');
  const retryAfterMs = retryAfter(response.headers.get('retry-after'));
  if (status === 429)
    throw new JudgeError('rate-limit', 'it is asked too often', { mayPass: true, retryAfterMs });
  const mayPass = status >= 500 || status === 408;
  // A server without structured output answers so.
  const tooFancy = status === 400 || status === 422;
  throw new JudgeError('status', `it answers with HTTP status ${status}`, {
    mayPass,
    retryAfterMs,
    tooFancy,
  });
}

/** Seconds or a date; undefined if the server does not say. */
function retryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = Number(header);
  const waitMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(waitMs) ? Math.max(waitMs, 0) : undefined;
}

async function readBody(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) {
      throw new JudgeError('too-large', `its answer is larger than ${MAX_BODY_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  return Uint8Array.from(Buffer.concat(chunks));
}
