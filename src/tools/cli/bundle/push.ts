import { openBundle } from '../../../fleet/bundle/bundle.ts';
import { BundleError } from '../../../fleet/bundle/bundle-error.ts';
import { pushBundle, REGISTRY_MS } from '../../../fleet/bundle/oci-registry.ts';
import { EXIT_CODE, type Io, UsageError } from '../io.ts';
import { readBundle } from './read-bundle.ts';

/** `policy bundle push FILE oci://HOST/REPOSITORY:TAG`. */
export async function pushFile([operand, to, ...others]: readonly string[], io: Io): Promise<number> {
  if (operand === undefined || to === undefined || others.length > 0)
    throw new UsageError('Cannot push: write push FILE oci://HOST/REPOSITORY:TAG');
  const { file, bytes } = readBundle([operand], io);
  try {
    const { manifest } = await openBundle(bytes);
    const signal = AbortSignal.timeout(REGISTRY_MS);
    const name = await pushBundle(to, bytes, manifest, { env: io.env, signal });
    io.stdout.write(`Pushed ${file}: ${name}\n`);
    return EXIT_CODE.ok;
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    io.stderr.write(`policy bundle: Cannot push "${file}" to "${to}": ${error.message}\n`);
    return EXIT_CODE.findings;
  }
}
