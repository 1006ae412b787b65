import { type Bundle, openBundle } from '../../../fleet/bundle/bundle.ts';
import { BundleError } from '../../../fleet/bundle/bundle-error.ts';
import { bundleJson, bundleText } from '../../report/bundle.ts';
import type { Arguments } from '../args.ts';
import { EXIT_CODE, type Io } from '../io.ts';
import { printJson } from '../print.ts';
import { readBundle } from './read-bundle.ts';

/** `policy bundle inspect FILE`. */
export async function inspectFile(operands: readonly string[], args: Arguments, io: Io): Promise<number> {
  const { file, bytes } = readBundle(operands, io);
  let bundle: Bundle;
  try {
    bundle = await openBundle(bytes);
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    io.stderr.write(`policy bundle: Cannot read bundle "${file}": ${error.message}\n`);
    return EXIT_CODE.findings;
  }
  if (args.switches.has('json')) printJson(io.stdout, { version: 1, bundle: bundleJson(bundle) });
  else io.stdout.write(bundleText(bundle));
  return EXIT_CODE.ok;
}
