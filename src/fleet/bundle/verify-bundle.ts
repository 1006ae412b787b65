import { compareVersions } from '../../lib/version-order.ts';
import { type Bundle, openBundle } from './bundle.ts';
import { BundleError } from './bundle-error.ts';
import { type Identity, isIdentity } from './identity.ts';
import type { Key } from './keys.ts';
import { isSignedBy, type KeylessSignature, type KeySignature } from './signatures.ts';

export interface BundleDemands {
  /** Public keys that may sign it. One of these or of the identities must have. */
  readonly keys: readonly Key[];
  /** The identities that may sign it without a key. */
  readonly identities: readonly Identity[];
  /** The text of a trusted root of Sigstore; that of the services that everybody may use if undefined. */
  readonly trustedRoot?: string | undefined;
  /** Public keys that no longer count, also where they are among the others. */
  readonly withdrawn: readonly Key[];
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** Its name; any if undefined. */
  readonly name?: string | undefined;
  /** The oldest version that it may have; any if undefined. */
  readonly atLeast?: string | undefined;
}

/** A bundle that meets all demands. */
export interface VerifiedBundle extends Bundle {
  /** The id of the key that counted, or the subject of the certificate. */
  readonly signedBy: string;
}

/**
 * Reads a bundle and compares it with the demands on it.
 *
 * @throws BundleError with its first fault
 */
export async function verifyBundle(bytes: Uint8Array, demands: BundleDemands): Promise<VerifiedBundle> {
  const bundle = await openBundle(bytes);
  const signedBy = await signerOf(bundle, demands);
  const { name, version, expires } = bundle.manifest;
  if (demands.name !== undefined && name !== demands.name)
    throw new BundleError(`it is the bundle "${name}", not "${demands.name}"`);
  if (expires !== undefined && Date.parse(expires) <= demands.nowMs)
    throw new BundleError(`it expired at ${expires}; ask its team for a newer one`);
  if (demands.atLeast !== undefined && compareVersions(version, demands.atLeast) < 0)
    throw new BundleError(`it is version ${version}, which is older than ${demands.atLeast}`);
  return { ...bundle, signedBy };
}

/** The first signature counts that holds and is by somebody who may. */
async function signerOf({ signed, signatures }: Bundle, demands: BundleDemands): Promise<string> {
  if (signatures.length === 0) throw new BundleError('it is not signed');
  const causes: string[] = [];
  for (const signature of signatures) {
    const found =
      'sigstore' in signature
        ? await keylessSignerOf(signature, signed, demands)
        : keySignerOf(signature, signed, demands);
    if ('signedBy' in found) return found.signedBy;
    causes.push(found.cause);
  }
  throw new BundleError(causes.join('; '));
}

type Signer = { readonly signedBy: string } | { readonly cause: string };

function keySignerOf(
  signature: KeySignature,
  signed: Uint8Array,
  { keys, withdrawn }: BundleDemands,
): Signer {
  const { key: id } = signature;
  if (withdrawn.some((key) => key.id === id))
    return { cause: `it is signed with key ${id}, which has been withdrawn` };
  const key = keys.find((each) => each.id === id);
  if (key === undefined)
    return { cause: `it is signed with key ${id}, which is not one of those that may sign it` };
  if (isSignedBy(key, signed, signature)) return { signedBy: id };
  return { cause: `it has been altered: its signature with key ${id} does not fit` };
}

async function keylessSignerOf(
  { sigstore }: KeylessSignature,
  signed: Uint8Array,
  { identities, trustedRoot }: BundleDemands,
): Promise<Signer> {
  if (identities.length === 0) return { cause: 'it is signed without a key, and no identity is allowed' };
  const { keylessSigner, readTrustedRoot } = await import('./verify-keyless.ts');
  try {
    const signer = keylessSigner(sigstore, signed, readTrustedRoot(trustedRoot));
    if (identities.some((identity) => isIdentity(identity, signer))) return { signedBy: signer.subject };
    return {
      cause: `it is signed by "${signer.subject}" of ${signer.issuer}, which is not an allowed identity`,
    };
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    return { cause: error.message };
  }
}
