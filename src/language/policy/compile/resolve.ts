import { basename } from 'node:path';
import { closest, suggestionOr } from '../../../lib/closest.ts';
import type { Json } from '../../../lib/json.ts';
import type { Steps } from '../../../lib/steps.ts';
import type { Diagnostic, DiagnosticCode } from '../../../model/diagnostic.ts';
import type { Layer } from '../../../model/policy.ts';
import type { Discovered } from '../files/discovery.ts';
import { isMissingModule } from '../files/folders.ts';
import { packIn } from '../files/pack-names.ts';
import type { PolicyPlace } from '../files/place.ts';
import type { PolicyText } from '../files/policy-text.ts';
import type { FileDraft, Named, RuleDraft } from '../parse/file-draft.ts';
import { parseSteps } from '../parse/parse.ts';
import { withoutRevision } from '../sources/source-name.ts';
import type { TextSource } from '../sources/text-source.ts';
import { problem, startOf, warning } from '../yaml/problem.ts';
import { type FileSettings, settingsOf } from './apply-settings.ts';
import { extendedBase, findExtended, isFromSource, readExtended } from './extended.ts';
import type { SourceReader, SourceUse } from './find-in-source.ts';
import type { ExtendedPlace } from './found-extended.ts';
import { isAbove } from './is-above.ts';
import { installCommand, missingModuleRules } from './missing-modules.ts';
import type { PackSource } from './packs.ts';
import { type DataReader, withData } from './policy-data.ts';
import type { DataFile, ExtendedFolder } from './program-text.ts';

export interface SetFile {
  readonly draft: FileDraft;
  /** How positions name it. */
  readonly file: string;
  /** Absolute path without links, or `builtin:NAME`. */
  readonly path: string;
  readonly layer: Layer;
  readonly root: string | undefined;
  /** The name if it is a pack of this build. */
  readonly pack: string | undefined;
  readonly source?: TextSource | undefined;
  readonly data: readonly DataFile[];
  /** The values that others give its parameters; its examples are about its own. */
  readonly settings?: FileSettings<SetFile>;
  /** Its policies where the projects are not trusted that have set its parameters, by id. */
  readonly unset?: ReadonlyMap<string, RuleDraft>;
}

/** The files of a set, each after those that it extends. */
export interface ResolvedSet {
  readonly files: readonly SetFile[];
  /** Every text that was read, those of extended files included. */
  readonly texts: readonly PolicyText[];
  /** Extended files, by where they were looked for, unless they were found there anyway. */
  readonly extended: ReadonlyMap<string, PolicyText>;
  /** Folders of which policy files are extended. */
  readonly folders: readonly ExtendedFolder[];
  /** The entries that name sources. */
  readonly uses: readonly SourceUse[];
  /** Every lock that was looked for, once. */
  readonly locks: readonly DataFile[];
  /** Every data file, once. */
  readonly data: readonly DataFile[];
  readonly diagnostics: readonly Diagnostic[];
  /** Those that are about files of packages that are not installed: policies in their place refuse all that they could decide. */
  readonly uninstalled: ReadonlySet<Diagnostic>;
}

const MAX_FILES = 10_000;
const MAX_EXTENDS_DEPTH = 100;

/** Parses the discovered files and loads those that they extend. A file counts once, in the layer that names it first. */
export function* resolveSet(
  { found, diagnostics, allowance }: Discovered,
  place: PolicyPlace,
  packs: PackSource,
): Steps<ResolvedSet> {
  const texts = found.flatMap((item) => ('pack' in item ? [] : [item]));
  const state: State = {
    place,
    packs,
    allowance,
    discovered: new Set(texts.map(({ path }) => path)),
    read: new Map(texts.map(({ path, text }) => [path, text])),
    loaded: new Set(),
    files: [],
    texts: [],
    extended: new Map(),
    folders: [],
    uses: [],
    locks: new Map(),
    opened: new Map(),
    dataRead: new Map(),
    diagnostics: [...diagnostics],
    uninstalled: new Set(),
    held: new Map(),
  };
  for (const item of found) {
    if ('pack' in item) loadPack(item.pack, item.layer, undefined, [], state, undefined);
    else yield* loadText(item, [], state);
  }
  yield* applySettings(state);
  const fileOf = ({ file }: { readonly file: DataFile }) => file;
  return {
    ...state,
    data: [...state.dataRead.values()].map(fileOf),
    locks: [...state.locks.values()].map(fileOf),
  };
}

