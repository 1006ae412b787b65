import type { Identity } from '../../../fleet/bundle/identity.ts';
import { readPublicKey } from '../../../fleet/bundle/keys.ts';
import type { BundleDemands } from '../../../fleet/bundle/verify-bundle.ts';
import { isVersion } from '../../../lib/version-order.ts';
import { type Arguments, optionValue } from '../args.ts';
import { type Io, UsageError } from '../io.ts';
import { readNamed } from '../read-input.ts';
import { keysIn } from './key-files.ts';

/** The bound of a trusted root. */
export const MAX_TRUSTED_ROOT_BYTES = 4 * 1024 * 1024;

/** A command line's demands on a bundle; undefined if it names nobody who may sign it. */
export function demandsOf(args: Arguments, io: Io): BundleDemands | undefined {
  const keys = keysIn('key', args, io, readPublicKey);
  const atLeast = optionValue(args, 'at-least');
  if (atLeast !== undefined && !isVersion(atLeast))
    throw new UsageError(`Cannot use --at-least "${atLeast}": give a version such as 1.4.0`);
  const identities = identitiesIn(args);
  if (keys.length === 0 && identities.length === 0) return undefined;
  const trustedRoot = optionValue(args, 'trusted-root');
  return {
    keys,
    identities,
    trustedRoot:
      trustedRoot === undefined
        ? undefined
        : readNamed(trustedRoot, 'trusted root', MAX_TRUSTED_ROOT_BYTES, io).toString('utf8'),
    withdrawn: keysIn('withdrawn', args, io, readPublicKey),
    nowMs: Date.now(),
    name: optionValue(args, 'name'),
    atLeast,
  };
}

function identitiesIn(args: Arguments): readonly Identity[] {
  const subject = optionValue(args, 'certificate-identity');
  const issuer = optionValue(args, 'certificate-oidc-issuer');
  if (subject !== undefined && issuer !== undefined) return [{ subject, issuer }];
  if (subject === undefined && issuer === undefined) return [];
  throw new UsageError(
    'Cannot tell who may sign: give both --certificate-identity and --certificate-oidc-issuer',
  );
}
