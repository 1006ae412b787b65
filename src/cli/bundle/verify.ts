import { BundleError } from '../../bundle/bundle-error.ts';
import { readPublicKey } from '../../bundle/keys.ts';
import { type VerifiedBundle, verifyBundle } from '../../bundle/verify-bundle.ts';
import { isVersion } from '../../lib/version-order.ts';
import { bundleJson } from '../../report/bundle.ts';
import { type Arguments, optionValue } from '../args.ts';
import { EXIT_CODE } from '../exit-code.ts';
import type { Io } from '../io.ts';
import { printJson } from '../print.ts';
import { UsageError } from '../usage-error.ts';
import { readBundle } from './read-bundle.ts';
import { keysIn } from './read-key.ts';

/** `policy bundle verify FILE`. */
export async function verifyFile(operands: readonly string[], args: Arguments, io: Io): Promise<number> {
  const { file, bytes } = readBundle(operands, io);
  const keys = keysIn('key', args, io, readPublicKey);
  if (keys.length === 0)
    throw new UsageError(`Cannot verify "${file}": name who may sign it with --key NAME.pub`);
  const atLeast = optionValue(args, 'at-least');
  if (atLeast !== undefined && !isVersion(atLeast))
    throw new UsageError(`Cannot use --at-least "${atLeast}": give a version such as 1.4.0`);
  const isJson = args.switches.has('json');
  let bundle: VerifiedBundle;
  try {
    bundle = await verifyBundle(bytes, {
      keys,
      withdrawn: keysIn('withdrawn', args, io, readPublicKey),
      nowMs: Date.now(),
      name: optionValue(args, 'name'),
      atLeast,
    });
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    if (isJson)
      printJson(io.stdout, {
        version: 1,
        verified: false,
        cause: error.message,
        signed_by: null,
        bundle: null,
      });
    else io.stderr.write(`policy bundle: Cannot use bundle "${file}": ${error.message}\n`);
    return EXIT_CODE.findings;
  }
  const { name, version } = bundle.manifest;
  if (isJson)
    printJson(io.stdout, {
      version: 1,
      verified: true,
      cause: null,
      signed_by: bundle.signedBy,
      bundle: bundleJson(bundle),
    });
  else io.stdout.write(`${name} ${version} is signed with key ${bundle.signedBy}\n`);
  return EXIT_CODE.ok;
}
