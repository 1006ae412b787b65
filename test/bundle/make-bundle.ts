import { gunzipSync, gzipSync } from 'node:zlib';
import { extract, type Headers, pack } from 'tar-stream';
import { type BundleParts, buildBundle } from '../../src/fleet/bundle/bundle.ts';
import { BundleError } from '../../src/fleet/bundle/bundle-error.ts';
import { generateKeys, type Key, readPublicKey, readSecretKey } from '../../src/fleet/bundle/keys.ts';

/** A key pair with both halves read. */
export interface KeyPair {
  readonly id: string;
  readonly secret: Key;
  readonly open: Key;
}

export function keyPair(): KeyPair {
  const { publicText, secretText } = generateKeys();
  const open = readPublicKey(publicText);
  return { id: open.id, secret: readSecretKey(secretText), open };
}

/** Texts by path as bytes. */
export function bytesOf(texts: Readonly<Record<string, string>>): ReadonlyMap<string, Uint8Array> {
  return new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)]));
}

export const TEXTS = { 'git.yaml': 'version: 1\npolicies: []\n', 'data/hosts.json': '["example.com"]' };

export interface BundleOptions {
  readonly name?: string;
  readonly version?: string;
  readonly expires?: string;
  readonly texts?: Readonly<Record<string, string>>;
  readonly tests?: Readonly<Record<string, string>>;
  readonly keys?: readonly KeyPair[];
  readonly signKeyless?: BundleParts['signKeyless'];
}

export function bundleOf(options: BundleOptions = {}): Promise<Uint8Array> {
  return buildBundle({
    name: options.name ?? 'acme',
    version: options.version ?? '1.0.0',
    expires: options.expires,
    files: bytesOf(options.texts ?? TEXTS),
    tests: bytesOf(options.tests ?? {}),
    keys: (options.keys ?? []).map(({ secret }) => secret),
    signKeyless: options.signKeyless,
  });
}

/** One entry of an archive as an attacker would write it. */
export type Entry = Headers & {
  readonly content?: string | Uint8Array;
  /** What a header in front of its own says. */
  readonly pax?: Readonly<Record<string, string>>;
};

export async function archiveOf(entries: readonly Entry[]): Promise<Uint8Array> {
  const archive = pack();
  for (const { content, ...header } of entries)
    content === undefined ? archive.entry(header) : archive.entry(header, Buffer.from(content));
  archive.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive) chunks.push(chunk);
  return gzipSync(Buffer.concat(chunks));
}

/** The entries of an archive, to write it anew with changes. */
export async function entriesOf(bytes: Uint8Array): Promise<readonly Entry[]> {
  const archive = extract();
  archive.end(gunzipSync(bytes));
  const entries: Entry[] = [];
  for await (const entry of archive) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of entry) chunks.push(chunk);
    entries.push({ name: entry.header.name, content: Buffer.concat(chunks) });
  }
  return entries;
}

/** Why a bundle is refused. */
export async function refusalOf(taking: Promise<unknown>): Promise<string> {
  try {
    await taking;
  } catch (error) {
    if (error instanceof BundleError) return error.message;
    throw error;
  }
  return 'taken';
}
