import { otherTexts } from '../../../hosts/argument-readings.ts';
import { isJsonObject, type Json, own } from '../../../lib/json.ts';
import { stringsIn } from '../../../lib/json-path.ts';
import { filesInDiff, filesInEnvelope, type PatchedFile } from '../../../lib/patch-text.ts';
import { driveGlob, isRooted } from '../../../lib/path/drive-path.ts';
import { checkTime } from '../../../lib/time-limit.ts';
import type { ToolCall, ToolClass } from '../../../model/event.ts';
import type { Facts } from '../../../model/facts.ts';
import { expandBraces } from '../../../reader/reading/braces.ts';
import { globPieces } from '../../../reader/reading/glob-pieces.ts';
import { resolvePath } from '../../../reader/reading/path.ts';
import type { PathUse, ReadCommand } from '../../../reader/reading/reading.ts';
import { joinAll, textWord, unknownWord, type Word } from '../../../reader/reading/word.ts';
import { type WrittenText, writtenText } from '../../../reader/reading/written-text.ts';
import { argumentValues } from '../arguments/values.ts';
import { pathWord } from '../path/word.ts';
import { oncePerEvent } from './once-per-event.ts';
import { isPatchTool } from './patch-tool.ts';
import { NO_COMMANDS, type ShellText, shellTexts } from './shell-reading.ts';
import { TRAITS } from './traits.ts';
import { argumentUrls } from './urls.ts';
import type { UsedPath } from './used-path.ts';
import { workingDirectories } from './working-directories.ts';

const USE_BY_CLASS: Readonly<Partial<Record<ToolClass, PathUse>>> = {
  read: 'read',
  message: 'read',
  write: 'write',
  edit: 'write',
  list: 'list',
  search: 'read',
};

export interface CallPaths {
  readonly paths: readonly UsedPath[];
  /** The uses of the paths; with undefined if it could be any. */
  readonly uses: ReadonlySet<PathUse | undefined>;
  /** False if there may be more paths than these. */
  readonly complete: boolean;
}

/** The paths of a call, from file tools and shell commands. An unknown program's use of a path is unknown. */
export const callPaths: (facts: Facts) => CallPaths = oncePerEvent(collect);

function collect(facts: Facts): CallPaths {
  const call = facts.event.tool;
  if (call === undefined) return { paths: [], uses: new Set(), complete: true };
  if (call.arguments === undefined) return { paths: [], uses: new Set(), complete: false };
  const { texts, complete } = shellTexts(facts) ?? NO_COMMANDS;
  const inCommands = texts.flatMap(textPaths);
  const paths = [...argumentPaths(call, facts), ...inCommands];
  return {
    paths,
    uses: new Set(paths.map(({ use }) => use)),
    complete: complete && isReadPatch(call) && texts.every(({ summary }) => !summary.hasGaps),
  };
}

const ANY_PATH =
  TRAITS.read | TRAITS.write | TRAITS.empty | TRAITS.delete | TRAITS.list | TRAITS.execute | TRAITS.mention;

function textPaths({ summary, reading }: ShellText): readonly UsedPath[] {
  if ((summary.traits & ANY_PATH) === 0) return [];
  const { commands } = reading();
  return commands.flatMap((command) => commandPaths(command, commands));
}

function commandPaths(command: ReadCommand, commands: readonly ReadCommand[]): readonly UsedPath[] {
  const { name, effects } = command;
  return effects.flatMap((effect): readonly UsedPath[] => {
    if (effect.type !== 'path') return [];
    if (effect.use === 'write') return [{ ...effect, text: () => writtenText(command, effect, commands) }];
    return name === undefined && effect.use === 'mention' ? [{ ...effect, use: undefined }] : [effect];
  });
}

/** Known facts of a path that arguments name. */
interface KnownPathFacts {
  readonly recursive?: boolean;
  readonly file?: string;
  readonly text?: () => WrittenText;
}

