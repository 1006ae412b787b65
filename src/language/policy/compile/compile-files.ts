import { dirname } from 'node:path';
import { sha256Of } from '../../../lib/digest.ts';
import type { Json, JsonObject } from '../../../lib/json.ts';
import { runSteps, type Steps } from '../../../lib/steps.ts';
import { compareDiagnostics, type Diagnostic } from '../../../model/diagnostic.ts';
import type { Example, Layer, Program } from '../../../model/policy.ts';
import { plainId } from '../../../model/rule-id.ts';
import { type Discovered, discover, pathsOf } from '../files/discovery.ts';
import type { PolicyPlace } from '../files/place.ts';
import { missingManaged } from '../files/take-managed.ts';
import type { ParameterDraft, SettingDraft } from '../parse/file-draft.ts';
import type { ProgramExample } from '../parse/read-rows.ts';
import { assemble } from './assemble.ts';
import type { CompiledSet, TrustSet } from './compiled-set.ts';
import { type DeclaredItem, declaredIn } from './declared.ts';
import { filesInForce } from './files-in-force.ts';
import type { SourceUse } from './find-in-source.ts';
import { BUILTIN_PACKS, type PackSource } from './packs.ts';
import { type ResolvedSet, resolveSet } from './resolve.ts';
import { digestWith, discoveredDigest } from './set-digest.ts';
import { applyTrust, type TrustLookup } from './trust.ts';

/** A set made of its texts, with all that is wrong with them. */
export interface Compilation {
  readonly set: CompiledSet;
  readonly resolved: ResolvedSet;
  readonly diagnostics: readonly Diagnostic[];
  readonly errors: readonly Diagnostic[];
}

/** Compiles the discovered files and those that they extend. */
export function* compileDiscovered(
  discovered: Discovered,
  place: PolicyPlace,
  packs: PackSource = BUILTIN_PACKS,
): Steps<Compilation> {
  const resolved = yield* resolveSet(discovered, place, packs);
  const { set, diagnostics: clashes } = assemble(resolved.files, resolved.texts, packs);
  const diagnostics = [
    ...discovered.warnings,
    ...resolved.diagnostics,
    ...missingManaged(discovered, resolved.files),
    ...clashes,
  ].sort(compareDiagnostics);
  return { set, resolved, diagnostics, errors: diagnostics.filter(({ severity }) => severity === 'error') };
}

export interface CompileOptions {
  readonly place: PolicyPlace;
  readonly trust: TrustLookup;
  /** Those of this build unless given. */
  readonly packs?: PackSource;
}

/** One file of a set as it counts here. */
export interface EffectiveFile {
  /** As positions name it. */
  readonly file: string;
  readonly layer: Layer;
  /** The SHA-256 of its text, as 64 hex digits; undefined for a pack of this build. */
  readonly digest: string | undefined;
  readonly appliesTo: JsonObject | undefined;
  readonly parameters: readonly EffectiveParameter[];
}

export interface EffectiveParameter extends ParameterDraft {
  /** With the name of its file, as `settings` name it. */
  readonly id: string;
  readonly value: Json;
  /** The files that have set it; none if it has its default. */
  readonly setBy: readonly string[];
}

/** Everything that `check`, `test`, `explain` and `trust` want to know about a set. */
export interface CompiledFiles {
  /** The sound policies, even if others are not. */
  readonly program: Program;
  readonly examples: readonly Example[];
  readonly programExamples: readonly ProgramExample[];
  /** Errors and warnings of all files, sorted. */
  readonly diagnostics: readonly Diagnostic[];
  /** Those errors with which the hook goes on: policies instead of files that are not installed refuse in part. */
  readonly uninstalled: ReadonlySet<Diagnostic>;
  /** Parts that are loaded without effect, sorted. */
  readonly notices: readonly Diagnostic[];
  /** The sets that trust can be recorded for. */
  readonly trustSets: readonly TrustSet[];
  /** The entries of `extends` that name sources. */
  readonly uses: readonly SourceUse[];
  /** In the order in which they count. */
  readonly files: readonly EffectiveFile[];
  /** Every file that it was made from, without links. */
  readonly paths: ReadonlySet<string>;
  /** The same with the links to them, and with the data files, and their targets, of all that is not a project's. */
  readonly inForce: ReadonlySet<string>;
  /** The paths of the data files of its policies, absolute, as they were looked for. */
  readonly dataFiles: readonly string[];
  /** The parts of the files, for a comparison with another version of them. */
  readonly declared: readonly DeclaredItem[];
  /** Folders in which a file that is new, changed or gone may make another set, absolute. */
  readonly folders: ReadonlySet<string>;
  /** The text of every file that positions name. */
  readonly texts: ReadonlyMap<string, string>;
}

