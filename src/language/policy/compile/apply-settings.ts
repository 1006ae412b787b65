import { didYouMean } from '../../../lib/closest.ts';
import { distinct } from '../../../lib/distinct.ts';
import { itemsOf, type Json } from '../../../lib/json.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { Layer } from '../../../model/policy.ts';
import type { FileDraft, ParameterDraft, SettingDraft } from '../parse/file-draft.ts';
import { typeProblem } from '../schema/parameter-types.ts';
import { problem, warning } from '../yaml/problem.ts';

/** A file as far as settings are concerned. */
interface SettingFile {
  readonly draft: FileDraft;
  readonly file: string;
  readonly layer: Layer;
  /** The folder of the project that it belongs to; undefined where it is trusted. */
  readonly root: string | undefined;
}

/** The values that others have set for the parameters of one file. */
export interface FileSettings<File> {
  readonly owner: File;
  /** All of them, by parameter. */
  readonly values: ReadonlyMap<string, Json>;
  /** Without those that count only where their project is trusted. */
  readonly trusted: ReadonlyMap<string, Json>;
  /** The settings that need trust, by the folder of their project; empty as a rule. */
  readonly foreign: ReadonlyMap<string, readonly SettingDraft[]>;
  readonly settings: readonly SettingDraft[];
}

interface Declared<File> {
  readonly owner: File;
  readonly parameter: ParameterDraft;
  readonly settings: { readonly by: File; readonly setting: SettingDraft }[];
}

/** Finds the settings that the files of a set make for each other, as far as the declarations allow it. */
export function settingsOf<File extends SettingFile>(
  files: readonly File[],
  diagnostics: Diagnostic[],
): readonly FileSettings<File>[] {
  const declared = declaredIn(files, diagnostics);
  for (const by of files) {
    for (const setting of by.draft.settings ?? []) {
      const candidates = declared.get(setting.parameter);
      const found = candidates?.find(({ owner }) => isSameLevel(owner, by)) ?? candidates?.[0];
      const wrong = found === undefined ? unknown(setting, by, files, declared) : refusal(setting, by, found);
      if (wrong !== undefined) diagnostics.push(wrong);
      else found?.settings.push({ by, setting });
    }
  }
  const isSet = [...declared.values()].flat().filter(({ settings }) => settings.length > 0);
  return [...Map.groupBy(isSet, ({ owner }) => owner)].map(([owner, parameters]) => {
    // A project's settings of its own policies can only make them refuse otherwise, as can its policies.
    const isForeign = ({ by }: { readonly by: File }) => by.root !== undefined && by.root !== owner.root;
    const valuesOf = (keep: (each: { readonly by: File }) => boolean) =>
      new Map(parameters.map((each) => [each.parameter.name, effectiveValue(each, keep)]));
    const all = parameters.flatMap(({ settings }) => settings);
    return {
      owner,
      values: valuesOf(() => true),
      trusted: valuesOf((each) => !isForeign(each)),
      foreign: new Map(
        [...Map.groupBy(all.filter(isForeign), ({ by }) => by.root ?? '')].map(([root, settings]) => [
          root,
          settings.map(({ setting }) => setting),
        ]),
      ),
      settings: all.map(({ setting }) => setting),
    };
  });
}

/**
 * Every parameter by id, upper layers first. A layer or project, or a copy in a worktree, may have a file of the same name as
 * another: settings of others do not reach what it declares.
 */
function declaredIn<File extends SettingFile>(
  files: readonly File[],
  diagnostics: Diagnostic[],
): ReadonlyMap<string, readonly Declared<File>[]> {
  const declared = new Map<string, Declared<File>[]>();
  for (const owner of files) {
    for (const parameter of owner.draft.parameters ?? []) {
      const id = `${owner.draft.name}/${parameter.name}`;
      const known = declared.get(id) ?? [];
      const twin = known.find((each) => isSameLevel(each.owner, owner));
      declared.set(id, [...known, { owner, parameter, settings: [] }]);
      if (twin === undefined) continue;
      const message = `Cannot set this "${id}": ${twin.owner.file} declares it as well, and settings are for that one`;
      diagnostics.push(
        warning('parameter', parameter.position, message, 'give one of the files another "name"'),
      );
    }
  }
  return declared;
}

/** True if two files are of the same layer, and of the same project if that is one. */
function isSameLevel(a: SettingFile, b: SettingFile): boolean {
  return a.layer === b.layer && a.root === b.root;
}

function effectiveValue<File>(
  { parameter, settings }: Declared<File>,
  keep: (each: { readonly by: File }) => boolean,
): Json {
  const set = settings.filter(keep).map(({ setting }) => setting.value);
  if (parameter.may !== 'extend') return set.at(-1) ?? parameter.default;
  return distinct([parameter.default, ...set].flatMap(itemsOf));
}

/** Policies of other projects are not here; but if a file is, a setting must be one of its parameters. */
function unknown<File extends SettingFile>(
  { parameter, position }: SettingDraft,
  by: File,
  files: readonly File[],
  declared: ReadonlyMap<string, unknown>,
): Diagnostic | undefined {
  const name = parameter.slice(0, parameter.indexOf('/'));
  const named = files.filter(({ draft }) => draft.name === name);
  const beside = named.find((each) => isSameLevel(each, by));
  const owner = beside ?? named[0];
  if (owner === undefined) return undefined;
  const own = [...declared.keys()].filter((each) => each.startsWith(`${name}/`));
  const hint = didYouMean(parameter, declared.keys(), `its parameters are ${own.join(', ') || 'none'}`);
  const message = `Cannot set "${parameter}": ${owner.file} declares no such parameter`;
  // Another layer may have a file of this name that has nothing to do with the one that is meant.
  return beside === undefined
    ? warning('parameter', position, `${message}; the setting has no effect`, hint)
    : problem('parameter', position, message, hint);
}

function refusal<File extends SettingFile>(
  { parameter: id, value, position }: SettingDraft,
  by: File,
  { owner, parameter, settings }: Declared<File>,
): Diagnostic | undefined {
  const refuse = (why: string, hint?: string) =>
    problem('parameter', position, `Cannot set "${id}": ${why}`, hint);
  if (by === owner) return refuse('this file declares it', 'change its default');
  if (parameter.may === 'nothing')
    return refuse(`${owner.file} allows nobody to`, 'ask for "may: extend" or "may: replace" there');
  const wrong = typeProblem(value, parameter.type);
  if (wrong !== undefined) return refuse(wrong, `its type is ${parameter.type}`);
  const [first] = settings;
  if (parameter.may !== 'replace' || first === undefined) return undefined;
  const why = `Cannot set "${id}": ${first.by.file} has set it already`;
  // A project must not keep a user's own setting from working.
  const isOurs = by.root === undefined || by.root === first.by.root;
  return isOurs
    ? problem('parameter', position, why, 'take one of the two out')
    : warning('parameter', position, `${why}; this one has no effect`, 'take one of the two out');
}
