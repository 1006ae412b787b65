import { compareVersions } from '../lib/version-order.ts';
import { type Bundle, openBundle } from './bundle.ts';
import { BundleError } from './bundle-error.ts';
import type { Key } from './keys.ts';
import { isSignedBy } from './signatures.ts';

/** What a bundle has to meet. */
export interface Demands {
  /** Public keys, of which one must have signed it. */
  readonly keys: readonly Key[];
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
  /** The id of the key that counted. */
  readonly signedBy: string;
}

/**
 * Reads a bundle and holds it against what is demanded of it.
 *
 * @throws BundleError with the first thing that is wrong with it
 */
export async function verifyBundle(bytes: Uint8Array, demands: Demands): Promise<VerifiedBundle> {
  const bundle = await openBundle(bytes);
  const signedBy = signerOf(bundle, demands);
  const { name, version, expires } = bundle.manifest;
  if (demands.name !== undefined && name !== demands.name)
    throw new BundleError(`it is the bundle "${name}", not "${demands.name}"`);
  if (expires !== undefined && Date.parse(expires) <= demands.nowMs)
    throw new BundleError(`it expired at ${expires}; ask its team for a newer one`);
  if (demands.atLeast !== undefined && compareVersions(version, demands.atLeast) < 0)
    throw new BundleError(`it is version ${version}, which is older than ${demands.atLeast}`);
  return { ...bundle, signedBy };
}

function signerOf({ signed, signatures }: Bundle, { keys, withdrawn }: Demands): string {
  if (signatures.length === 0) throw new BundleError('it is not signed');
  let cause = `it is signed by nobody who may: its keys are ${signatures.map(({ key }) => key).join(', ')}`;
  for (const signature of signatures) {
    if (withdrawn.some(({ id }) => id === signature.key)) {
      cause = `it is signed with key ${signature.key}, which has been withdrawn`;
      continue;
    }
    const key = keys.find(({ id }) => id === signature.key);
    if (key === undefined) continue;
    if (isSignedBy(key, signed, signature)) return key.id;
    cause = `it has been altered: its signature with key ${signature.key} does not fit`;
  }
  throw new BundleError(cause);
}