function argumentPaths(call: ToolCall, facts: Facts): readonly UsedPath[] {
  const given = argumentValues(call, ['path']).flatMap((value) =>
    typeof value === 'string' ? [value] : stringsIn(value),
  );
  const named = call.finds === true ? [...given, ...given.flatMap((path) => foundFor(path, facts))] : given;
  const patched = patchedFiles(call);
  const fetched = argumentUrls(call).filter(({ scheme }) => scheme === 'file');
  const globs = (call.globs ?? []).flatMap((name) => stringsIn(own(call.arguments ?? {}, name) ?? null));
  if (named.length + patched.length + fetched.length + globs.length === 0) return [];
  const { home } = facts.surroundings;
  const places = workingDirectories(facts.event, facts.surroundings).map((cwd) => ({
    cwd: cwd === undefined ? undefined : textWord(cwd),
    home,
  }));
  const usedPaths = (
    use: PathUse,
    path: Word,
    { recursive = false, file, text = () => argumentText(call) }: KnownPathFacts = {},
  ): readonly UsedPath[] =>
    places.map((place) => ({
      use,
      path: resolvePath(path, place),
      recursive,
      name: undefined,
      bars: false,
      only: undefined,
      chosen: false,
      ...(use === 'write' ? { text } : {}),
      ...(file === undefined ? {} : { file }),
    }));
  const uses = usesOf(call);
  return [
    ...named.flatMap((path) =>
      uses.flatMap(({ use, recursive }) => usedPaths(use, pathWord(path), { recursive, file: path })),
    ),
    ...patched.flatMap(({ path, use, content }) =>
      usedPaths(use, pathWord(path), {
        file: path,
        ...(content === undefined ? {} : { text: () => wholeText(content) }),
      }),
    ),
    ...fetched.flatMap(({ path }) => usedPaths('read', path)),
    ...coveredFiles(globs, named, call.classes.includes('search')).flatMap((path) => usedPaths('read', path)),
  ];
}

/** The files that a tool may come upon that looks for a path which is not there. */
function foundFor(path: string, { surroundings }: Facts): readonly string[] {
  const { workspace, isThere, namedBelow } = surroundings;
  if (workspace === undefined || /^(?:[/\\~]|[A-Za-z]:)/.test(path)) return [];
  const ending = path.replaceAll('\\', '/');
  return isThere?.(`${workspace}/${ending}`) === false ? (namedBelow?.(workspace, ending) ?? []) : [];
}

/** The text that a tool is given to write: the new text of an edit may be a part of a line. */
function argumentText(call: ToolCall): WrittenText {
  const texts = (argument: string) => argumentValues(call, [argument]).flatMap(textsIn);
  const patches = PATCH_ARGUMENTS.flatMap((name) => texts(name));
  const parts = [...texts('new_text'), ...(isPatchTool(call) ? patches.map(addedLines) : patches)];
  // A tool that may read or write may write all that it is given.
  const pieces = call.classes.includes('read') ? Object.values(call.arguments ?? {}).flatMap(textsIn) : parts;
  // Appended text is called content, too; an edit that replaces nothing most often makes a new file.
  const isWhole = parts.length === 0 && call.classes.includes('write') && !/append|insert/i.test(call.name);
  const olds = texts('old_text');
  const isNew = olds.length > 0 && olds.every((old) => old === '');
  return {
    lines: [...texts('content'), ...parts].join('\n'),
    pieces: new Set(pieces),
    sources: [],
    ...(isNew ? {} : { extent: isWhole ? 'whole' : 'part' }),
  };
}

/** Texts in a value; of a mapping its JSON too, which a tool may write. */
function textsIn(value: Json): readonly string[] {
  return isJsonObject(value) ? [...stringsIn(value), JSON.stringify(value)] : stringsIn(value);
}

function wholeText(lines: string): WrittenText {
  return { lines, pieces: new Set(), sources: [], extent: 'whole' };
}

/** The lines of a patch or a diff but those that it takes out or finds. */
function addedLines(patch: string): string {
  const lines = patch.split('\n').filter((line) => !/^[- ]/.test(line));
  return lines.map((line) => line.replace(/^[+!]/, '')).join('\n');
}

