import { sha256Hex } from '../../../lib/digest.ts';
import type { Steps } from '../../../lib/steps.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { Program } from '../../../model/policy.ts';
import { discover } from '../files/discovery.ts';
import { isMissingModule } from '../files/folders.ts';
import { listingState, listPolicyFiles } from '../files/list-policy-files.ts';
import type { PolicyPlace } from '../files/place.ts';
import { dataState, readDataFile, readPolicyFile } from '../files/read-file.ts';
import type { CompiledSet } from './compiled-set.ts';
import { filesInForce } from './files-in-force.ts';
import type { PackSource } from './packs.ts';
import { type KeptSet, keptText, readKept } from './program-text.ts';
import { digestWith, discoveredDigest } from './set-digest.ts';
import { applyTrust, type TrustLookup } from './trust.ts';

/** Keeps compiled sets between processes. A cache: whatever fails is a miss, nothing throws. */
export interface SetCache {
  readonly read: (digest: string) => string | undefined;
  readonly write: (digest: string, text: string) => void;
}

export interface LoadOptions {
  readonly place: PolicyPlace;
  readonly trust: TrustLookup;
  readonly cache?: SetCache;
  /** Those of this build unless given. */
  readonly packs?: PackSource;
}

/** The policies in force, or every reason why there are none. */
export type LoadResult =
  | {
      readonly ok: true;
      readonly program: Program;
      /** Every file that it was made from, without links, and every link by which it was found. */
      readonly files: readonly string[];
      /**
       * The errors of omitted parts, if an authorised file wants errors to let calls pass: that is about calls that cannot be
       * judged, while the other parts can still refuse. Usually empty.
       */
      readonly broken: readonly Diagnostic[];
    }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/**
 * Loads the policies for the hook, without parsers if nothing has changed; each file is read once. Throws only if the trust
 * store does.
 */
export function* loadProgram({ place, trust, cache, packs }: LoadOptions): Steps<LoadResult> {
  const discovered = yield* discover(place);
  const digest = discoveredDigest(discovered);
  const result = (
    set: CompiledSet,
    setDigest: string,
    beside: Pick<KeptSet, 'extended' | 'locks' | 'data'>,
    broken: readonly Diagnostic[] = [],
  ): LoadResult => {
    const files = filesInForce(discovered, beside);
    const { program } = applyTrust(set, setDigest, trust);
    return { ok: true, program, files, broken };
  };
  const whole = (kept: KeptSet) =>
    result(kept.set, digestWith(digest, kept.extended, [...kept.locks, ...kept.data]), kept);
  const kept = discovered.diagnostics.length === 0 ? yield* keptSet(cache, digest) : undefined;
  if (kept !== undefined) return whole(kept);

  const { compileDiscovered } = loadCompiler();
  const { set, resolved, errors } = yield* compileDiscovered(discovered, place, packs);
  const { data, folders, locks } = resolved;
  const extended = [...resolved.extended].map(([at, { path, root, text }]) => ({
    at,
    path,
    root: root ?? null,
    digest: sha256Hex([text]),
  }));
  const made: KeptSet = { set, extended, folders, locks, data };
  const fatal = errors.filter((error) => !resolved.uninstalled.has(error));
  if (errors.length > 0) {
    const broken = sha256Hex([digest, JSON.stringify(errors)]);
    if (fatal.length === 0) return result(set, broken, made);
    return set.onErrorContinue ? result(set, broken, made, errors) : { ok: false, diagnostics: errors };
  }
  cache?.write(digest, keptText(made));
  return whole(made);
}

/** The kept set of a digest, if the files that it extends are unchanged. Files of packages may be gone: their old text goes on. */
function* keptSet(cache: SetCache | undefined, digest: string): Steps<KeptSet | undefined> {
  const text = cache?.read(digest);
  const kept = text === undefined ? undefined : readKept(text);
  for (const file of kept?.extended ?? []) {
    yield;
    if (!isUnchanged(file) && !isMissingModule(file.at)) return undefined;
  }
  for (const { at, root, levels, state } of kept?.folders ?? []) {
    yield;
    const listing = listPolicyFiles(at, root ?? undefined, levels ?? undefined);
    if (listingState(listing) !== state && !isMissingModule(at)) return undefined;
  }
  for (const { at, root, state } of [...(kept?.locks ?? []), ...(kept?.data ?? [])]) {
    yield;
    if (dataState(readDataFile(at, root ?? undefined)) !== state) return undefined;
  }
  return kept;
}

/** Looked for where the author said: a link on the way may lead elsewhere by now. */
function isUnchanged({ at, path, root, digest }: KeptSet['extended'][number]): boolean {
  const read = readPolicyFile(at, root ?? undefined);
  return read.ok && read.path === path && sha256Hex([read.text]) === digest;
}

/** Most processes find their policies compiled: the compiler and all that it is on are loaded for the others. */
function loadCompiler(): typeof import('./compile-files.ts') {
  return require('./compile-files.ts') as typeof import('./compile-files.ts');
}