interface State extends DataReader, SourceReader {
  readonly packs: PackSource;
  readonly discovered: ReadonlySet<string>;
  readonly read: Map<string, string>;
  readonly loaded: Set<string>;
  readonly files: SetFile[];
  readonly texts: PolicyText[];
  readonly extended: Map<string, PolicyText>;
  readonly folders: ExtendedFolder[];
  readonly uninstalled: Set<Diagnostic>;
  /** The first of each file of a source, whatever its version. */
  readonly held: Map<string, PolicyText>;
}

/** A file on the way to the one that is being loaded. */
interface Ancestor {
  readonly key: string;
  readonly file: string;
}

function* loadText(text: PolicyText, way: readonly Ancestor[], state: State): Steps<void> {
  if (state.loaded.has(text.path)) return;
  state.loaded.add(text.path);
  state.texts.push(text);
  const baseName = basename(text.path).replace(/\.ya?ml$/, '');
  const allowance = text.root === undefined ? undefined : state.allowance;
  const { draft, diagnostics } = yield* parseSteps(text.text, text.file, baseName, allowance);
  state.diagnostics.push(...diagnostics);
  if (draft === undefined) return;
  const here = [...way, { key: text.path, file: text.file }];
  const { rules, data } = withData(draft, text, state);
  const all = [...rules];
  for (const name of draft.extends) {
    yield* extend(name, text, here, state);
    const path = missingModule(name.text, text);
    if (path !== undefined) all.push(...missingModuleRules(draft.name, name.text, path, name.position));
  }
  const { file, path, layer, root, source } = text;
  if (isHeldAbove(text, state)) return;
  state.files.push({
    draft: { ...draft, rules: all },
    file,
    path,
    layer,
    root,
    pack: undefined,
    source,
    data,
  });
}

/** True if an upper layer has this file of a source, in any version; that one counts. Reports a difference. */
function isHeldAbove(text: PolicyText, state: State): boolean {
  const { source, file } = text;
  if (source === undefined) return false;
  const key = JSON.stringify([withoutRevision(source.name), text.path.slice(source.stored.folder.length)]);
  const upper = state.held.get(key);
  if (upper === undefined) state.held.set(key, text);
  if (upper === undefined || !isAbove(upper, text)) return false;
  if (upper.source?.stored.folder !== source.stored.folder) {
    const message = `Cannot use "${file}" here: the ${upper.layer} has ${upper.file}, which holds; this one is left out`;
    state.diagnostics.push(
      warning('duplicate-id', startOf(file), message, 'extend the same version in both'),
    );
  }
  return true;
}

/** Reads files again whose parameters others have set, with the values that these have given. */
function* applySettings(state: State): Steps<void> {
  for (const settings of settingsOf(state.files, state.diagnostics)) {
    const { owner, values, trusted, foreign } = settings;
    const text = textOf(owner, state);
    if (text === undefined) continue;
    const { rules, facts } = yield* draftWith(values, text, settings, state);
    const unset = foreign.size === 0 ? undefined : yield* draftWith(trusted, text, settings, state);
    // Other files see its facts as those set them whom nobody has to trust.
    const seen = unset === undefined ? facts : unset.facts;
    const draft = { ...owner.draft, rules, ...(seen === undefined ? {} : { facts: seen }) };
    const set: SetFile = { ...owner, draft, settings };
    state.files[state.files.indexOf(owner)] =
      unset === undefined ? set : { ...set, unset: new Map(unset.rules.map((rule) => [rule.id, rule])) };
  }
}

/** The text of a file; a pack is compiled, so its text is looked for when somebody sets a parameter of it. */
function textOf({ file, path, layer, root, pack }: SetFile, { packs, texts }: State): PolicyText | undefined {
  if (pack === undefined) return texts.find((text) => text.file === file);
  const text = packs.text(pack);
  return text === undefined ? undefined : { file, path, layer, root, text };
}

