import { type Budget, boundedWord, LIMITS, takeChars } from '../../reading/bounds.ts';
import {
  EMPTY_WORD,
  eitherText,
  isDetermined,
  isSameWord,
  knownText,
  leadingText,
  showWord,
  textWord,
  type Word,
  wordEquals,
} from '../../reading/word.ts';

/** Files that were put below a folder at once: fetched, or unpacked. */
export interface Tree {
  /** The content that each of them may have. */
  readonly content: Word;
  /** True if the folder was there before: files directly in it are read as its own. */
  readonly among: boolean;
}

/** The files that a script has written, by their resolved paths. */
export interface WrittenFiles {
  readonly contents: Map<string, Word>;
  readonly trees: Map<string, Tree>;
  /** The index of the command that wrote a file last, by its path. */
  readonly writers: Map<string, number>;
  /** The path of the file of each name that was written last. */
  readonly named: Map<string, string>;
  /** The folders that they lie in, near or far. */
  readonly folders: Set<string>;
}

/** The costs of a file that is looked at, one that may be meant, and one that is remembered, in characters that are read. */
const LOOK = 2;
const CLOSE_LOOK = 32;
const COPY = 64;

/** How far up folders are remembered. */
const MAX_LEVELS = 32;

export function noFiles(): WrittenFiles {
  return {
    contents: new Map(),
    trees: new Map(),
    writers: new Map(),
    named: new Map(),
    folders: new Set(),
  };
}

/** The content that the script itself put into a file, if it is known. For a wildcard, that of its files one after the other. */
export function contentAt(files: WrittenFiles, path: Word, budget: Budget): Word | undefined {
  const known = knownText(path);
  if (known === '/dev/null') return EMPTY_WORD;
  const key = keyOf(path);
  const own =
    key === undefined
      ? joinContents(
          filesLike(files, path, budget).map((file) => files.contents.get(file)),
          budget,
        )
      : files.contents.get(key);
  return own ?? treeContent(files, key ?? leadingText(path), budget) ?? foundContent(files, path, budget);
}

