import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '../../../lib/digest.ts';
import { codeOf } from '../../../lib/message-of.ts';
import { isInside, kindOf, type PathKind } from './folders.ts';
import { isHidden, isOursAt, isPassedOver } from './hidden-files.ts';
import { NOT_REGULAR, whyUnreadable } from './why-unreadable.ts';

const MAX_FOLDER_DEPTH = 32;

const MAX_FOLDER_ENTRIES = 20_000;

export interface ListedFile {
  /** As reached through the folder's given path. */
  readonly path: string;
  /** Without links. */
  readonly real: string;
}

/** Policy files below a folder, sorted, with the problems of some of them. */
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

/** The digest of the names of a folder's policy files. */
export function listingState({ files, problems }: FolderListing): string {
  return sha256Hex([
    ...files.flatMap(({ path, real }) => [path, real]),
    ...problems.flatMap(({ path, cause }) => [path, cause]),
  ]);
}

/**
 * The policy files below a folder, by name, folders recursively. Links are followed to regular files inside the folder,
 * and elsewhere only where it is said how.
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
    visitFolder({ path: folder, real: walk.root }, 0, false, walk);
  } catch (error) {
    walk.problems.push({ path: folder, cause: whyUnreadable(error) });
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

function visitFolder(folder: ListedFile, depth: number, isBelowHidden: boolean, walk: Walk): void {
  if (depth > MAX_FOLDER_DEPTH) throw new Error(`folders nest deeper than ${MAX_FOLDER_DEPTH} levels`);
  // Names alone come fast and take little memory, whatever their number.
  walk.entries += readdirSync(folder.real).length;
  if (walk.entries > MAX_FOLDER_ENTRIES) throw new Error(`it has more than ${MAX_FOLDER_ENTRIES} entries`);
  const entries = readdirSync(folder.real, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (isPassedOver(entry.name)) continue;
    const here = { path: join(folder.path, entry.name), real: join(folder.real, entry.name) };
    const isPolicy = isPolicyName(entry.name);
    const hidden = isBelowHidden || isHidden(entry.name);
    // Some file systems do not name the type of an entry before it is looked at.
    const hasType = entry.isFile() || entry.isDirectory() || entry.isSymbolicLink();
    const is = hasType ? entry : lstatSync(here.real);
    if (is.isSymbolicLink()) visitLink(here, walk);
    else if (is.isDirectory() && !isPolicy) {
      if (depth < walk.levels) visitFolder(here, depth + 1, hidden, walk);
    } else if (isPolicy && is.isFile()) {
      if (!hidden || isOursAt(here.real)) walk.files.push(here);
    } else if (isPolicy) {
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

/** The file of the folder that a link leads to, or any other that it may; else its problem. */
function leadsTo(link: string, kind: PathKind, { root, follow }: Walk): ReturnType<FollowLink> {
  if (kind === 'missing' || kind === 'dangling') return { ok: false, cause: DANGLING };
  if (follow !== undefined) return kind === 'other' ? { ok: false, cause: NOT_REGULAR } : follow(link, root);
  try {
    const real = realpathSync(link);
    return isInside(real, root)
      ? { ok: true, real, links: [] }
      : { ok: false, cause: 'it is a link out of the folder' };
  } catch (error) {
    return { ok: false, cause: codeOf(error) === 'ELOOP' ? LINK_LOOP : whyUnreadable(error) };
  }
}

export const DANGLING = 'it is a link that leads nowhere';

/** The cause for links that lead to each other. */
export const LINK_LOOP = 'it is a link in a circle';

/** True for `*.yaml` and `*.yml`, but not for tests (`*.test.yaml`). */
export function isPolicyName(name: string): boolean {
  return /\.ya?ml$/.test(name) && !/\.test\.ya?ml$/.test(name);
}
