import { BUILD_INFO } from '../generated/build-info.ts';
import { sha256Hex } from '../lib/digest.ts';
import { compareDiagnostics, type Diagnostic } from '../model/diagnostic.ts';
import type { Example, Program } from '../model/policy.ts';
import { assemble, onErrorContinue } from './assemble.ts';
import type { CompiledSet, TrustSet } from './compiled-set.ts';
import { type Discovered, discover, type Place } from './discovery.ts';
import { BUILTIN_PACKS, type PackSource } from './packs.ts';
import { type KeptSet, keptText, readKept } from './program-text.ts';
import { type ResolvedSet, resolveSet } from './resolve.ts';
import { readPolicyFile } from './source.ts';
import { applyTrust, type TrustStore } from './trust.ts';

/** Keeps compiled sets between processes. A cache: whatever fails is a miss, nothing throws. */
export interface SetCache {
  readonly read: (digest: string) => string | undefined;
  readonly write: (digest: string, text: string) => void;
}

export interface LoadOptions {
  readonly place: Place;
  readonly trust: TrustStore;
  readonly cache?: SetCache;
  /** Those of this build unless given. */
  readonly packs?: PackSource;
}

/** The policies in force, or every reason why there are none. */
export type LoadResult =
  | { readonly ok: true; readonly program: Program; readonly notices: readonly Diagnostic[] }
  | {
      readonly ok: false;
      readonly diagnostics: readonly Diagnostic[];
      /** True if a file that may say so, and that could be read, wants errors to let calls pass. */
      readonly onErrorContinue: boolean;
    };

/**
 * Loads the policies for the hook: from the cache if nothing has changed, without any parser or validator; files are
 * read once in either case. Throws only if the trust store does.
 */
export function loadProgram({ place, trust, cache, packs = BUILTIN_PACKS }: LoadOptions): LoadResult {
  const discovered = discover(place);
  const digest = digestOf(discovered);
  const kept = discovered.diagnostics.length === 0 ? keptSet(cache, digest) : undefined;
  if (kept !== undefined)
    return { ok: true, ...applyTrust(kept.set, digestWith(digest, kept.extended), trust) };

  const { set, resolved, errors } = compile(discovered, place, packs);
  if (errors.length > 0) {
    return { ok: false, diagnostics: errors, onErrorContinue: onErrorContinue(resolved.files, []) };
  }
  const extended = resolved.extended.map(({ path, root, text }) => ({
    path,
    root: root ?? null,
    digest: sha256Hex([text]),
  }));
  if (resolved.texts.length > 0) cache?.write(digest, keptText({ set, extended }));
  return { ok: true, ...applyTrust(set, digestWith(digest, extended), trust) };
}

/** Everything that `check`, `test`, `explain` and `trust` want to know about a set. */
export interface CompiledFiles {
  /** The sound policies, even if others are not. */
  readonly program: Program;
  readonly examples: readonly Example[];
  /** Errors and warnings of all files, sorted. */
  readonly diagnostics: readonly Diagnostic[];
  /** Parts that are loaded without effect, sorted. */
  readonly notices: readonly Diagnostic[];
  /** What trust would be recorded for. */
  readonly trustSets: readonly TrustSet[];
  /** The text of every file that positions name. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Compiles a set from its texts. */
export function compileFiles({ place, trust, packs = BUILTIN_PACKS }: LoadOptions): CompiledFiles {
  const discovered = discover(place);
  const { set, resolved, diagnostics } = compile(discovered, place, packs);
  const { program, notices } = applyTrust(set, digestWith(digestOf(discovered), []), trust);
  const texts = new Map(resolved.texts.map(({ file, text }) => [file, text]));
  for (const { pack, file } of resolved.files) {
    const text = pack === undefined ? undefined : packs.text(pack);
    if (text !== undefined) texts.set(file, text);
  }
  return {
    program,
    examples: resolved.files.flatMap(({ draft }) => draft.examples),
    diagnostics,
    notices: [...notices].sort(compareDiagnostics),
    trustSets: set.trustSets,
    texts,
  };
}

interface Compilation {
  readonly set: CompiledSet;
  readonly resolved: ResolvedSet;
  readonly diagnostics: readonly Diagnostic[];
  readonly errors: readonly Diagnostic[];
}

function compile(discovered: Discovered, place: Place, packs: PackSource): Compilation {
  const resolved = resolveSet(discovered, place, packs);
  const { set, diagnostics: clashes } = assemble(resolved.files, resolved.texts, packs);
  const diagnostics = [...resolved.diagnostics, ...clashes].sort(compareDiagnostics);
  return { set, resolved, diagnostics, errors: diagnostics.filter(({ severity }) => severity === 'error') };
}

/** The digest of the build and of all that was discovered, but not of what that extends. */
function digestOf({ found }: Discovered): string {
  const texts: string[] = [];
  const outline = found.map((item) => {
    if ('pack' in item) return ['pack', item.layer, item.pack];
    texts.push(item.text);
    return ['file', item.layer, item.root ?? null, item.path, item.file, item.text.length];
  });
  // The outline says where each text ends, so that they can be hashed as one.
  return sha256Hex([BUILD_INFO.digest, JSON.stringify(outline), texts.join('')]);
}

function digestWith(digest: string, extended: KeptSet['extended']): string {
  if (extended.length === 0) return digest;
  return sha256Hex([digest, ...extended.flatMap((file) => [file.path, file.digest])]);
}

/** The kept set of a digest, if what it extends still says the same. */
function keptSet(cache: SetCache | undefined, digest: string): KeptSet | undefined {
  const text = cache?.read(digest);
  const kept = text === undefined ? undefined : readKept(text);
  return kept?.extended.every(isUnchanged) === true ? kept : undefined;
}

function isUnchanged({ path, root, digest }: KeptSet['extended'][number]): boolean {
  const read = readPolicyFile(path, root ?? undefined);
  return read.ok && read.path === path && sha256Hex([read.text]) === digest;
}
