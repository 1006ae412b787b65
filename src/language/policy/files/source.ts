import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
} from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { sha256Hex } from '../../../lib/digest.ts';
import { messageOf } from '../../../lib/message-of.ts';

/** The largest policy file, in bytes. */
export const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** What is said of a file that is larger. */
export const TOO_LARGE = 'it is larger than 4 MiB';
/** The largest data file, in bytes. */
export const MAX_DATA_BYTES = 256 * 1024;
/** Stands in a path for bytes that are no UTF-8. Few names have it themselves. */
export const REPLACEMENT = '\ufffd';
const MAX_FOLDER_DEPTH = 32;
const MAX_FOLDER_ENTRIES = 20_000;
/** Folders that hold no policies of the folder they are in. */
const SKIPPED_FOLDERS = new Set(['.git', 'node_modules']);

/** A file's text with its path free of links, or why it cannot be had. */
export type FileText =
  | { readonly ok: true; readonly path: string; readonly text: string }
  | { readonly ok: false; readonly cause: string };

/** A policy file in a folder. */
export interface ListedFile {
  /** As reached through the folder's given path. */
  readonly path: string;
  /** Without links. */
  readonly real: string;
}

/** Policy files below a folder, sorted, and what is wrong with some of them. */
export interface FolderListing {
  readonly files: readonly ListedFile[];
  /** How many names of files and folders were looked at. */
  readonly entries: number;
  readonly problems: readonly ListingProblem[];
  /** The links on the way to files, where links are followed out of the folder. */
  readonly links: readonly string[];
}

interface ListingProblem {
  readonly path: string;
  readonly cause: string;
  readonly hint?: string | undefined;
}

/** Goes the way of a link in a folder without links, to a file anywhere. */
export type FollowLink = (
  link: string,
  folder: string,
) =>
  | { readonly ok: true; readonly real: string; readonly links: readonly string[] }
  | { readonly ok: false; readonly cause: string; readonly hint?: string };

/** What a path is: `other` is a device, a pipe or a socket, `dangling` a link that leads nowhere. */
export type PathKind = 'file' | 'folder' | 'missing' | 'dangling' | 'other' | 'unreadable';

