import { sign, verify } from 'node:crypto';
import { canonicalJson } from '../../lib/canonical-json.ts';
import { isJsonObject, type Json, type JsonObject, ownObject, ownString, parseJson } from '../../lib/json.ts';
import { BundleError } from './bundle-error.ts';
import type { Key } from './keys.ts';

const MAX_SIGNATURES = 100;
const MAX_BYTES = 1024 * 1024;

export type Signature = KeySignature | KeylessSignature;

/** By a key of `policy bundle keygen`. */
export interface KeySignature {
  readonly key: string;
  /** In base64. */
  readonly signature: string;
}

/** By somebody whom a certificate of Sigstore names. */
export interface KeylessSignature {
  readonly sigstore: JsonObject;
}

/** The signature of bytes by a secret key. */
export function signWith({ id, key }: Key, signed: Uint8Array): KeySignature {
  return { key: id, signature: sign(null, signed, key).toString('base64') };
}

export function signaturesText(signatures: readonly Signature[]): string {
  return `${canonicalJson(signatures.map((signature) => ({ ...signature })))}\n`;
}

/** @throws BundleError if they are none */
export function parseSignatures(bytes: Uint8Array): readonly Signature[] {
  const value = bytes.length <= MAX_BYTES ? parseJson(new TextDecoder().decode(bytes)) : undefined;
  if (!Array.isArray(value) || value.length > MAX_SIGNATURES) throw damaged();
  return value.map((item: Json): Signature => {
    const sigstore = isJsonObject(item) ? ownObject(item, 'sigstore') : undefined;
    if (sigstore !== undefined) return { sigstore };
    const key = isJsonObject(item) ? ownString(item, 'key') : undefined;
    const signature = isJsonObject(item) ? ownString(item, 'signature') : undefined;
    if (key === undefined || signature === undefined || !/^[0-9a-f]{16}$/.test(key)) throw damaged();
    return { key, signature };
  });
}

/** True if this key has made the signature of these bytes. */
export function isSignedBy({ key }: Key, signed: Uint8Array, { signature }: KeySignature): boolean {
  return verify(null, signed, key, Buffer.from(signature, 'base64'));
}

function damaged(): BundleError {
  return new BundleError('its signatures.json is damaged');
}
