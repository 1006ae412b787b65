import { bundleFromJSON, isBundleWithMessageSignature } from '@sigstore/bundle';
import { TrustedRoot } from '@sigstore/protobuf-specs';
import seeds from '@sigstore/tuf/seeds.json';
import { toSignedEntity, toTrustMaterial, Verifier } from '@sigstore/verify';
import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts';
import { messageOf } from '../../lib/message-of.ts';
import { BundleError } from './bundle-error.ts';
import type { Identity } from './identity.ts';

/** The trusted root of the public Sigstore services, from the pinned release of the package. */
const PUBLIC_GOOD = seeds['https://tuf-repo-cdn.sigstore.dev'].targets['trusted_root.json'];

/** The accepted certificate authorities and logs. */
export type TrustedRoots = TrustedRoot;

/**
 * Parses a trusted root; by default that of the public services.
 *
 * @throws BundleError if it is none
 */
export function readTrustedRoot(text: string | undefined): TrustedRoots {
  try {
    const root: Json = JSON.parse(text ?? Buffer.from(PUBLIC_GOOD, 'base64').toString('utf8'));
    if (isJsonObject(root) && Array.isArray(root['certificateAuthorities']))
      return TrustedRoot.fromJSON(root);
  } catch {
    // An unreadable text is no trusted root.
  }
  throw new BundleError('it is not a Sigstore trusted root');
}

/**
 * Finds the signer of bytes by a Sigstore bundle, offline: the certificate must come from a trusted authority, and a log must
 * have it and the signature from the time of its validity.
 *
 * @throws BundleError if any of this does not hold
 */
export function keylessSigner(sigstore: JsonObject, signed: Uint8Array, root: TrustedRoots): Identity {
  try {
    const bundle = bundleFromJSON(sigstore);
    // An attestation signs its own statement, not these bytes.
    if (!isBundleWithMessageSignature(bundle)) throw new Error('it is an attestation, not a signature');
    const { identity } = new Verifier(toTrustMaterial(root)).verify(
      toSignedEntity(bundle, Buffer.from(signed)),
    );
    const { subjectAlternativeName: subject = '', extensions } = identity ?? {};
    return { subject, issuer: extensions?.issuer ?? '' };
  } catch (error) {
    throw new BundleError(`its keyless signature is invalid: ${messageOf(error)}`, { cause: error });
  }
}
