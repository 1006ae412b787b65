import { boundedWord } from './bounded-word.ts';
import {
  EMPTY_WORD,
  isDetermined,
  knownText,
  leadingText,
  oneAfterTheOther,
  type Word,
  wordEquals,
} from './word.ts';

/** Files that were put below a folder at once: fetched, or unpacked. */
export interface Tree {
  /** What each of them may hold. */
  readonly content: Word;
  /** True if the folder was there before: what lies directly in it is taken for what it had. */
  readonly among: boolean;
}

/** What a script has put into files, by their resolved paths. */
export interface WrittenFiles {
  readonly contents: Map<string, Word>;
  readonly trees: Map<string, Tree>;
  /** The path of the file of each name that was written last. */
  readonly named: Map<string, string>;
  /** The folders that they lie in, near or far. */
  readonly folders: Set<string>;
  /** How many files may still be looked through, for wildcards and in folders that are copied. */
  looks: number;
}

/** Files looked through in all: whatever goes beyond is not followed. */
const MAX_LOOKS = 200_000;
/** What a file that is remembered costs beside one that is looked at. */
const COPY_LOOKS = 8;

/** How far up folders are remembered. */
const MAX_LEVELS = 32;

export function noFiles(): WrittenFiles {
  return { contents: new Map(), trees: new Map(), named: new Map(), folders: new Set(), looks: MAX_LOOKS };
}

/** What the script itself put into a file, if it can be told. Of files that a wildcard stands for, one after the other. */
export function contentAt(files: WrittenFiles, path: Word): Word | undefined {
  const known = knownText(path);
  if (known === '/dev/null') return EMPTY_WORD;
  const key = keyOf(path);
  if (key === undefined) return contentLike(files, path);
  return files.contents.get(key) ?? treeContent(files, key);
}

/** Whether it is certain that a command runs, or up to a condition. */
export type Certainty = 'certain' | 'conditional';

/** Remembers what the script put into a file. */
export function keepContentAt(files: WrittenFiles, path: Word, content: Word, certainty: Certainty): void {
  const key = keyOf(path);
  if (key === undefined || key.startsWith('/dev/')) return;
  putFile(files, key, content, certainty);
}

/** What was there before may still be there if it may not have come to that. */
function putFile(files: WrittenFiles, path: string, content: Word, certainty: Certainty): void {
  const before = certainty === 'certain' ? undefined : (files.contents.get(path) ?? treeContent(files, path));
  addFile(files, path, boundedWord(before === undefined ? content : oneAfterTheOther(before, content)));
}

function addFile({ contents, named, folders }: WrittenFiles, path: string, content: Word): void {
  contents.set(path, content);
  named.set(lastName(path), path);
  let folder = folderOf(path);
  for (let level = 0; level < MAX_LEVELS && folder !== undefined && !folders.has(folder); level++) {
    folders.add(folder);
    folder = folderOf(folder);
  }
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Remembers what the script put below a folder. */
export function keepTreeAt(files: WrittenFiles, folder: Word, tree: Tree): void {
  const key = keyOf(folder);
  if (key !== undefined) files.trees.set(key, tree);
}

/** Forgets which folders hold what was fetched: what lies there now may be what a build has made of it. */
export function forgetTrees({ trees }: WrittenFiles): void {
  trees.clear();
}

/** The files and folders that a path names, with what the script put into them: by wildcards, one or several. */
export function filesLike(files: WrittenFiles, path: Word): readonly string[] {
  const { contents, trees } = files;
  const key = keyOf(path);
  if (key !== undefined) return contents.has(key) || trees.has(key) ? [key] : [];
  if (!isDetermined(path)) return [];
  files.looks -= contents.size + trees.size;
  if (files.looks < 0) return [];
  const lead = leadingText(path);
  const fits = (name: string) => name.startsWith(lead) && wordEquals(path, name) !== false;
  return [...contents.keys(), ...trees.keys()].filter(fits);
}

/** Remembers what a copy leaves: at the path, and below it under the same name if that is a folder. */
export function copyFiles(files: WrittenFiles, from: Word, to: Word, certainty: Certainty): void {
  const target = keyOf(to);
  const only = keyOf(from);
  if (target === undefined) return;
  const whole = only === undefined ? treeContent(files, leadingText(from)) : undefined;
  if (whole !== undefined) files.trees.set(target, { content: whole, among: target === '.' });
  for (const path of only === undefined ? filesLike(files, from) : [only]) {
    copyFile(files, path, `${target === '.' ? '' : `${target}/`}${lastName(path)}`, certainty);
    if (only !== undefined) copyFile(files, path, target, certainty);
  }
}

function copyFile(files: WrittenFiles, from: string, to: string, certainty: Certainty): void {
  const { contents, trees, folders } = files;
  const content = contents.get(from) ?? treeContent(files, from);
  if (content !== undefined) putFile(files, to, content, certainty);
  const tree = trees.get(from) ?? (content === undefined ? undefined : { content, among: false });
  if (tree !== undefined && treeContent(files, `${from}/`) !== undefined)
    trees.set(to, { ...tree, among: false });
  if (!folders.has(from) || from === to) return;
  files.looks -= contents.size;
  for (const [path, below] of files.looks < 0 ? [] : [...contents]) {
    if (!path.startsWith(`${from}/`) || files.looks < 0) continue;
    files.looks -= COPY_LOOKS;
    putFile(files, `${to}${path.slice(from.length)}`, below, certainty);
  }
}

/**
 * A path as files are remembered by: parts that are not known count as one where they are written alike. Undefined if it
 * has wildcards.
 */
function keyOf(path: Word): string | undefined {
  const known = knownText(path);
  if (known !== undefined) return known;
  let key = '';
  for (const part of path) {
    if (part.type === 'glob') return undefined;
    key += part.type === 'text' ? part.text : `\0${part.source.replaceAll('/', '\0')}\0`;
  }
  return key;
}

function contentLike(files: WrittenFiles, path: Word): Word | undefined {
  let all: Word | undefined;
  for (const key of filesLike(files, path)) {
    const content = files.contents.get(key);
    if (content !== undefined)
      all = boundedWord(all === undefined ? content : oneAfterTheOther(all, content));
  }
  return all ?? treeContent(files, leadingText(path));
}

function treeContent({ trees }: WrittenFiles, path: string): Word | undefined {
  if (trees.size === 0) return undefined;
  const parent = folderOf(path);
  for (let folder = parent; folder !== undefined; folder = folderOf(folder)) {
    const tree = trees.get(folder);
    if (tree !== undefined) return tree.among && folder === parent ? undefined : tree.content;
  }
  return undefined;
}

/** The folder that a normalised path lies in. */
function folderOf(path: string): string | undefined {
  const slash = path.lastIndexOf('/');
  if (slash > 0) return path.slice(0, slash);
  return slash === 0 || path === '.' ? undefined : '.';
}
