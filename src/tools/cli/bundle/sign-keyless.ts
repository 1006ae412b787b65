import { bundleToJSON } from '@sigstore/bundle';
import {
  CIContextProvider,
  DEFAULT_FULCIO_URL,
  DEFAULT_REKOR_URL,
  FulcioSigner,
  InternalError,
  MessageSignatureBundleBuilder,
  RekorWitness,
} from '@sigstore/sign';
import { BundleError } from '../../../fleet/bundle/bundle-error.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { messageOf } from '../../../lib/message-of.ts';

/** The services of Sigstore that sign; those that everybody may use unless given. */
export interface SigstoreServices {
  /** The URL of Fulcio, which makes the certificate. */
  readonly fulcioUrl: string | undefined;
  /** The URL of Rekor, the log of signatures. */
  readonly rekorUrl: string | undefined;
}

const AUDIENCE = 'sigstore';

/**
 * Signs bytes with a key that is thrown away and a certificate that names who did it, and has the signature logged. The CI's
 * identity token says who that is: GitHub Actions with `id-token: write`, Buildkite, or `SIGSTORE_ID_TOKEN`.
 *
 * @returns a Sigstore bundle, as `cosign verify-blob --bundle` takes it
 * @throws BundleError if there is no token, or a service does not do its part
 */
export async function signKeyless(
  signed: Uint8Array,
  { fulcioUrl, rekorUrl }: SigstoreServices,
): Promise<JsonObject> {
  const builder = new MessageSignatureBundleBuilder({
    signer: new FulcioSigner({
      fulcioBaseURL: fulcioUrl ?? DEFAULT_FULCIO_URL,
      identityProvider: new CIContextProvider(AUDIENCE),
    }),
    witnesses: [new RekorWitness({ rekorBaseURL: rekorUrl ?? DEFAULT_REKOR_URL })],
  });
  try {
    const bundle = await builder.create({ data: Buffer.from(signed) });
    return JSON.parse(JSON.stringify(bundleToJSON(bundle))) as JsonObject;
  } catch (error) {
    throw new BundleError(`it cannot be signed without a key: ${causeOf(error)}`, { cause: error });
  }
}

/** The token itself is a secret, and stays out of the message. */
function causeOf(error: unknown): string {
  const code = error instanceof InternalError ? error.code : undefined;
  if (code === 'IDENTITY_TOKEN_READ_ERROR')
    return 'there is no identity token; in GitHub Actions give the job "permissions: {id-token: write}", elsewhere set SIGSTORE_ID_TOKEN';
  if (code === 'IDENTITY_TOKEN_PARSE_ERROR') return 'its identity token is no JSON Web Token';
  const cause = error instanceof InternalError && error.cause instanceof Error ? [error.cause.message] : [];
  return [messageOf(error), ...cause].join(': ');
}