/** More files than any call names, and than there is memory for. */
const MAX_COVERED = 100_000;

/** The files that a search tool reads by its globs, below its folders. Tools differ in how they take case. */
function coveredFiles(globs: readonly string[], folders: readonly string[], isSearch: boolean): Word[] {
  const covered: Word[] = [];
  for (const glob of globs.map(driveGlob).filter((each) => each !== '' && !each.startsWith('!'))) {
    const spelled = expandBraces(glob)?.flatMap((each) => [each, each.toLowerCase()]);
    const words =
      spelled === undefined
        ? [unknownWord(glob)]
        : [...new Set(spelled)].flatMap((each) => globWords(each, isSearch));
    if (isRooted(glob)) covered.push(...words);
    for (const folder of folders.length === 0 ? ['.'] : folders) {
      checkTime();
      if (covered.length > MAX_COVERED)
        throw new Error(`the call has globs for more than ${MAX_COVERED} files`);
      for (const word of words) covered.push(joinAll([pathWord(folder), textWord('/'), word]));
    }
  }
  return covered;
}

/** The paths below a folder that a glob means: a name alone, as searches take it, lies at any depth. */
function globWords(glob: string, isSearch: boolean): readonly Word[] {
  const name = glob.replace(/^(?:\*\*\/)+/, '');
  const word = globWord(name);
  const isAnywhere = name !== glob || (isSearch && !name.includes('/'));
  return isAnywhere ? [word, joinAll([EVERYTHING, textWord('/'), word])] : [word];
}

const EVERYTHING: Word = [{ type: 'glob', pattern: '**' }];

function globWord(text: string): Word {
  const pieces = text.split('**').map((piece) => globPieces(piece, { escapes: true, stopsAtSlash: true }));
  return joinAll(pieces.flatMap((piece, index) => (index === 0 ? [piece] : [EVERYTHING, piece])));
}

export const PATCH_ARGUMENTS = ['input', 'patch', 'patch_text', 'patchText', 'diff'];

/** The files in the patches of a call, by all names that the host may read. */
function patchedFiles(call: ToolCall): readonly PatchedFile[] {
  return patchesIn(call)
    .flatMap(filesInPatch)
    .flatMap((file) => [
      file,
      ...otherTexts(file.path, call.reads?.['path']).map((path) => ({ ...file, path })),
    ]);
}

/** The files in a patch, which may be a diff instead: with the first folder of its names and without. */
function filesInPatch(text: string): readonly PatchedFile[] {
  const files = filesInEnvelope(text);
  if (files.length > 0 || /\*{3} (?:Begin|End) Patch/i.test(text)) return files;
  return [0, 1].flatMap((strip) => filesInDiff(text, { strip, reverse: false }));
}

/** False if the call is a patch that names no file: it could change anything. */
function isReadPatch(call: ToolCall): boolean {
  return !isPatchTool(call) || patchedFiles(call).length > 0;
}

/** The patches that a tool is given which applies them. */
function patchesIn(call: ToolCall): readonly string[] {
  if (!isPatchTool(call)) return [];
  return PATCH_ARGUMENTS.flatMap((name) => argumentValues(call, [name])).filter(
    (value) => typeof value === 'string',
  );
}

/** The uses that a tool may make of paths for any arguments; undefined if it could be any. */
export function possibleUses(call: ToolCall): readonly PathUse[] | undefined {
  const isOpen = call.unsure === true || call.classes.includes('shell') || isPatchTool(call);
  // Any tool may be given globs, or the URL of a file.
  return isOpen ? undefined : [...usesOf(call).map(({ use }) => use), 'read'];
}

function usesOf(call: ToolCall): readonly { readonly use: PathUse; readonly recursive: boolean }[] {
  const uses = call.classes.flatMap((name) => {
    const use = USE_BY_CLASS[name];
    // A search looks at everything below its path.
    return use === undefined ? [] : [{ use, recursive: name === 'search' }];
  });
  return uses.length === 0 ? [{ use: 'mention', recursive: false }] : uses;
}
