import { readPublicKey } from '../../bundle/keys.ts';
import type { Demands } from '../../bundle/verify-bundle.ts';
import { isVersion } from '../../lib/version-order.ts';
import { type Arguments, optionValue } from '../args.ts';
import type { Io } from '../io.ts';
import { UsageError } from '../usage-error.ts';
import { keysIn } from './read-key.ts';

/** What a command line demands of a bundle; undefined if it names nobody who may sign it. */
export function demandsOf(args: Arguments, io: Io): Demands | undefined {
  const keys = keysIn('key', args, io, readPublicKey);
  const atLeast = optionValue(args, 'at-least');
  if (atLeast !== undefined && !isVersion(atLeast))
    throw new UsageError(`Cannot use --at-least "${atLeast}": give a version such as 1.4.0`);
  if (keys.length === 0) return undefined;
  return {
    keys,
    withdrawn: keysIn('withdrawn', args, io, readPublicKey),
    nowMs: Date.now(),
    name: optionValue(args, 'name'),
    atLeast,
  };
}
