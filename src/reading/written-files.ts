import { boundedWord } from './bounded-word.ts';
import { type Budget, LIMITS, takeChars } from './bounds.ts';
import {
  EMPTY_WORD,
  isDetermined,
  joinWords,
  knownText,
  leadingText,
  textWord,
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
}

/** What a file costs that is looked at, one that may be meant, and one that is remembered, as characters that are read. */
const LOOK = 2;
const CLOSE_LOOK = 32;
const COPY = 64;

/** How far up folders are remembered. */
const MAX_LEVELS = 32;

export function noFiles(): WrittenFiles {
  return { contents: new Map(), trees: new Map(), named: new Map(), folders: new Set() };
}

/** What the script itself put into a file, if it can be told. Of files that a wildcard stands for, one after the other. */
export function contentAt(files: WrittenFiles, path: Word, budget: Budget): Word | undefined {
  const known = knownText(path);
  if (known === '/dev/null') return EMPTY_WORD;
  const key = keyOf(path);
  if (key === undefined) return contentLike(files, path, budget);
  return files.contents.get(key) ?? treeContent(files, key, budget);
}

/** Remembers what the script put into a file. */
export function keepContentAt(files: WrittenFiles, path: Word, content: Word): void {
  const key = keyOf(path);
  if (key === undefined || key.startsWith('/dev/')) return;
  addFile(files, key, boundedWord(content));
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
function filesLike({ contents, trees }: WrittenFiles, path: Word, budget: Budget): readonly string[] {
  const key = keyOf(path);
  if (key !== undefined) return contents.has(key) || trees.has(key) ? [key] : [];
  if (!isDetermined(path)) return [];
  if (!takeChars(budget, (contents.size + trees.size) * LOOK)) return [];
  const lead = leadingText(path);
  const fits = (name: string) =>
    name.startsWith(lead) &&
    takeChars(budget, CLOSE_LOOK + name.length * path.length) &&
    wordEquals(path, name) !== false;
  return [...contents.keys(), ...trees.keys()].filter(fits);
}

/** Remembers what a copy leaves: at the path, and below it under the same name if that is a folder. */
export function copyFiles(files: WrittenFiles, from: Word, to: Word, budget: Budget): void {
  const target = keyOf(to);
  const only = keyOf(from);
  if (target === undefined) return;
  const whole = only === undefined ? treeContent(files, leadingText(from), budget) : undefined;
  if (whole !== undefined) files.trees.set(target, { content: whole, among: target === '.' });
  for (const path of only === undefined ? filesLike(files, from, budget) : [only]) {
    copyFile(files, path, `${target === '.' ? '' : `${target}/`}${lastName(path)}`, budget);
    if (only !== undefined) copyFile(files, path, target, budget);
  }
}

function copyFile(files: WrittenFiles, from: string, to: string, budget: Budget): void {
  if (!takeChars(budget, COPY)) return;
  const { contents, trees, folders } = files;
  const content = contents.get(from) ?? treeContent(files, from, budget);
  if (content !== undefined) addFile(files, to, content);
  const tree = trees.get(from) ?? (content === undefined ? undefined : { content, among: false });
  if (tree !== undefined && treeContent(files, `${from}/`, budget) !== undefined)
    trees.set(to, { ...tree, among: false });
  if (!folders.has(from) || from === to) return;
  const inside = `${from}/`;
  for (const [path, below] of takeChars(budget, contents.size * LOOK) ? [...contents] : []) {
    if (!path.startsWith(inside)) continue;
    if (!takeChars(budget, COPY + path.length)) return;
    addFile(files, `${to}${path.slice(from.length)}`, below);
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

function contentLike(files: WrittenFiles, path: Word, budget: Budget): Word | undefined {
  let all: Word | undefined;
  for (const key of filesLike(files, path, budget)) {
    const content = files.contents.get(key);
    if (content === undefined) continue;
    if (!takeChars(budget, LIMITS.wordParts)) break;
    all = boundedWord(all === undefined ? content : joinWords(joinWords(all, textWord('\n')), content));
  }
  return all ?? treeContent(files, leadingText(path), budget);
}

function treeContent({ trees }: WrittenFiles, path: string, budget: Budget): Word | undefined {
  if (trees.size === 0) return undefined;
  const parent = folderOf(path);
  for (let folder = parent; folder !== undefined; folder = folderOf(folder)) {
    if (!takeChars(budget, LOOK + (folder.length >> 4))) return undefined;
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
