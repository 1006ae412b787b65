import { resolve } from 'node:path';
import { MAX_ARCHIVE_BYTES } from '../../../fleet/bundle/archive.ts';
import { type Bundle, openBundle } from '../../../fleet/bundle/bundle.ts';
import { BundleError } from '../../../fleet/bundle/bundle-error.ts';
import { pullBundle, pushBundle, REGISTRY_MS } from '../../../fleet/bundle/oci-registry.ts';
import type { Signature } from '../../../fleet/bundle/signatures.ts';
import { verifyBundle } from '../../../fleet/bundle/verify-bundle.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { countOf } from '../../report/layout/quantity.ts';
import { type Arguments, optionValue } from '../args.ts';
import { EXIT_CODE, type Io, UsageError } from '../io.ts';
import { printJson } from '../print.ts';
import { readNamed } from '../read-input.ts';
import { writeWhole } from '../write-text.ts';
import { demandsOf } from './demands.ts';

/** `policy bundle verify FILE`. */
export function verifyFile(operands: readonly string[], args: Arguments, io: Io): Promise<number> {
  const { file, bytes } = readBundle(operands, io);
  const demands = demandsOf(args, io);
  if (demands === undefined)
    throw new UsageError(
      `Cannot verify "${file}": name who may sign it with --key NAME.pub, or --certificate-identity and --certificate-oidc-issuer`,
    );
  const print = args.switches.has('json')
    ? (cause: string | null, by: string | null, bundle: ReturnType<typeof bundleJson> | null) =>
        printJson(io.stdout, {
          verified: cause === null,
          cause,
          signed_by: by,
          bundle,
        })
    : undefined;
  const work = async () => {
    const bundle = await verifyBundle(bytes, demands);
    const { manifest, signedBy } = bundle;
    if (print !== undefined) print(null, signedBy, bundleJson(bundle));
    else io.stdout.write(`${manifest.name} ${manifest.version} is signed ${signerText(signedBy)}\n`);
  };
  return exitCodeOf(`use bundle "${file}"`, work, io, print && ((cause) => print(cause, null, null)));
}

/** `policy bundle inspect FILE`. */
export function inspectFile(operands: readonly string[], args: Arguments, io: Io): Promise<number> {
  const { file, bytes } = readBundle(operands, io);
  return exitCodeOf(
    `read bundle "${file}"`,
    async () => {
      const bundle = await openBundle(bytes);
      if (args.switches.has('json')) printJson(io.stdout, { bundle: bundleJson(bundle) });
      else io.stdout.write(bundleText(bundle));
    },
    io,
  );
}

/** `policy bundle push FILE oci://HOST/REPOSITORY:TAG`. */
export function pushFile([operand, to, ...others]: readonly string[], io: Io): Promise<number> {
  if (operand === undefined || to === undefined || others.length > 0)
    throw new UsageError('Cannot push: write push FILE oci://HOST/REPOSITORY:TAG');
  const { file, bytes } = readBundle([operand], io);
  return exitCodeOf(
    `push "${file}" to "${to}"`,
    async () => {
      const { manifest } = await openBundle(bytes);
      const signal = AbortSignal.timeout(REGISTRY_MS);
      const name = await pushBundle(to, bytes, manifest, { env: io.env, signal });
      io.stdout.write(`Pushed ${file}: ${name}\n`);
    },
    io,
  );
}

/** `policy bundle pull oci://HOST/REPOSITORY:TAG`. */
export function pullToFile([from, ...others]: readonly string[], args: Arguments, io: Io): Promise<number> {
  if (from === undefined || others.length > 0)
    throw new UsageError(
      'Cannot pull: write pull oci://HOST/REPOSITORY:TAG, or @sha256:… in place of the tag',
    );
  const demands = demandsOf(args, io);
  return exitCodeOf(
    `pull "${from}"`,
    async () => {
      const signal = AbortSignal.timeout(REGISTRY_MS);
      const { bytes, digest } = await pullBundle(from, { env: io.env, signal });
      const { manifest } = await (demands === undefined ? openBundle(bytes) : verifyBundle(bytes, demands));
      const file = optionValue(args, 'to') ?? `${manifest.name}-${manifest.version}.tgz`;
      writeWhole(resolve(io.cwd, file), bytes);
      io.stdout.write(`Pulled ${file}: ${digest}${demands === undefined ? ', not verified' : ''}\n`);
    },
    io,
  );
}

/** Does something with a bundle, and says why it cannot be done if it is the bundle's or the registry's fault. */
export async function exitCodeOf(
  what: string,
  work: () => Promise<void>,
  { stderr }: Pick<Io, 'stderr'>,
  tell: (cause: string) => void = (cause) => stderr.write(`policy bundle: Cannot ${what}: ${cause}\n`),
): Promise<number> {
  try {
    await work();
    return EXIT_CODE.ok;
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    tell(error.message);
    return EXIT_CODE.findings;
  }
}

/** The one file that operands name, and its bytes: no more of them than a bundle may have. */
function readBundle([file, ...others]: readonly string[], io: Io) {
  if (file === undefined || others.length > 0) throw new UsageError('Cannot read a bundle: name one file');
  return { file, bytes: readNamed(file, 'bundle', MAX_ARCHIVE_BYTES, io) };
}

/** A bundle's description, as data. */
function bundleJson({ manifest, signatures, files }: Bundle): JsonObject {
  const { name, version, expires = null, digest, tests = null } = manifest;
  return {
    name,
    version,
    expires,
    digest,
    tests_digest: tests,
    signatures: signatures.map(signatureName),
    files: [...files].map(([path, { length }]) => ({ path, bytes: length })),
  };
}

/** The id of its key; `keyless` if it has none. */
function signatureName(signature: Signature): string {
  return 'key' in signature ? signature.key : 'keyless';
}

/** Names the signer of a bundle: the id of a key, or the subject of a certificate. */
function signerText(signedBy: string): string {
  return /^[0-9a-f]{16}$/.test(signedBy) ? `with key ${signedBy}` : `by ${signedBy}`;
}

/** The same for people. */
function bundleText({ manifest, signatures, files }: Bundle): string {
  const { name, version, expires, digest, tests } = manifest;
  const rows = [
    ['bundle', `${name} ${version}`],
    ['expires', expires ?? 'never'],
    ['digest', digest],
    ['tests', tests ?? 'none'],
    ['signatures', signatures.map(signatureName).join(', ') || 'none'],
  ];
  const head = rows.map(([label = '', value]) => `${label.padEnd(12)}${value}\n`).join('');
  const list = [...files.keys()].map((path) => `  ${path}\n`).join('');
  return `${head}${countOf(files.size, 'file')}\n${list}`;
}
