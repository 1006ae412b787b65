import { isJsonObject, type Json, type JsonObject } from '../lib/json.ts';
import type { ArgumentCommand, ArgumentPath } from '../model/event.ts';
import { type ArgumentMeaning, meaningsOf, type NameMeaning } from './argument-names.ts';
import { codeRunners } from './code-runners.ts';

/** An argument, ranked by how well its name shows its meaning: less is better. */
export interface FoundArgument {
  readonly at: ArgumentPath;
  readonly rank: number;
}

/** The portable arguments that other names may mean. */
export const FOUND_NAMES = ['command', 'path', 'url', 'content', 'args', 'cwd'] as const;
export type FoundName = (typeof FOUND_NAMES)[number];

/** The possible meanings of a call's arguments by their names, at any depth. */
export interface FoundArguments {
  readonly named: Readonly<Record<FoundName, readonly FoundArgument[]>>;
  readonly commands: readonly ArgumentCommand[];
  /** False if there are more, or they nest deeper, than is looked through. */
  readonly complete: boolean;
}

/** Levels of lists and objects that are looked through. */
export const MAX_ARGUMENT_DEPTH = 200;
/** Arguments that count. */
export const MAX_ARGUMENTS_FOUND = 3_000;

/** Arguments beside a command that may be its words, or its directory. */
const MAX_BESIDE = 8;

/** Looks through the arguments of a tool that nobody explains. */
export function findArguments(args: JsonObject): FoundArguments {
  const search: Search = {
    named: { command: [], path: [], url: [], content: [], args: [], cwd: [] },
    commands: [],
    trail: [],
    left: MAX_ARGUMENTS_FOUND,
    complete: true,
  };
  lookInto(args, false, search);
  return search;
}

interface Search extends FoundArguments {
  readonly named: Readonly<Record<FoundName, FoundArgument[]>>;
  readonly commands: ArgumentCommand[];
  /** The place of the search. */
  readonly trail: (string | number)[];
  left: number;
  complete: boolean;
}

/** @param inCommand true inside of an argument called a command: any text there may be a part of it */
function lookInto(value: Json, inCommand: boolean, search: Search): void {
  const { trail } = search;
  if (trail.length > MAX_ARGUMENT_DEPTH || search.left < 0) {
    search.complete = false;
  } else if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      if (!isNested(value[index])) continue;
      trail.push(index);
      lookInto(value[index] ?? null, inCommand, search);
      trail.pop();
    }
  } else if (isJsonObject(value)) {
    const object: LookedAt = { members: value, beside: undefined };
    for (const name of Object.keys(value)) lookAtMember(object, name, inCommand, search);
  }
}

interface Beside extends Pick<ArgumentCommand, 'words' | 'directories'> {
  /** True if something in the object is called a command. */
  readonly runs: boolean;
  /** True if one of the words is a flag. */
  readonly flagged: boolean;
  /** True if there is more than anybody means. */
  readonly isTooMuch: boolean;
}

interface LookedAt {
  readonly members: JsonObject;
  /** The arguments beside a command, once one is found. */
  beside: Beside | undefined;
}

function lookAtMember(object: LookedAt, name: string, inCommand: boolean, search: Search): void {
  if (search.left < 0) {
    search.complete = false;
    return;
  }
  const member = object.members[name] ?? null;
  const meanings = meaningsIn(name, member);
  const has = (wanted: ArgumentMeaning) => meanings.some(({ meaning }) => meaning === wanted);
  const mayRun = meanings.length > 0 && (has('command') || has('script'));
  if ((meanings.length > 0 || inCommand) && carriesText(member)) {
    const at = [...search.trail, name];
    const runners = has('code') ? codeRunners(name, member, object.members) : [];
    for (const runner of runners) {
      search.commands.push({ at, words: [], directories: [], uncertain: true, runner });
      search.left -= 1;
    }
    const isLine = (has('args') || has('program')) && isCommandLine(object, name, has('args'), search);
    if (mayRun || isLine || (inCommand && !has('args'))) {
      object.beside ??= siblingWords(object.members, search);
      if (object.beside.isTooMuch) search.complete = false;
      const words = object.beside.words.filter((path) => path.at(-1) !== name);
      search.commands.push({ at, words, directories: object.beside.directories, uncertain: !has('command') });
      search.left -= 1;
    }
    const known = new Set<FoundName>();
    for (const { meaning, rank } of meanings) {
      for (const found of namesFor(meaning, member)) {
        if (known.has(found)) continue;
        known.add(found);
        search.named[found].push({ at, rank });
        // Rows of a table have contents each, which costs nothing.
        if (found !== 'content') search.left -= 1;
      }
    }
  }
  if (!isNested(member)) return;
  search.trail.push(name);
  lookInto(member, inCommand || mayRun, search);
  search.trail.pop();
}

