import { BundleError } from '../../../fleet/bundle/bundle-error.ts';
import { type Key, readPublicKey } from '../../../fleet/bundle/keys.ts';
import { type VerifiedBundle, verifyBundle } from '../../../fleet/bundle/verify-bundle.ts';
import { takenIds } from '../../../language/policy/compile/taken-ids.ts';
import { displayPath, kindOf } from '../../../language/policy/files/folders.ts';
import {
  type ManagedBundle,
  type ManagedRecord,
  managedRecordText,
} from '../../../language/policy/files/managed-record.ts';
import {
  MANAGED_FOLDER,
  MANAGED_RECORD,
  ORGANISATION_FOLDERS,
} from '../../../language/policy/files/organisation.ts';
import { messageOf } from '../../../lib/message-of.ts';
import { readBounded } from '../../../lib/read-bounded.ts';
import { compareVersions } from '../../../lib/version-order.ts';
import { errorsIn } from '../../../model/diagnostic.ts';
import { MAX_TRUSTED_ROOT_BYTES } from '../bundle/demands.ts';
import { EXIT_CODE, type Io } from '../io.ts';
import { compileFor } from '../policy-place.ts';
import { fetchBundle } from './fetch-bundle.ts';
import type { Managed } from './managed.ts';
import { managedFolders, readRecord } from './managed-record.ts';
import { type ManagedStore, withManagedStore } from './managed-store.ts';

/** Fetches the managed bundle and puts it in force; whatever is wrong with it, the one that is in force stays. */
export function putInForce(managed: Managed, io: Io): Promise<number> {
  return withManagedStore(MANAGED_FOLDER, async (store) => {
    const before = readRecord();
    const [inForce] = managedFolders();
    try {
      const bundle = await fetchVerified(managed, before?.bundle, io);
      const folder = store.keep(bundle.files);
      checkLoads(folder, io);
      const { name, version } = bundle.manifest;
      store.write(MANAGED_RECORD, managedRecordText(recordOf(bundle, managed)));
      store.prune(folder, inForce);
      const isNew = before?.bundle?.digest !== bundle.manifest.digest || before.bundle.version !== version;
      io.stdout.write(`${name} ${version} is in force${isNew ? ' now' : ': there is nothing newer'}\n`);
      return EXIT_CODE.ok;
    } catch (error) {
      if (!(error instanceof BundleError)) throw error;
      store.write(MANAGED_RECORD, managedRecordText(withoutNew(before, managed)));
      const stays =
        before?.bundle === undefined
          ? 'there is none in force'
          : `${before.bundle.name} ${before.bundle.version} stays in force`;
      io.stderr.write(
        `policy sync: Cannot take the bundle at "${managed.url}": ${error.message}; ${stays}\n`,
      );
      return EXIT_CODE.findings;
    }
  });
}

/** Takes the bundle out of force, after the organisation manages none any more. */
export function takeOutOfForce({ stdout }: Io): Promise<number> {
  return withManagedStore(MANAGED_FOLDER, async (store: ManagedStore) => {
    store.remove(MANAGED_RECORD);
    stdout.write('The organisation manages no bundle any more: it is no longer in force\n');
    return EXIT_CODE.ok;
  });
}

async function fetchVerified(
  managed: Managed,
  current: ManagedBundle | undefined,
  { env }: Io,
): Promise<VerifiedBundle> {
  const keys = keysOf(managed.keys);
  const bytes = await fetchBundle(managed.url, env);
  // A machine goes on with the bundle that it has, unless its organisation names another.
  const name = managed.name ?? current?.name;
  const last = current?.name === name ? current : undefined;
  const bundle = await verifyBundle(bytes, {
    keys,
    identities: managed.identities,
    trustedRoot: trustedRootOf(managed),
    withdrawn: keysOf(managed.withdrawn),
    nowMs: Date.now(),
    name,
    atLeast: last?.version,
  });
  const { version, digest } = bundle.manifest;
  if (last !== undefined && compareVersions(version, last.version) === 0 && digest !== last.digest)
    throw new BundleError(
      `it has other files than the version ${version} that is in force; give it a version of its own`,
    );
  return bundle;
}

function trustedRootOf({ trustedRoot }: Managed): string | undefined {
  if (trustedRoot === undefined) return undefined;
  try {
    return readBounded(trustedRoot, MAX_TRUSTED_ROOT_BYTES).toString('utf8');
  } catch (error) {
    throw new BundleError(`Cannot read the trusted root "${trustedRoot}": ${messageOf(error)}`);
  }
}

function keysOf(texts: readonly string[]): readonly Key[] {
  return texts.map(readPublicKey);
}

/** With the organisation's own files: says which policies hold under other ids because of these. */
function checkLoads(folder: string, io: Io): void {
  const own = ORGANISATION_FOLDERS.filter((each) => kindOf(each) === 'folder');
  const compiled = compileFor(io, [...own, folder]);
  const [wrong] = errorsIn(compiled.diagnostics);
  if (wrong === undefined) {
    for (const { message } of takenIds(compiled)) io.stderr.write(`policy sync: ${message}\n`);
    return;
  }
  const { line, column } = wrong.position;
  const file = displayPath(wrong.position.file, folder);
  throw new BundleError(`it cannot be loaded: ${file}:${line}:${column} ${wrong.message}`);
}

function recordOf({ manifest, signedBy }: VerifiedBundle, managed: Managed): ManagedRecord {
  const { name, version, digest, expires } = manifest;
  const checked = new Date().toISOString();
  return withStale({ name, version, digest, signedBy, expires }, checked, managed);
}

/** The same bundle, judged by the organisation's present limit on its age. */
function withoutNew(before: ManagedRecord | undefined, managed: Managed): ManagedRecord {
  const record = withStale(before?.bundle, before?.checked, managed);
  // Without any bundle, calls would pass as if there were no organisation.
  return record.bundle === undefined ? { ...record, staleAt: new Date(0).toISOString() } : record;
}

function withStale(
  bundle: ManagedBundle | undefined,
  checked: string | undefined,
  { maxAgeMs, onStale }: Managed,
): ManagedRecord {
  const ends = bundle?.expires === undefined ? [] : [Date.parse(bundle.expires)];
  if (maxAgeMs !== undefined && checked !== undefined) ends.push(Date.parse(checked) + maxAgeMs);
  const staleAt = ends.length === 0 ? undefined : new Date(Math.min(...ends)).toISOString();
  return { bundle, checked, staleAt, onStale };
}