/** The content of files of a name below a folder, as find finds them. Folders put there count with any content. */
function foundContent(files: WrittenFiles, path: Word, budget: Budget): Word | undefined {
  const [folder, between, next, ...rest] = path;
  if (folder?.type !== 'text' || !folder.text.endsWith('/') || between?.type !== 'unknown') return undefined;
  if (next === undefined || [next, ...rest].some(({ type }) => type === 'unknown')) return undefined;
  const { contents, trees } = files;
  if (!takeChars(budget, (contents.size + trees.size) * LOOK)) return undefined;
  const name = next.type === 'text' ? [...textWord(next.text.replace(/^\//, '')), ...rest] : [next, ...rest];
  const found = [...contents].flatMap(([file, content]) =>
    file.startsWith(folder.text) && couldEqual(name, lastName(file), budget) ? [content] : [],
  );
  for (const [tree, { content }] of trees) if (tree.startsWith(folder.text)) found.push(content);
  return joinContents(found, budget);
}

/** A write is certain if its command surely runs, or up to a condition. */
export type WriteCertainty = 'certain' | 'conditional';

interface Keeping {
  readonly certainty: WriteCertainty;
  readonly budget: Budget;
}

/** Remembers the content that the script put into a file. */
export function keepContentAt(files: WrittenFiles, path: Word, content: Word, how: Keeping): void {
  // A wildcard in the target of a redirection that finds nothing is the name itself.
  const key = keyOf(path) ?? (isDetermined(path) ? showWord(path) : undefined);
  if (key === undefined || key.startsWith('/dev/')) return;
  putFile(files, key, content, how);
  for (const found of key === keyOf(path) ? [] : filesLike(files, path, how.budget))
    putFile(files, found, content, { ...how, certainty: 'conditional' });
}

/** The old content may remain if the write is not certain. */
function putFile(files: WrittenFiles, path: string, content: Word, { certainty, budget }: Keeping): void {
  const before =
    certainty === 'certain' ? undefined : (files.contents.get(path) ?? treeContent(files, path, budget));
  const isNews = before === undefined || !isSameWord(before, content);
  addFile(files, path, isNews ? (joinContents([before, content], budget) ?? content) : before);
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

/** Remembers the content that the script put below a folder. */
export function keepTreeAt(files: WrittenFiles, folder: Word, tree: Tree): void {
  const key = keyOf(folder);
  if (key !== undefined) files.trees.set(key, tree);
}

/** Forgets which folders hold downloads: a build may have made the files that lie there now. */
export function forgetTrees({ trees }: WrittenFiles): void {
  trees.clear();
}

/** The files and folders that a path names, if the script has written them: by wildcards, one or several. */
function filesLike({ contents, trees }: WrittenFiles, path: Word, budget: Budget): readonly string[] {
  const key = keyOf(path);
  if (key !== undefined) return contents.has(key) || trees.has(key) ? [key] : [];
  if (!isDetermined(path)) return [];
  if (!takeChars(budget, (contents.size + trees.size) * LOOK)) return [];
  const lead = leadingText(path);
  const fits = (name: string) => name.startsWith(lead) && couldEqual(path, name, budget);
  return [...contents.keys(), ...trees.keys()].filter(fits);
}

/** True if a word may be this name; false once the budget is spent. */
function couldEqual(word: Word, name: string, budget: Budget): boolean {
  return takeChars(budget, CLOSE_LOOK + name.length * word.length) && wordEquals(word, name) !== false;
}

/** Remembers the result of a copy: at the path, and below it under the same name if that is a folder. */
export function copyFiles(files: WrittenFiles, from: Word, to: Word, how: Keeping): void {
  const target = keyOf(to);
  const only = keyOf(from);
  if (target === undefined) return;
  const whole = only === undefined ? treeContent(files, leadingText(from), how.budget) : undefined;
  if (whole !== undefined) files.trees.set(target, { content: whole, among: target === '.' });
  for (const path of only === undefined ? filesLike(files, from, how.budget) : [only]) {
    copyFile(files, path, `${target === '.' ? '' : `${target}/`}${lastName(path)}`, how);
    if (only !== undefined) copyFile(files, path, target, how);
  }
}

function copyFile(files: WrittenFiles, from: string, to: string, how: Keeping): void {
  const { budget } = how;
  if (!takeChars(budget, COPY)) return;
  const { contents, trees, folders } = files;
  const content = contents.get(from) ?? treeContent(files, from, budget);
  if (content !== undefined) putFile(files, to, content, how);
  const tree = trees.get(from) ?? (content === undefined ? undefined : { content, among: false });
  if (tree !== undefined && treeContent(files, `${from}/`, budget) !== undefined)
    trees.set(to, { ...tree, among: false });
  if (!folders.has(from) || from === to) return;
  const inside = `${from}/`;
  for (const [path, below] of takeChars(budget, contents.size * LOOK) ? [...contents] : []) {
    if (!path.startsWith(inside)) continue;
    if (!takeChars(budget, COPY + path.length)) return;
    putFile(files, `${to}${path.slice(from.length)}`, below, how);
  }
}

/** The key of a path: equal unknown parts count as one. Undefined if it has wildcards. */
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

/** Contents one after the other. */
function joinContents(contents: readonly (Word | undefined)[], budget: Budget): Word | undefined {
  let all: Word | undefined;
  for (const content of contents) {
    if (content === undefined) continue;
    if (!takeChars(budget, LIMITS.wordParts)) break;
    all = boundedWord(all === undefined ? content : eitherText(all, content));
  }
  return all;
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

function folderOf(path: string): string | undefined {
  const slash = path.lastIndexOf('/');
  if (slash > 0) return path.slice(0, slash);
  return slash === 0 || path === '.' ? undefined : '.';
}