/** What a path leads to, links followed. */
export function kindOf(path: string): PathKind {
  try {
    const stats = lstatSync(realpathSync(path));
    if (stats.isFile()) return 'file';
    return stats.isDirectory() ? 'folder' : 'other';
  } catch (error) {
    if (!isMissing(error)) return 'unreadable';
    return isThere(path) ? 'dangling' : 'missing';
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** The folder of packages in a path. */
export const MODULES = `${sep}node_modules${sep}`;

/** True for a file that a package manager would bring and that is not there. */
export function isMissingModule(path: string): boolean {
  if (!path.includes(MODULES)) return false;
  const kind = kindOf(path);
  return kind === 'missing' || kind === 'dangling';
}

/** Where a regular file lies without links, or why it cannot be had. */
export type FilePlace =
  | { readonly ok: true; readonly real: string }
  | { readonly ok: false; readonly cause: string };

/**
 * Reads a regular file of at most 4 MiB as UTF-8, in one go: what is checked is what is read.
 *
 * @param within a folder that the file must lie in when links have been followed; undefined for any place
 */
export function readPolicyFile(
  path: string,
  within: string | undefined,
  readFile: ReadFile = readRealFile,
): FileText {
  const place = findPolicyFile(path, within);
  return place.ok ? readFile(place.real) : place;
}

/** Finds a regular file without reading it. */
export function findPolicyFile(path: string, within: string | undefined): FilePlace {
  try {
    const real = realpathSync(path);
    if (within !== undefined && !isInside(real, realpathSync(within))) {
      return { ok: false, cause: `it lies outside of "${within}"` };
    }
    // Opening a device can have effects of its own.
    if (!lstatSync(real).isFile()) return { ok: false, cause: NOT_REGULAR };
    return { ok: true, real };
  } catch (error) {
    return { ok: false, cause: causeOf(error) };
  }
}

/**
 * Reads a file that was listed or found.
 *
 * @param path without links
 * @param mayRead asked for a file of so many bytes before it is read; every file may be read unless given
 */
export type ReadFile = (path: string, mayRead?: (bytes: number) => boolean) => FileText;

/** Reads a file from the disk, in one go. */
export const readRealFile: ReadFile = (path, mayRead = () => true) => {
  try {
    return readRegular(path, mayRead);
  } catch (error) {
    return { ok: false, cause: causeOf(error) };
  }
};

/**
 * Reads a data file of at most 256 KiB, in the same way.
 *
 * @param within a folder that it must lie in when links have been followed; undefined for any place
 */
export function readDataFile(
  path: string,
  within: string | undefined,
  mayRead: (bytes: number) => boolean = () => true,
  readFile: ReadFile = readRealFile,
): FileText {
  const place = findPolicyFile(path, within);
  if (!place.ok) return place;
  let isTooLarge = false;
  const read = readFile(place.real, (bytes) => {
    isTooLarge = bytes > MAX_DATA_BYTES;
    return !isTooLarge && mayRead(bytes);
  });
  return isTooLarge ? { ok: false, cause: `it is larger than ${MAX_DATA_BYTES / 1024} KiB` } : read;
}

/** The digest of the names of a folder's policy files. */
export function listingState({ files, problems }: FolderListing): string {
  return sha256Hex([
    ...files.flatMap(({ path, real }) => [path, real]),
    ...problems.flatMap(({ path, cause }) => [path, cause]),
  ]);
}

/** The digest of a data file's text, or why it could not be read. */
export function dataState(read: FileText): string {
  return read.ok ? sha256Hex([read.text]) : read.cause;
}

function readRegular(path: string, mayRead: (bytes: number) => boolean): FileText {
  const refused = (cause: string): FileText => ({ ok: false, cause });
  // A pipe put in the file's place must not make us wait, nor a link lead us elsewhere.
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) return refused(NOT_REGULAR);
    if (stats.size > MAX_FILE_BYTES) return refused(TOO_LARGE);
    if (!mayRead(stats.size)) return refused('it must not be read');
    // One byte more than it should have, to notice a file that grows.
    const bytes = new Uint8Array(stats.size + 1);
    const length = readSync(fd, bytes, 0, bytes.length, 0);
    if (length !== stats.size) return refused('it changes while it is read');
    return {
      ok: true,
      path,
      text: new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length)),
    };
  } catch (error) {
    if (error instanceof TypeError) return refused('it is not UTF-8 text');
    throw error;
  } finally {
    closeSync(fd);
  }
}

/**
 * The policy files below a folder, by name, folders recursively. Links are followed to regular files inside the folder,
 * and elsewhere only where it is said how. Names that begin with `..` are passed over: in a mounted config map they hold
 * the files to which the others lead.
 *
 * @param within a folder that this one must lie in when links have been followed; undefined for any place
 * @param levels how many levels of folders below it are looked into; all of them unless given
 */
export function listPolicyFiles(
  folder: string,
  within: string | undefined,
  levels = Number.POSITIVE_INFINITY,
  follow?: FollowLink,
): FolderListing {
  const walk: Walk = { root: '', files: [], problems: [], links: [], entries: 0, levels, follow };
  try {
    walk.root = realpathSync(folder);
    if (within !== undefined && !isInside(walk.root, realpathSync(within))) {
      throw new Error(`it lies outside of "${within}"`);
    }
    visitFolder({ path: folder, real: walk.root }, 0, walk);
  } catch (error) {
    walk.problems.push({ path: folder, cause: causeOf(error) });
  }
  return walk;
}

interface Walk {
  root: string;
  readonly levels: number;
  readonly follow: FollowLink | undefined;
  readonly files: ListedFile[];
  readonly problems: ListingProblem[];
  readonly links: string[];
  entries: number;
}