export function compileFiles({ place, trust, packs = BUILTIN_PACKS }: CompileOptions): CompiledFiles {
  const discovered = runSteps(discover(place));
  const { set, resolved, diagnostics } = runSteps(compileDiscovered(discovered, place, packs));
  const { program, notices, unset } = applyTrust(
    set,
    digestWith(discoveredDigest(discovered), [], [...resolved.locks, ...resolved.data]),
    trust,
  );
  const paths = [...pathsOf(discovered, resolved.extended.values()), ...resolved.locks.map(({ at }) => at)];
  const dataFiles = resolved.data.map(({ at }) => at);
  const extended = [...resolved.extended].map(([at, { path, root = null }]) => ({ at, path, root }));
  const texts = new Map(resolved.texts.map(({ file, text }) => [file, text]));
  for (const { pack, file } of resolved.files) {
    const text = pack === undefined ? undefined : packs.text(pack);
    if (text !== undefined) texts.set(file, text);
  }
  return {
    program,
    examples: examplesOf(resolved, set),
    programExamples: resolved.files.flatMap(({ draft }) => draft.programs?.examples ?? []),
    diagnostics,
    uninstalled: resolved.uninstalled,
    notices: [...notices].sort(compareDiagnostics),
    trustSets: set.trustSets,
    uses: resolved.uses,
    files: effectiveFiles(resolved, unset),
    paths: new Set(paths),
    inForce: new Set(filesInForce(discovered, { ...resolved, extended })),
    dataFiles,
    declared: declaredIn(resolved.files, program.rules),
    folders: new Set([
      ...[...paths, ...dataFiles].map((path) => dirname(path)),
      ...resolved.folders.map(({ at }) => at),
    ]),
    texts,
  };
}

function effectiveFiles({ files, texts }: ResolvedSet, unset: ReadonlySet<string>): readonly EffectiveFile[] {
  const digests = new Map(texts.map(({ file, text }) => [file, sha256Of(text)]));
  return files.map(({ file, layer, draft, settings }) => {
    const values = unset.has(file) ? settings?.trusted : settings?.values;
    const isForeign = (setting: SettingDraft) =>
      [...(settings?.foreign.values() ?? [])].some((list) => list.includes(setting));
    const counts = settings?.settings.filter((each) => !unset.has(file) || !isForeign(each)) ?? [];
    const parameters = (draft.parameters ?? []).map((parameter): EffectiveParameter => {
      const id = `${draft.name}/${parameter.name}`;
      const setBy = counts.filter((each) => each.parameter === id).map(({ position }) => position.file);
      return { ...parameter, id, value: values?.get(parameter.name) ?? parameter.default, setBy };
    });
    return { file, layer, digest: digests.get(file), appliesTo: draft.appliesTo, parameters };
  });
}

/** The examples of all files but those that others have set, for the policies of their own file that are in force. */
function examplesOf({ files }: ResolvedSet, { rules }: CompiledSet): readonly Example[] {
  const keyOf = (file: string, id: string) => JSON.stringify([file, id]);
  const ids = new Map(rules.map(({ id, position }) => [keyOf(position.file, plainId(id)), id]));
  return files
    .flatMap(({ draft, settings }) => (settings === undefined ? draft.examples : []))
    .flatMap((example) => {
      const ruleId = ids.get(keyOf(example.position.file, example.ruleId));
      return ruleId === undefined ? [] : [{ ...example, ruleId }];
    });
}
