import { resolve } from 'node:path';
import { openBundle } from '../../../fleet/bundle/bundle.ts';
import { BundleError } from '../../../fleet/bundle/bundle-error.ts';
import { pullBundle, REGISTRY_MS } from '../../../fleet/bundle/oci-registry.ts';
import { verifyBundle } from '../../../fleet/bundle/verify-bundle.ts';
import { type Arguments, optionValue } from '../args.ts';
import { EXIT_CODE, type Io, UsageError } from '../io.ts';
import { writeWhole } from '../write-text.ts';
import { demandsOf } from './demands.ts';

/** `policy bundle pull oci://HOST/REPOSITORY:TAG`. */
export async function pullToFile(
  [from, ...others]: readonly string[],
  args: Arguments,
  io: Io,
): Promise<number> {
  if (from === undefined || others.length > 0)
    throw new UsageError(
      'Cannot pull: write pull oci://HOST/REPOSITORY:TAG, or @sha256:… in place of the tag',
    );
  const demands = demandsOf(args, io);
  try {
    const signal = AbortSignal.timeout(REGISTRY_MS);
    const { bytes, digest } = await pullBundle(from, { env: io.env, signal });
    const { manifest } = await (demands === undefined ? openBundle(bytes) : verifyBundle(bytes, demands));
    const file = optionValue(args, 'to') ?? `${manifest.name}-${manifest.version}.tgz`;
    writeWhole(resolve(io.cwd, file), bytes);
    io.stdout.write(`Pulled ${file}: ${digest}${demands === undefined ? ', not verified' : ''}\n`);
    return EXIT_CODE.ok;
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    io.stderr.write(`policy bundle: Cannot pull "${from}": ${error.message}\n`);
    return EXIT_CODE.findings;
  }
}
