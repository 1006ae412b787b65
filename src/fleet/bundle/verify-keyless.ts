import { bundleFromJSON, isBundleWithMessageSignature } from '@sigstore/bundle';
import { TrustedRoot } from '@sigstore/protobuf-specs';
import seeds from '@sigstore/tuf/seeds.json';
import { toSignedEntity, toTrustMaterial, Verifier } from '@sigstore/verify';
import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts';
import { messageOf } from '../../lib/message-of.ts';
import { BundleError } from './bundle-error.ts';
import type { Identity } from './identity.ts';

/** The trusted root of the services that everybody may use, as the pinned release of the package has it. */
const PUBLIC_GOOD = seeds['https://tuf-repo-cdn.sigstore.dev'].targets['trusted_root.json'];

/** The certificate authorities and logs that count. */
export type TrustedRoots = TrustedRoot;

/**
 * The trusted root in a text, or that of the services that everybody may use.
 *
 * @throws BundleError if it is none
 */
export function readTrustedRoot(text: string | undefined): TrustedRoots {
  try {
    const root: Json = JSON.parse(text ?? Buffer.from(PUBLIC_GOOD, 'base64').toString('utf8'));
    if (isJsonObject(root) && Array.isArray(root['certificateAuthorities']))
      return TrustedRoot.fromJSON(root);
  } catch {
    // A text that cannot be read is none.
  }
  throw new BundleError('it is not a Sigstore trusted root');
}

/**
 * Finds the signer of bytes by a Sigstore bundle, without any network: the certificate must come from a trusted authority,
 * and it and the signature have to be logged while it was valid.
 *
 * @throws BundleError if any of this does not hold
 */
export function keylessSigner(sigstore: JsonObject, signed: Uint8Array, root: TrustedRoots): Identity {
  try {
    const bundle = bundleFromJSON(sigstore);
    // An attestation signs its own statement, and nothing of these bytes.
    if (!isBundleWithMessageSignature(bundle)) throw new Error('it is an attestation, and no signature');
    const { identity } = new Verifier(toTrustMaterial(root)).verify(
      toSignedEntity(bundle, Buffer.from(signed)),
    );
    const { subjectAlternativeName: subject = '', extensions } = identity ?? {};
    return { subject, issuer: extensions?.issuer ?? '' };
  } catch (error) {
    throw new BundleError(`its keyless signature does not hold: ${messageOf(error)}`, { cause: error });
  }
}
