import { stringsIn } from '../lib/json-path.ts';
import type { Event, ToolCall, ToolClass } from '../model/event.ts';
import type { Facts } from '../model/facts.ts';
import { filesInEnvelope } from '../reading/patch-text.ts';
import { resolvePath } from '../reading/path.ts';
import type { PathUse, ReadCommand } from '../reading/reading.ts';
import { joinWords, outsideVariable, textWord, type Word } from '../reading/word.ts';
import { argumentValues } from './argument-values.ts';
import { TRAITS } from './reading-summary.ts';
import { type ShellText, shellTexts, workingDirectory } from './shell-reading.ts';
import type { UsedPath } from './used-path.ts';

/** What tools of a class do with their path. */
const USE_BY_CLASS: Readonly<Partial<Record<ToolClass, PathUse>>> = {
  read: 'read',
  message: 'read',
  write: 'write',
  edit: 'write',
  list: 'list',
  search: 'read',
};

/** The paths that a call uses. */
export interface CallPaths {
  readonly paths: readonly UsedPath[];
  /** What is done to them; with undefined where it could be anything. */
  readonly uses: ReadonlySet<PathUse | undefined>;
  /** False if there may be more paths than these. */
  readonly complete: boolean;
}

const remembered = new WeakMap<Event, CallPaths>();

/**
 * The paths that a call uses, in the arguments of file tools and in the commands of shell tools alike. What a program
 * that is not known does with a path is not known either. Collected once per event.
 */
export function callPaths(facts: Facts): CallPaths {
  let known = remembered.get(facts.event);
  if (known === undefined) {
    known = collect(facts);
    remembered.set(facts.event, known);
  }
  return known;
}

function collect(facts: Facts): CallPaths {
  const call = facts.event.tool;
  if (call === undefined) return { paths: [], uses: new Set(), complete: true };
  const texts = shellTexts(facts);
  if (call.arguments === undefined || texts === 'unknown')
    return { paths: [], uses: new Set(), complete: false };
  const inCommands = (texts ?? []).flatMap(textPaths);
  const paths = [...argumentPaths(call, facts), ...inCommands];
  return {
    paths,
    uses: new Set(paths.map(({ use }) => use)),
    complete: (texts ?? []).every(({ summary }) => !summary.hasGaps),
  };
}

const ANY_PATH =
  TRAITS.read | TRAITS.write | TRAITS.empty | TRAITS.delete | TRAITS.list | TRAITS.execute | TRAITS.mention;

function textPaths({ summary, reading }: ShellText): readonly UsedPath[] {
  return (summary.traits & ANY_PATH) === 0 ? [] : reading().commands.flatMap(commandPaths);
}

function commandPaths({ name, effects }: ReadCommand): readonly UsedPath[] {
  return effects.flatMap((effect): readonly UsedPath[] => {
    if (effect.type !== 'path') return [];
    return name === undefined && effect.use === 'mention' ? [{ ...effect, use: undefined }] : [effect];
  });
}

function argumentPaths(call: ToolCall, facts: Facts): readonly UsedPath[] {
  const cwd = workingDirectory(facts.event, facts.surroundings);
  const base = { cwd: cwd === undefined ? undefined : textWord(cwd), home: facts.surroundings.home };
  const written = argumentValues(call, ['path']).flatMap((value) =>
    typeof value === 'string' ? [value] : stringsIn(value),
  );
  const patched = patchesIn(call)
    .flatMap(filesInEnvelope)
    .map(({ path, use }) => ({
      use,
      path: resolvePath(pathWord(path), base),
      recursive: false,
      only: undefined,
      chosen: false,
    }));
  const named = written.flatMap((path) => {
    const resolved = resolvePath(pathWord(path), base);
    return usesOf(call).map(({ use, recursive }) => ({
      use,
      path: resolved,
      recursive,
      only: undefined,
      chosen: false,
    }));
  });
  return [...named, ...patched];
}

const PATCH_ARGUMENTS = ['input', 'patch', 'patch_text', 'patchText'];

/** The patches that a tool is given which applies them. */
function patchesIn(call: ToolCall): readonly string[] {
  if (!/apply_?patch$/i.test(call.name)) return [];
  return PATCH_ARGUMENTS.flatMap((name) => argumentValues(call, [name])).filter(
    (value) => typeof value === 'string',
  );
}

/** Tools take `~` for the home directory, as shells do. */
function pathWord(path: string): Word {
  if (path !== '~' && !path.startsWith('~/')) return textWord(path);
  return joinWords(outsideVariable('HOME', '~'), textWord(path.slice(1)));
}

function usesOf(call: ToolCall): readonly { readonly use: PathUse; readonly recursive: boolean }[] {
  const uses = call.classes.flatMap((name) => {
    const use = USE_BY_CLASS[name];
    // A search looks at everything below its path.
    return use === undefined ? [] : [{ use, recursive: name === 'search' }];
  });
  return uses.length === 0 ? [{ use: 'mention', recursive: false }] : uses;
}