/** The policies and facts of a file with these values; those that it declares if the values do not work, which is said then. */
function* draftWith(
  values: ReadonlyMap<string, Json>,
  text: PolicyText,
  { owner: { draft }, settings }: FileSettings<SetFile>,
  state: State,
): Steps<Pick<FileDraft, 'rules' | 'facts'>> {
  const allowance = text.root === undefined ? undefined : state.allowance;
  const parsed = yield* parseSteps(text.text, text.file, draft.name, allowance, values);
  const known = new Set(state.diagnostics.map((each) => JSON.stringify(each)));
  const found = parsed.diagnostics.find((each) => !known.has(JSON.stringify(each)));
  if (parsed.draft === undefined || found !== undefined) {
    const names = settings.map(({ parameter }) => `"${parameter}"`).join(', ');
    const position = settings[0]?.position ?? startOf(text.file);
    const place =
      found === undefined ? text.file : `${text.file}:${found.position.line}:${found.position.column}`;
    const message = `Cannot set ${names}: with that ${place} says: ${found?.message ?? 'nothing that can be used'}`;
    state.diagnostics.push(problem('parameter', position, message));
    return draft;
  }
  const { rules } = withData(parsed.draft, text, { ...state, diagnostics: [] });
  const ids = new Set(rules.map(({ id }) => id));
  // The draft adds those for files of packages that are not installed.
  return { ...parsed.draft, rules: [...rules, ...draft.rules.filter(({ id }) => !ids.has(id))] };
}

function loadPack(
  pack: string,
  layer: Layer,
  root: string | undefined,
  way: readonly Ancestor[],
  state: State,
  by: Named | undefined,
): void {
  const key = `builtin:${pack}`;
  if (state.loaded.has(key)) return;
  const draft = state.packs.draft(pack);
  if (draft === undefined) {
    const near = closest(pack, state.packs.names);
    const hint = suggestionOr(near && `builtin:${near}`, `use one of ${state.packs.names.join(', ')}`);
    const position = by?.position ?? startOf(key);
    state.diagnostics.push(problem('extends', position, `Cannot load "${key}": there is no such pack`, hint));
    return;
  }
  state.loaded.add(key);
  const here = [...way, { key, file: key }];
  for (const name of draft.extends) {
    const other = packIn(name.text);
    if (other !== undefined && !closesCycle(name, `builtin:${other}`, here, state)) {
      loadPack(other, layer, root, here, state, name);
    }
  }
  state.files.push({ draft, file: key, path: key, layer, root, pack, data: [] });
}

function* extend(name: Named, by: PolicyText, way: readonly Ancestor[], state: State): Steps<void> {
  yield;
  const pack = packIn(name.text);
  if (pack !== undefined) {
    loadPack(pack, by.layer, by.root, way, state, name);
    return;
  }
  const complain = (cause: string, code: DiagnosticCode = 'extends', hint?: string) => {
    const path = missingModule(name.text, by);
    const install = path === undefined ? hint : `run ${installCommand(path)}`;
    const diagnostic = problem(code, name.position, `Cannot extend "${name.text}": ${cause}`, install);
    state.diagnostics.push(diagnostic);
    if (path !== undefined) state.uninstalled.add(diagnostic);
  };
  const found = findExtended(name, by, state);
  if (found === undefined) return;
  if ('cause' in found) return complain(found.cause, found.code, found.hint);
  if (found.folder !== undefined) state.folders.push(found.folder);
  for (const place of found.places) {
    yield;
    const cause = yield* extendFile(place, name, by, way, state);
    if (cause !== undefined) return complain(cause);
  }
}

/** The path of a missing file that a package manager brings. */
function missingModule(name: string, by: PolicyText): string | undefined {
  if (packIn(name) !== undefined || isFromSource(name, by)) return undefined;
  const path = extendedBase(name, by);
  return isMissingModule(path) ? path : undefined;
}

/** Loads one file that is extended, or reports its fault unless that has been done. */
function* extendFile(
  place: ExtendedPlace | PolicyText,
  name: Named,
  by: PolicyText,
  way: readonly Ancestor[],
  state: State,
): Steps<string | undefined> {
  if (state.loaded.size > MAX_FILES) return `the set has more than ${MAX_FILES} files`;
  if (way.length > MAX_EXTENDS_DEPTH)
    return `files extend each other over more than ${MAX_EXTENDS_DEPTH} levels`;
  const text = readExtended(place, by, state);
  if (text === undefined) return undefined;
  if ('cause' in text) return text.cause;
  if (closesCycle(name, text.path, way, state)) return undefined;
  if ('at' in place && !state.discovered.has(place.at)) state.extended.set(place.at, text);
  state.read.set(text.path, text.text);
  yield* loadText(text, way, state);
  return undefined;
}

function closesCycle(name: Named, key: string, way: readonly Ancestor[], state: State): boolean {
  const start = way.findIndex((ancestor) => ancestor.key === key);
  if (start === -1) return false;
  const circle = [...way.slice(start), way[start]].map((ancestor) => ancestor?.file ?? '').join(' > ');
  const message = `Cannot extend "${name.text}": the files extend each other in a circle`;
  state.diagnostics.push(problem('extends', name.position, message, `the circle is ${circle}`));
  return true;
}
