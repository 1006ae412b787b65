import { checkTime } from '../../../lib/time-limit.ts';
import { or, type Truth } from '../../../model/truth.ts';
import { knownText } from '../../../reader/reading/word.ts';
import type { UsedPath } from '../call/used-path.ts';
import { type Anchored, type Anchors, anchor, isRelative, literalsOf } from './anchored-glob.ts';
import { fits, type GlobsMeaning } from './fits-glob.ts';

/** Says whether a path fits one of some globs. */
export type GlobsTest = (used: UsedPath, surroundings: Anchors) => Truth;

/**
 * Compiles path globs. `~` is the home; `.` is the agent's folder, where globs with a slash inside start; a name without slash
 * fits at any depth; `$NAME` at the start is a variable from outside.
 */
export function compilePathGlobs(patterns: readonly string[], meaning: GlobsMeaning): GlobsTest {
  const lists = new Map<string, GlobList>();
  let last: { readonly at: Anchors; readonly folded: boolean; readonly list: GlobList } | undefined;
  const listFor = (at: Anchors, folded: boolean): GlobList => {
    if (last?.folded === folded && last.at.home === at.home && last.at.workspace === at.workspace)
      return last.list;
    const key = `${at.home ?? ''}\0${at.workspace ?? ''}\0${folded}`;
    const list = lists.get(key) ?? newList(patterns.map((pattern) => anchor(pattern, at, folded)));
    if (lists.size >= MAX_LISTS) lists.clear();
    lists.set(key, list);
    last = { at, folded, list };
    return list;
  };
  const test: GlobsTest = (used, surroundings) => {
    const list = listFor(surroundings, used.folded !== undefined);
    if (isRuledOut(used, list, meaning)) return false;
    checkTime();
    let truth: Truth = false;
    for (const glob of list.globs) {
      truth = or(truth, fits(used, glob, meaning, truth, surroundings));
      if (truth === true) return true;
    }
    return truth;
  };
  if (!patterns.some(isRelative)) return test;
  return (used, surroundings) => {
    const { directory } = surroundings;
    const truth = test(used, surroundings);
    return directory === undefined || truth === true
      ? truth
      : or(truth, test(used, { ...surroundings, workspace: directory }));
  };
}

/** Folders that a list is kept for: agents work in few at a time, and past sessions come folder by folder. */
const MAX_LISTS = 4;

interface GlobList {
  readonly globs: readonly Anchored[];
  /** Paths looked at so far. */
  count: number;
  /** One look for the literals of all globs; made when the list is asked often, undefined where a glob has none. */
  anyLiteral: RegExp | undefined;
}

const LOOKS_BEFORE_REGEX = 32;

function newList(globs: readonly Anchored[]): GlobList {
  return { globs, count: 0, anyLiteral: undefined };
}

/** True if a known path holds nothing that any of the globs asks for. */
function isRuledOut(
  { path, only, recursive, bars }: UsedPath,
  list: GlobList,
  meaning: GlobsMeaning,
): boolean {
  if (++list.count === LOOKS_BEFORE_REGEX) list.anyLiteral = lookFor(list.globs);
  if (list.anyLiteral === undefined || only !== undefined) return false;
  if ((recursive || bars) && meaning === 'paths and folders') return false;
  const known = knownText(path);
  return known !== undefined && !list.anyLiteral.test(known);
}

function lookFor(globs: readonly Anchored[]): RegExp | undefined {
  const literals: string[] = [];
  for (const glob of globs) {
    const own = literalsOf(glob);
    if (own === null) return undefined;
    literals.push(...own);
  }
  if (literals.length === 0) return undefined;
  return new RegExp(literals.map((literal) => literal.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|'));
}
