import { resolve } from 'node:path';
import { type BundleParts, buildBundle } from '../../../fleet/bundle/bundle.ts';
import { readSecretKey } from '../../../fleet/bundle/keys.ts';
import { nameProblem } from '../../../fleet/bundle/manifest.ts';
import { kindOf } from '../../../language/policy/files/folders.ts';
import { endOf } from '../../../language/policy/parse/read-exception.ts';
import { isVersion } from '../../../lib/version-order.ts';
import { countOf } from '../../report/layout/quantity.ts';
import { type Arguments, optionValue } from '../args.ts';
import { EXIT_CODE, type Io, UsageError } from '../io.ts';
import { compileFor, policyFolder } from '../policy-place.ts';
import { printErrors } from '../print.ts';
import { writeWhole } from '../write-text.ts';
import { policyFilesIn, testFilesIn } from './folder-files.ts';
import { keysIn } from './key-files.ts';
import { exitCodeOf } from './use-bundle.ts';

/** `policy bundle build [FOLDER]`. */
export async function buildFromFolder(
  [operand, ...others]: readonly string[],
  args: Arguments,
  io: Io,
): Promise<number> {
  const folder = operand ?? policyFolder(io.cwd);
  if (folder === undefined || others.length > 0)
    throw new UsageError('Cannot build a bundle: name one folder with policies');
  const root = resolve(io.cwd, folder);
  if (kindOf(root) !== 'folder')
    throw new UsageError(`Cannot build a bundle of "${folder}": it is not a folder`);
  const { name, version, expires } = metadataOf(args);
  const keys = keysIn('key', args, io, readSecretKey);
  const compiled = compileFor(io, [folder]);
  if (printErrors(compiled, io).length > 0) {
    io.stderr.write('\nCannot bundle policies that cannot be loaded\n');
    return EXIT_CODE.invalidPolicy;
  }
  const files = policyFilesIn(root, compiled);
  const tests = testFilesIn(root);
  const signKeyless = args.switches.has('keyless') ? await keylessOf(args) : undefined;
  return exitCodeOf(
    `build bundle "${name}"`,
    async () => {
      const bytes = await buildBundle({ name, version, expires, files, tests, keys, signKeyless });
      const file = optionValue(args, 'to') ?? `${name}-${version}.tgz`;
      writeWhole(resolve(io.cwd, file), bytes);
      const signers = [
        ...keys.map(({ id }) => `with key ${id}`),
        ...(signKeyless === undefined ? [] : ['without a key']),
      ];
      const signed = signers.length === 0 ? 'not signed' : `signed ${signers.join(' and ')}`;
      io.stdout.write(`Built ${file}: ${countOf(files.size, 'file')}, ${signed}\n`);
    },
    io,
  );
}

async function keylessOf(args: Arguments): Promise<BundleParts['signKeyless']> {
  const { signKeyless } = await import('./sign-keyless.ts');
  const services = { fulcioUrl: optionValue(args, 'fulcio-url'), rekorUrl: optionValue(args, 'rekor-url') };
  return (signed) => signKeyless(signed, services);
}

function metadataOf(args: Arguments) {
  const name = optionValue(args, 'name');
  const version = optionValue(args, 'version');
  if (name === undefined || version === undefined)
    throw new UsageError('Cannot build a bundle: give it a --name and a --version');
  const problem = nameProblem(name);
  if (problem !== undefined) throw new UsageError(`Cannot use --name "${name}": ${problem}`);
  if (!isVersion(version))
    throw new UsageError(`Cannot use --version "${version}": give a version such as 1.4.0 or 2026.11.3`);
  const end = optionValue(args, 'expires');
  return { name, version, expires: end === undefined ? undefined : momentOf(end) };
}

function momentOf(text: string): string {
  const isComplete = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d))?$/.test(text);
  const endMs = isComplete ? endOf(text) : Number.NaN;
  if (Number.isNaN(endMs))
    throw new UsageError(
      `Cannot use --expires "${text}": give a day such as 2027-01-31, or a time such as 2027-01-31T18:00Z`,
    );
  return new Date(endMs).toISOString();
}