function visitFolder(folder: ListedFile, depth: number, walk: Walk): void {
  if (depth > MAX_FOLDER_DEPTH) throw new Error(`folders nest deeper than ${MAX_FOLDER_DEPTH} levels`);
  // Names alone come fast and take little memory, whatever their number.
  walk.entries += readdirSync(folder.real).length;
  if (walk.entries > MAX_FOLDER_ENTRIES) throw new Error(`it has more than ${MAX_FOLDER_ENTRIES} entries`);
  const entries = readdirSync(folder.real, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (SKIPPED_FOLDERS.has(entry.name) || entry.name.startsWith('..')) continue;
    const here = { path: join(folder.path, entry.name), real: join(folder.real, entry.name) };
    const isPolicy = isPolicyName(entry.name);
    // Some file systems do not tell what an entry is before it is looked at.
    const told = entry.isFile() || entry.isDirectory() || entry.isSymbolicLink();
    const is = told ? entry : lstatSync(here.real);
    if (is.isSymbolicLink()) visitLink(here, walk);
    else if (is.isDirectory() && !isPolicy) {
      if (depth < walk.levels) visitFolder(here, depth + 1, walk);
    } else if (isPolicy && is.isFile()) walk.files.push(here);
    else if (isPolicy) {
      const cause = is.isDirectory() ? 'it is a folder' : NOT_REGULAR;
      walk.problems.push({ path: here.path, cause });
    }
  }
}

function visitLink({ path, real }: ListedFile, walk: Walk): void {
  const kind = kindOf(path);
  if (kind === 'folder') {
    walk.problems.push({ path, cause: 'links to folders are not followed' });
    return;
  }
  if (!isPolicyName(path)) return;
  const found = leadsTo(real, kind, walk);
  if (found.ok) {
    walk.files.push({ path, real: found.real });
    walk.links.push(...found.links);
  } else walk.problems.push({ path, cause: found.cause, hint: found.hint });
}

/** The file of the folder that a link leads to, or any other that it may; else what is wrong with it. */
function leadsTo(link: string, kind: PathKind, { root, follow }: Walk): ReturnType<FollowLink> {
  if (kind === 'missing' || kind === 'dangling') return { ok: false, cause: DANGLING };
  if (follow !== undefined) return kind === 'other' ? { ok: false, cause: NOT_REGULAR } : follow(link, root);
  try {
    const real = realpathSync(link);
    return isInside(real, root)
      ? { ok: true, real, links: [] }
      : { ok: false, cause: 'it is a link out of the folder' };
  } catch (error) {
    return { ok: false, cause: codeOf(error) === 'ELOOP' ? IN_CIRCLE : causeOf(error) };
  }
}

/** What is said of a link that leads nowhere. */
export const DANGLING = 'it is a link that leads nowhere';
const NOT_REGULAR = 'it is not a regular file';
/** What is said of links that lead to each other. */
export const IN_CIRCLE = 'it is a link in a circle';

/** True for `*.yaml` and `*.yml`, but not for tests (`*.test.yaml`). */
export function isPolicyName(name: string): boolean {
  return /\.ya?ml$/.test(name) && !/\.test\.ya?ml$/.test(name);
}

/** A directory with links followed, so that the folders above it are those it really lies in. */
export function realDirectory(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** The folders that hold `.git`, at and above a directory, nearest first; none outside of repositories. */
export function repositoryRoots(directory: string): readonly string[] {
  return [directory, ...ancestorsOf(directory)].filter(
    (folder) => kindOf(join(folder, '.git')) !== 'missing',
  );
}

/** The folders above a directory, nearest first. */
function ancestorsOf(directory: string): readonly string[] {
  const folders: string[] = [];
  for (
    let folder = dirname(directory);
    folder !== folders.at(-1) && folder !== directory;
    folder = dirname(folder)
  ) {
    folders.push(folder);
  }
  return folders;
}

/** True if a path is a folder itself or lies below it. Both absolute and free of links. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** A path as people name it: relative to a directory where it is below it. */
export function displayPath(path: string, directory: string): string {
  const full = resolve(path);
  return isInside(full, directory) ? relative(directory, full) || '.' : full;
}

function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

const CAUSES: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'reading it is not permitted',
  EPERM: 'reading it is not permitted',
  ELOOP: 'it is a link',
  EISDIR: 'it is a folder',
  ENXIO: NOT_REGULAR,
};

/** Why a file or folder cannot be had, for messages. */
export function causeOf(error: unknown): string {
  const code = codeOf(error);
  if (typeof code === 'string') return CAUSES[code] ?? `reading it failed with ${code}`;
  return messageOf(error);
}
