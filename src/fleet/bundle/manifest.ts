import { canonicalJson } from '../../lib/canonical-json.ts';
import { isJsonObject, type Json, ownString } from '../../lib/json.ts';
import { isVersion } from '../../lib/version-order.ts';
import { BundleError } from './bundle-error.ts';

/** Names the kind of the signed text, so that a signature for something else fits no bundle. */
const MEDIA_TYPE = 'application/vnd.policy.bundle.v1+json';
const NAME = /^[a-z0-9][a-z0-9._-]{0,99}$/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;
const MAX_BYTES = 64 * 1024;

/** The signed part of a bundle. */
export interface Manifest {
  /** Lower-case letters, digits, `.`, `_` and `-`, at most 100. */
  readonly name: string;
  /** Orders the bundles of this name, as in SemVer. */
  readonly version: string;
  /** When it may no longer be taken: ISO 8601 in UTC. Undefined for never. */
  readonly expires: string | undefined;
  /** The digest of the tree of its files, `sha256:` and 64 hex digits. */
  readonly digest: string;
  /** The same for the tests beside the policies that it was built from; undefined if there were none. */
  readonly tests: string | undefined;
}

/** Why a bundle cannot have this name, undefined if it can. */
export function nameProblem(name: string): string | undefined {
  return NAME.test(name) ? undefined : 'use lower-case letters, digits, ".", "_" and "-"';
}

/** The text of a manifest: equal ones have equal texts. */
export function manifestText({
  name,
  version,
  expires = null,
  digest,
  tests = null,
}: {
  readonly [Key in keyof Manifest]: Manifest[Key] | null;
}): string {
  return `${canonicalJson({ mediaType: MEDIA_TYPE, name, version, expires, digest, tests })}\n`;
}

/** @throws BundleError if it is none, or one of a newer version */
export function parseManifest(bytes: Uint8Array): Manifest {
  const value = jsonOf(bytes);
  const mediaType = isJsonObject(value) ? ownString(value, 'mediaType') : undefined;
  if (!isJsonObject(value) || mediaType === undefined) throw damaged();
  if (mediaType !== MEDIA_TYPE)
    throw new BundleError(`it is a "${mediaType}", which this version of policy does not know; update it`);
  const [name = '', version = '', expires, digest = '', tests] = [
    'name',
    'version',
    'expires',
    'digest',
    'tests',
  ].map((key) => ownString(value, key));
  const isSound =
    nameProblem(name) === undefined &&
    isVersion(version) &&
    DIGEST.test(digest) &&
    (tests === undefined ? value['tests'] === null : DIGEST.test(tests)) &&
    (expires === undefined ? value['expires'] === null : !Number.isNaN(Date.parse(expires)));
  if (!isSound) throw damaged();
  return { name, version, expires, digest, tests };
}

function jsonOf(bytes: Uint8Array): Json {
  if (bytes.length > MAX_BYTES) throw damaged();
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Json;
  } catch {
    throw damaged();
  }
}

function damaged(): BundleError {
  return new BundleError('its bundle.json is damaged');
}
