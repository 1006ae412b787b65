import { sha256Of } from '../../lib/digest.ts';
import type { JsonObject } from '../../lib/json.ts';
import { treeDigest } from '../../lib/tree-digest.ts';
import { packArchive, unpackArchive } from './archive.ts';
import { BundleError } from './bundle-error.ts';
import type { Key } from './keys.ts';
import { type Manifest, manifestText, parseManifest } from './manifest.ts';
import { parseSignatures, type Signature, signaturesText, signWith } from './signatures.ts';

const MANIFEST = 'bundle.json';
const SIGNATURES = 'signatures.json';
const FILES = 'files/';

/** A bundle as it describes itself. Nobody has verified it. */
export interface Bundle {
  readonly manifest: Manifest;
  /** The bytes that are signed. */
  readonly signed: Uint8Array;
  readonly signatures: readonly Signature[];
  /** The policies and data files, by path. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

export interface BundleParts {
  readonly name: string;
  readonly version: string;
  readonly expires: string | undefined;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly tests: ReadonlyMap<string, Uint8Array>;
  /** Secret keys that sign it. */
  readonly keys: readonly Key[];
  /** Signs it without a key, and gives a Sigstore bundle. */
  readonly signKeyless?: ((signed: Uint8Array) => Promise<JsonObject>) | undefined;
}

/** The bytes of a bundle: the same for the same parts, unless it is signed without a key. It may be signed by nobody. */
export async function buildBundle({
  name,
  version,
  expires,
  files,
  tests,
  keys,
  signKeyless,
}: BundleParts): Promise<Uint8Array> {
  const signed = Buffer.from(
    manifestText({
      name,
      version,
      expires,
      digest: digestOf(files),
      tests: tests.size === 0 ? undefined : digestOf(tests),
    }),
  );
  const signatures: readonly Signature[] = [
    ...keys.map((key) => signWith(key, signed)),
    ...(signKeyless === undefined ? [] : [{ sigstore: await signKeyless(signed) }]),
  ];
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  return packArchive([
    [MANIFEST, signed],
    [SIGNATURES, Buffer.from(signaturesText(signatures))],
    ...sorted.map(([path, content]) => [FILES + path, content] as const),
  ]);
}

/**
 * Reads a bundle, without writing anything.
 *
 * @throws BundleError if it is none, or its files are not those that its manifest names
 */
export async function openBundle(bytes: Uint8Array): Promise<Bundle> {
  const entries = await unpackArchive(bytes);
  const signed = entries.get(MANIFEST);
  const signatures = entries.get(SIGNATURES);
  if (signed === undefined || signatures === undefined)
    throw new BundleError('it is not a bundle: policy bundle build makes one');
  const files = new Map<string, Uint8Array>();
  for (const [path, content] of entries) {
    if (path.startsWith(FILES)) files.set(path.slice(FILES.length), content);
    else if (path !== MANIFEST && path !== SIGNATURES)
      throw new BundleError(`it has a file "${path}" that no bundle has`);
  }
  const manifest = parseManifest(signed);
  if (digestOf(files) !== manifest.digest)
    throw new BundleError('it has been altered: its files are not those that its bundle.json names');
  return { manifest, signed, signatures: parseSignatures(signatures), files };
}

function digestOf(files: ReadonlyMap<string, Uint8Array>): string {
  return `sha256:${treeDigest(files)}`;
}

/** The SHA-256 of the bytes of a bundle, as registries and `sha256sum` have it. */
export function archiveDigest(bytes: Uint8Array): string {
  return `sha256:${sha256Of(bytes)}`;
}
