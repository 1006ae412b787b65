import { BundleError } from '../../../fleet/bundle/bundle-error.ts';
import { type VerifiedBundle, verifyBundle } from '../../../fleet/bundle/verify-bundle.ts';
import { bundleJson, signerText } from '../../report/bundle.ts';
import type { Arguments } from '../args.ts';
import { EXIT_CODE, type Io, UsageError } from '../io.ts';
import { printJson } from '../print.ts';
import { demandsOf } from './demands.ts';
import { readBundle } from './read-bundle.ts';

/** `policy bundle verify FILE`. */
export async function verifyFile(operands: readonly string[], args: Arguments, io: Io): Promise<number> {
  const { file, bytes } = readBundle(operands, io);
  const demands = demandsOf(args, io);
  if (demands === undefined)
    throw new UsageError(
      `Cannot verify "${file}": name who may sign it with --key NAME.pub, or --certificate-identity and --certificate-oidc-issuer`,
    );
  const isJson = args.switches.has('json');
  let bundle: VerifiedBundle;
  try {
    bundle = await verifyBundle(bytes, demands);
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    const { message: cause } = error;
    if (isJson) printJson(io.stdout, { version: 1, verified: false, cause, signed_by: null, bundle: null });
    else io.stderr.write(`policy bundle: Cannot use bundle "${file}": ${cause}\n`);
    return EXIT_CODE.findings;
  }
  const { manifest, signedBy } = bundle;
  if (isJson) {
    const shown = bundleJson(bundle);
    printJson(io.stdout, { version: 1, verified: true, cause: null, signed_by: signedBy, bundle: shown });
  } else io.stdout.write(`${manifest.name} ${manifest.version} is signed ${signerText(signedBy)}\n`);
  return EXIT_CODE.ok;
}