/**
 * True if these words, or a name with the words next to it, form a command. Only with a flag, as anything has names and
 * arguments.
 */
function isCommandLine(object: LookedAt, name: string, isWords: boolean, search: Search): boolean {
  const { members } = object;
  object.beside ??= siblingWords(members, search);
  if (object.beside.runs) return false;
  const member = members[name] ?? null;
  if (isWords) return hasCommandLine(member);
  return object.beside.flagged && typeof member === 'string' && /^[\w./+-]+$/.test(member);
}

/** Words of which the first is a name and another a flag, in the list itself or in one of its lists. */
function hasCommandLine(value: Json): boolean {
  if (!Array.isArray(value)) return false;
  const [first] = value;
  return typeof first === 'string' ? /^[\w./]/.test(first) && hasFlag(value) : value.some(hasCommandLine);
}

function hasFlag(value: Json): boolean {
  return typeof value === 'string'
    ? /^--?[A-Za-z]/.test(value)
    : Array.isArray(value) && value.some((item) => typeof item === 'string' && hasFlag(item));
}

/** The arguments of an object that may be the words of a command in it, and those that may say where it runs. */
function siblingWords(members: JsonObject, search: Search): Beside {
  const words: ArgumentPath[] = [];
  const directories: ArgumentPath[] = [];
  let runs = false;
  let flagged = false;
  for (const name of Object.keys(members)) {
    const meanings = meaningsOf(name);
    const isWords = meanings.some(({ meaning }) => meaning === 'args' || meaning === 'words');
    if (isWords) {
      words.push([...search.trail, name]);
      flagged ||= hasFlag(members[name] ?? null);
    } else if (meanings.some(({ meaning }) => meaning === 'cwd')) directories.push([...search.trail, name]);
    else runs ||= meanings.some(({ meaning }) => meaning === 'command' || meaning === 'script');
    if (words.length > MAX_BESIDE || directories.length > MAX_BESIDE)
      return { words, directories, runs, flagged, isTooMuch: true };
  }
  return { words, directories, runs, flagged, isTooMuch: false };
}

const FILE_URL: readonly NameMeaning[] = [{ meaning: 'url', rank: 1_000 }];

/** The meanings of a name; the URL of a file is one under any name. */
function meaningsIn(name: string, value: Json): readonly NameMeaning[] {
  const meanings = meaningsOf(name);
  return meanings.length === 0 && anyText(value, namesFile) ? FILE_URL : meanings;
}

/** The portable names for a value of this meaning, by its form if the name does not say enough. */
function namesFor(meaning: ArgumentMeaning, value: Json): readonly FoundName[] {
  switch (meaning) {
    case 'script':
    case 'code':
    case 'words':
    case 'program':
      return [];
    case 'link':
      return anyText(value, looksLikeUrl) ? namesFor('url', value) : [];
    case 'place':
    case 'document':
      return [
        ...(anyText(value, hasScheme) ? (['url'] as const) : []),
        ...(anyText(value, meaning === 'place' ? looksLikePath : looksLikeFile) ? (['path'] as const) : []),
      ];
    case 'url':
      return anyText(value, namesFile) ? ['url', 'path'] : ['url'];
    default:
      return [meaning];
  }
}

function hasScheme(text: string): boolean {
  return text.includes('://');
}

/** A scheme, or a host with a dot or a port in it. */
function looksLikeUrl(text: string): boolean {
  if (hasScheme(text)) return true;
  const [host = ''] = text.split('/', 1);
  return /[^.:][.:][^.:]/.test(host) && !/\s/.test(text);
}

/** A URL may be that of a file. */
function namesFile(text: string): boolean {
  return text.length > 5 && /^\s*file:/i.test(text);
}

function looksLikeFile(text: string): boolean {
  return looksLikePath(text) || /^(?:[\w-]+(?:[.][\w-]+)*[.][a-z]\w{0,7}|[a-z]+_\w+)$/i.test(text);
}

function looksLikePath(text: string): boolean {
  return (
    namesFile(text) || (/^(?:[~.]|[a-zA-Z]:\\)|[/\\]/.test(text) && !text.includes('\n') && !hasScheme(text))
  );
}

function anyText(value: Json, test: (text: string) => boolean): boolean {
  return typeof value === 'string'
    ? test(value)
    : Array.isArray(value) && value.some((item) => anyText(item, test));
}

function carriesText(value: Json): boolean {
  return anyText(value, () => true);
}

function isNested(value: Json | undefined): boolean {
  return typeof value === 'object' && value !== null;
}
