import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, join, parse, sep } from 'node:path';
import { isInside } from './folders.ts';
import { DANGLING, type FollowLink, LINK_LOOP } from './list-policy-files.ts';
import { openPlaceAbove, ownersOf, type PolicyOwner } from './root-only.ts';
import { isMissing, whyUnreadable } from './why-unreadable.ts';

/** The rules for links out of a folder of policies. */
export interface LinkRules {
  /** The only owner who may change a link, its target, and the folders of both. */
  readonly owner: PolicyOwner;
  /** The agent's workspace: no link leads there, or through it. Undefined if no agent works. */
  readonly workspace: string | undefined;
}

/** The target of a path, or why nobody may follow it. */
export type LinkTarget =
  | {
      readonly ok: true;
      readonly real: string;
      /** Every link on the way, by the folder that it lies in without links: whoever replaces one decides which file is read. */
      readonly links: readonly string[];
    }
  | { readonly ok: false; readonly cause: string; readonly hint?: string };

/**
 * Goes the way of a path link by link, and says whether all of it may be relied on.
 *
 * @param folder the folder of policies: its entries may lie in the workspace, as files do, and so may it itself
 */
export function followLink(path: string, folder: string, rules: LinkRules): LinkTarget {
  const way = stepsTo(path);
  if (!way.ok) return way;
  for (const place of [...way.links, way.real]) {
    const problem = problemOf(place, folder, rules);
    if (problem !== undefined) return { ok: false, ...problem };
  }
  return way;
}

/** The same for the links of a folder; undefined where they are not to be followed. */
export function followLinks(rules: LinkRules | undefined): FollowLink | undefined {
  return rules && ((link, folder) => followLink(link, folder, rules));
}

/** Every link on the way of a path, and where it leads; nothing if it leads nowhere. */
export function linksTo(path: string): readonly string[] {
  const way = stepsTo(path);
  return way.ok ? [...way.links, way.real] : [];
}

function problemOf(
  place: string,
  folder: string,
  { owner, workspace }: LinkRules,
): { readonly cause: string; readonly hint: string } | undefined {
  const isOfFolder = isInside(place, folder) || isInside(folder, place);
  if (workspace !== undefined && !isOfFolder && isInFolder(place, workspace))
    return {
      cause: `it is a link that leads to "${place}" in the workspace, where the agent writes`,
      hint: 'copy the file here, or let the link lead elsewhere',
    };
  const open = openPlaceAbove(place, ownersOf(owner));
  if (open === undefined) return undefined;
  const who = owner === 'root' ? 'root' : 'you and root';
  return {
    cause: `it is a link, and others than ${who} may change "${open}" on its way`,
    hint: `copy the file here, or run chown ${owner === 'root' ? 'root' : '"$USER"'} "${open}" and chmod go-w "${open}"`,
  };
}

/** Compares by inode: a volume may know a folder by several names. */
function isInFolder(place: string, folder: string): boolean {
  const { ino, dev } = lstatSync(folder);
  for (let at = place; ; at = dirname(at)) {
    const stats = lstatSync(at);
    if (at === folder || (stats.ino === ino && stats.dev === dev)) return true;
    if (at === dirname(at)) return false;
  }
}

/** As many links behind each other as Linux follows. */
const MAX_LINKS = 40;

function stepsTo(path: string): LinkTarget {
  const { root } = parse(path);
  const links: string[] = [];
  let done: string[] = [];
  const open = partsOf(path, root).reverse();
  try {
    for (let part = open.pop(); part !== undefined; part = open.pop()) {
      if (part === '..') {
        done.pop();
        continue;
      }
      const at = join(root, ...done, part);
      if (!lstatSync(at).isSymbolicLink()) {
        done.push(part);
        continue;
      }
      if (links.push(at) > MAX_LINKS) return { ok: false, cause: LINK_LOOP };
      const target = readlinkSync(at);
      const start = parse(target).root;
      if (start !== '') done = [];
      open.push(...partsOf(target, start).reverse());
    }
  } catch (error) {
    const cause = whyUnreadable(error);
    return { ok: false, cause: links.length > 0 && isMissing(error) ? DANGLING : cause };
  }
  return { ok: true, real: join(root, ...done), links };
}

function partsOf(path: string, root: string): string[] {
  return path
    .slice(root.length)
    .split(sep)
    .filter((part) => part !== '' && part !== '.');
}
