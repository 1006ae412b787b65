import { createHash, generateKeyPairSync } from 'node:crypto';
import { fulcioHandler, initializeCA, initializeCTLog, initializeTLog, rekorHandler } from '@sigstore/mock';

/** A Sigstore of one's own on this machine: an authority for certificates and a log, which take any identity token. */
export interface Sigstore {
  readonly url: string;
  /** What its signatures are verified by, as text. */
  readonly trustedRoot: string;
  readonly stop: () => void;
}

const DAY_MS = 86_400_000;

export async function startSigstore(): Promise<Sigstore> {
  const ctLog = await initializeCTLog(keys());
  const authority = await initializeCA(keys(), ctLog);
  const log = await initializeTLog('https://rekor.example', keys());
  const handlers = [fulcioHandler(authority, { strict: true }), rekorHandler(log, { strict: true })];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const handler = handlers.find(({ path }) => path === new URL(request.url).pathname);
      if (handler === undefined) return new Response('', { status: 404 });
      const {
        statusCode,
        response,
        contentType = 'application/json',
      } = await handler.fn(await request.text());
      const body = typeof response === 'string' ? response : bytesOf(response);
      return new Response(body, { status: statusCode, headers: { 'content-type': contentType } });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    trustedRoot: JSON.stringify({
      mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1',
      tlogs: [logOf(log.publicKey, createHash('sha256').update(log.publicKey).digest())],
      certificateAuthorities: [
        {
          subject: { organization: 'example', commonName: 'example' },
          uri: 'https://fulcio.example',
          certChain: { certificates: [{ rawBytes: bytesOf(authority.rootCertificate).toString('base64') }] },
          validFor: { start: yesterday() },
        },
      ],
      ctlogs: [logOf(ctLog.publicKey, bytesOf(ctLog.logID))],
      timestampAuthorities: [],
    }),
    stop: () => server.stop(true),
  };
}

/** The identity token of somebody, which only a Sigstore takes that does not look at who signed it. */
export function tokenOf(subject: string, issuer: string): string {
  const parts = [{ alg: 'none' }, { sub: subject, iss: issuer, aud: 'sigstore' }];
  return `${parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.x`;
}

function keys() {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function logOf(publicKey: Uint8Array, id: Uint8Array) {
  return {
    baseUrl: 'https://rekor.example',
    hashAlgorithm: 'SHA2_256',
    publicKey: {
      rawBytes: Buffer.from(publicKey).toString('base64'),
      keyDetails: 'PKIX_ECDSA_P256_SHA_256',
      validFor: { start: yesterday() },
    },
    logId: { keyId: Buffer.from(id).toString('base64') },
  };
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView<ArrayBuffer>): Buffer<ArrayBuffer> {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function yesterday(): string {
  return new Date(Date.now() - DAY_MS).toISOString();
}
