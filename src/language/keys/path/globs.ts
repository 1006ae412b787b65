import { isRooted } from '../../../lib/drive-path.ts';
import { foldGlob, foldPath } from '../../../lib/fold-path.ts';
import { compileGlob, type Glob } from '../../../lib/glob.ts';
import { globLiterals } from '../../../lib/glob-literals.ts';
import { checkTime } from '../../../lib/time-limit.ts';
import { trimEnd } from '../../../lib/trim-end.ts';
import type { Surroundings } from '../../../model/surroundings.ts';
import { or, type Truth } from '../../../model/truth.ts';
import { globPieces } from '../../../reader/reading/glob-pieces.ts';
import {
  compileWordGlob,
  isHalfNamed,
  textMatchesGlob,
  type WordGlob,
  withoutBraces,
  wordMatchesGlob,
} from '../../../reader/reading/glob-word.ts';
import {
  baseName,
  inFolder,
  mayBeCalled,
  parentOf,
  pathAnchor,
  withNames,
} from '../../../reader/reading/path.ts';
import {
  knownText,
  SOMEWHERE,
  textWord,
  type Word,
  type WordPart,
  wordEquals,
} from '../../../reader/reading/word.ts';
import type { UsedPath } from '../call/used-path.ts';

/** Says whether a path fits one of some globs. */
export type GlobsTest = (used: UsedPath, surroundings: Anchors) => Truth;

/** The places that globs can be relative to, and whether a path is there. */
type Anchors = Pick<Surroundings, 'home' | 'workspace' | 'directory' | 'isThere'>;

/**
 * `paths`: those that fit. `paths and folders`: a folder around one counts too, if what is done to it is done to all
 * that lies in it, or bars the way to it. `exceptions`: those that fit; wildcards in a command, which stand for what is
 * not looked at, are excused only if the name that they are closest to is.
 */
export type GlobsMeaning = 'paths' | 'paths and folders' | 'exceptions';

/** One glob with the places it can be relative to filled in. Compiled when a path comes that it could fit. */
interface Anchored {
  readonly source: string;
  /** Undefined if it cannot be ruled out by looking for strings. */
  readonly literals: readonly string[] | undefined;
  compiled: WordGlob | undefined;
  places: Places | undefined;
}

/** The folders around what a glob names. */
interface Places {
  /** What each alternative writes out in full, from the root to the first wildcard, name by name. */
  readonly roots: readonly (readonly string[])[];
  /** Folders that are written out in full. */
  readonly known: ReadonlySet<string>;
  /** Folders of which only a part is written out: `/home/*`, or a name at any depth. */
  readonly named: readonly Anchored[];
  /** Names that are written out in full, with the folders that they lie in. */
  readonly names: readonly { readonly folder: Anchored; readonly name: string }[];
  /** Folders that are meant with all that lies below them. */
  readonly wholes: readonly Anchored[];
}

/**
 * Compiles a list of globs for paths. `~` is the home directory, `.` the folder that the agent works in, to which globs
 * with a slash inside are relative; a name without a slash fits at any depth. `$NAME` at the start is a variable that
 * comes from outside.
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

/** Whether a glob is relative to the folder that the agent works in: to the one that it is in now as well. */
function isRelative(pattern: string): boolean {
  if (pattern === '.' || pattern.startsWith('./')) return true;
  return pattern.includes('/') && !pattern.startsWith('~/') && !ROOTED.test(pattern);
}

/** From the root, at any depth, or below what a variable names. */
const ROOTED = /^(?:\/|\*\*|\$|[A-Za-z]:\/)/;

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
  if (++list.count === LOOKS_BEFORE_REGEX) list.anyLiteral = literalsOf(list.globs);
  if (list.anyLiteral === undefined || only !== undefined) return false;
  if ((recursive || bars) && meaning === 'paths and folders') return false;
  const known = knownText(path);
  return known !== undefined && !list.anyLiteral.test(known);
}

function literalsOf(globs: readonly Anchored[]): RegExp | undefined {
  const literals: string[] = [];
  for (const glob of globs) {
    if (glob.literals === undefined) return undefined;
    literals.push(...glob.literals);
  }
  if (literals.length === 0) return undefined;
  return new RegExp(literals.map((literal) => literal.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|'));
}

function anchor(pattern: string, at: Anchors, folded: boolean): Anchored {
  return newAnchored(folded ? foldGlob(anchored(pattern, foldedPlaces(at))) : anchored(pattern, at));
}

function foldedPlaces({ home, workspace }: Anchors): Anchors {
  return { home: home && foldPath(home), workspace: workspace && foldPath(workspace) };
}

function newAnchored(source: string): Anchored {
  return { source, literals: globLiterals(source), compiled: undefined, places: undefined };
}

function anchored(pattern: string, { home, workspace }: Anchors): string {
  if (pattern === '~' || pattern.startsWith('~/'))
    return home === undefined ? pattern : escaped(home) + pattern.slice(1) || '/';
  if (!isRelative(pattern))
    return pattern.includes('/') || /^\$\w+$/.test(pattern) ? pattern : `**/${pattern}`;
  const below = pattern.startsWith('./') ? pattern.slice(2) : pattern;
  if (workspace === undefined) return below;
  return pattern === '.' ? escaped(workspace) || '/' : `${escaped(workspace)}/${below}`;
}

/** A folder of the machine inside a glob: its characters stand for themselves. */
function escaped(folder: string): string {
  return folder === '/' ? '' : folder.replace(/[\\*?[\]{}()|"]/g, '\\$&');
}

const WILD = /[*?[{\\]/;

function placesOf(glob: Anchored): Places {
  if (glob.places !== undefined) return glob.places;
  const roots = new Set<string>();
  const around = new Set<string>();
  const names: { folder: Anchored; name: string }[] = [];
  const wholes: Anchored[] = [];
  for (const alternative of withoutBraces(glob.source)) {
    const segments = alternative.split('/');
    const wild = segments.findIndex((segment) => WILD.test(segment));
    const root = segments.slice(0, wild < 0 ? segments.length : wild).join('/');
    if (root !== '' && !root.startsWith('$')) roots.add(root);
    if (root.startsWith('/')) around.add('/');
    else if (isRooted(root)) around.add(root.slice(0, 3));
    if (segments.length > 1 && segments.at(-1) === '**')
      wholes.push(newAnchored(segments.slice(0, -1).join('/')));
    for (let count = segments.length - 1; count > 0; count--) {
      const folder = segments.slice(0, count).join('/');
      // Stars alone do not say what is meant.
      if (segments[count - 1]?.includes('**') === true || !/[^*?/]/.test(folder)) continue;
      around.add(folder);
      const name = segments[count] ?? '';
      if (count === segments.length - 1 && !WILD.test(name))
        names.push({ folder: newAnchored(folder), name });
    }
  }
  const isKnown = (folder: string) => !WILD.test(folder) && !folder.startsWith('$');
  glob.places = {
    roots: [...roots].map((root) => root.split('/')),
    known: new Set([...around].filter(isKnown)),
    named: [...around].filter((folder) => !isKnown(folder)).map(newAnchored),
    names,
    wholes,
  };
  return glob.places;
}

/** `before`: what the globs before this one say. */
function fits(used: UsedPath, glob: Anchored, meaning: GlobsMeaning, before: Truth, at: Anchors): Truth {
  const { only, use } = used;
  // Only who may have all of a folder may have all that lies in it.
  const path = meaning === 'exceptions' ? withoutEverything(used.path) : used.path;
  if (meaning === 'exceptions' && climbsBehindUnknown(path)) return false;
  const withFolders = meaning === 'paths and folders';
  const changes = use === 'write' || use === 'empty' || use === 'delete';
  // Where only some of what lies below is meant, the path itself is not.
  if (only !== undefined) {
    const closest = closestName(inFolder(path, only), glob);
    return changes && withFolders ? or(closest, isFound(path, only, glob)) : closest;
  }
  const asked: Asked = { meaning, before, changes };
  const direct = isNamed(path, glob, asked);
  // To list a folder is not to look into what lies in it.
  const reachesBelow = (used.recursive || used.bars) && use !== 'list';
  return withFolders && reachesBelow ? or(direct, liesAround(used, glob, asked, at)) : direct;
}

interface Asked {
  readonly meaning: GlobsMeaning;
  readonly before: Truth;
  /** True if what is found there may be changed, or deleted. */
  readonly changes: boolean;
}

/** Is the path itself one that the glob asks for? */
function isNamed(path: Word, glob: Anchored, asked: Asked): Truth {
  const { meaning, before, changes } = asked;
  const known = knownText(path);
  if (known !== undefined) return testText(glob, known);
  const closest = closestName(path, glob);
  if (closest === true || glob.source.startsWith('$')) return closest;
  if (
    changes &&
    meaning !== 'exceptions' &&
    hasWildcards(path) &&
    (takesIn(path, glob) || isBelow(path, glob))
  )
    return true;
  return mayLearn(path, before, meaning) ? or(closest, couldFit(path, glob, meaning)) : closest;
}

/**
 * Wildcards in what is changed or deleted take in all that is there. What a glob writes out in full is taken to be
 * there, and so is what it asks for in a folder that the path names.
 */
function takesIn(path: Word, glob: Anchored): boolean {
  const places = placesOf(glob);
  if (settled(path, places).some((each) => closestName(each, glob) === true)) return true;
  const parent = parentOf(path);
  if (parent === undefined) return false;
  const asked: Asked = { meaning: 'paths', before: false, changes: true };
  return places.names.some(
    ({ folder, name }) => mayBeCalled(baseName(path), name) && isNamed(parent, folder, asked) === true,
  );
}

/** Wildcards in the name of a folder that the glob means with all below it: as `.pol*` for `.policy`. */
function isBelow(path: Word, glob: Anchored): boolean {
  const { wholes } = placesOf(glob);
  return (
    wholes.length > 0 &&
    wildFolders(path).some((folder) => wholes.some((whole) => isHalfNamed(folder, compiledOf(whole))))
  );
}

/** Kept, because a path is held against hundreds of globs. */
const WILD_FOLDERS = new WeakMap<Word, readonly Word[]>();

/** The folders around a path of which the last name has wildcards. */
function wildFolders(path: Word): readonly Word[] {
  const known = WILD_FOLDERS.get(path);
  if (known !== undefined) return known;
  const found: Word[] = [];
  for (let folder = parentOf(path); folder !== undefined && hasWildcards(folder); folder = parentOf(folder)) {
    checkTime();
    if (hasWildcards(baseName(folder))) found.push(folder);
  }
  WILD_FOLDERS.set(path, found);
  return found;
}

/** A path with the names of folders that are there in the place of wildcards that take them in. */
function settled(path: Word, { roots }: Places): readonly Word[] {
  return roots.map((root) => withNames(path, root)).filter((each) => each !== undefined);
}

/** What is done to a folder is done to what lies in it, if the glob names a place there. */
function liesAround({ path, name, folded }: UsedPath, glob: Anchored, asked: Asked, at: Anchors): Truth {
  const places = placesOf(glob);
  const { known, named, roots } = places;
  const text = knownText(path);
  // Things are put into a folder that is there. Only what is not there is made, with all that lies below it.
  const onDisk = folded === undefined ? text : folded.from;
  const isWhole = name === undefined || (onDisk !== undefined && at.isThere?.(onDisk) === false);
  let truth: Truth = false;
  if (isWhole && text !== undefined) truth = known.has(text);
  else if (isWhole && asked.changes && settled(path, places).some((each) => known.has(knownText(each) ?? '')))
    truth = true;
  else if (isWhole && roots.length > 0 && pathAnchor(path) === 'unknown') truth = 'unknown';
  for (const folder of named) {
    if (truth === true) return true;
    // What may lie anywhere may not be there yet.
    if (isWhole || folder.source.startsWith('**')) truth = or(truth, isNamed(path, folder, asked));
  }
  return truth;
}

/** Does a test take in what a glob writes out in full? */
function isFound(folder: Word, only: Word, glob: Anchored): boolean {
  const text = knownText(folder);
  const written = knownText(only);
  if (text === undefined || written === undefined) return false;
  const pattern = globPieces(written, { escapes: true, stopsAtSlash: true });
  const count = written.split('/').length;
  return placesOf(glob).roots.some((names) => {
    const root = names.join('/');
    const isBelow = text === '/' || root.startsWith(`${text}/`);
    const last = names.slice(-count).join('/');
    return isBelow && testText(glob, root) === true && wordEquals(pattern, last) !== false;
  });
}

/** Is there more to be learned from what the parts that are not known could make of a path? */
function mayLearn(path: Word, before: Truth, meaning: GlobsMeaning): boolean {
  return before === false || (meaning !== 'exceptions' && hasWildcards(path));
}

function hasWildcards(path: Word): boolean {
  return path.some(({ type }) => type === 'glob');
}

/** What the parts that are not known could make of it; for exceptions wildcards count as left out. */
function couldFit(path: Word, glob: Anchored, meaning: GlobsMeaning): Truth {
  if (meaning !== 'exceptions') {
    const compiled = compiledOf(glob);
    const truth = wordMatchesGlob(path, compiled);
    return truth === 'unknown' && (isNearlyNamed(path) || isHalfNamed(path, compiled)) ? true : truth;
  }
  const named = path.filter((part) => part.type !== 'glob' && !isSomewhereBelow(part, path));
  return knownText(named) === undefined ? wordMatchesGlob(named, compiledOf(glob)) : false;
}

/** The folders between one that is named and what find comes upon in it: they are not looked at, as wildcards are not. */
function isSomewhereBelow(part: WordPart, path: Word): boolean {
  return part.type === 'unknown' && part.source === SOMEWHERE && part !== path[0];
}

/** All of a name but a few single characters is written out: where one of those fits, `.en?` is `.env`. */
function isNearlyNamed(path: Word): boolean {
  const isFixed = path.every(
    (part) => part.type === 'text' || (part.type === 'glob' && /^(?:\?|\[.+)$/.test(part.pattern)),
  );
  if (!isFixed) return false;
  const written = render(path, false);
  const name = written.slice(written.lastIndexOf('/') + 1);
  return name.length > path.filter((part) => part.type === 'glob').length;
}

/** `$(mktemp -d)/../..` is not below the folder that it names. */
function climbsBehindUnknown(path: Word): boolean {
  return path.some((part) => part.type === 'unknown' && part.source.endsWith('/..'));
}

/** The folder itself where everything in it is meant. */
function withoutEverything(path: Word): Word {
  if (!isEverything(path)) return path;
  const folder = path.slice(0, -1);
  const text = knownText(folder);
  return text === undefined || text === '/' ? folder : textWord(text.replace(/\/$/, ''));
}

function testText(glob: Anchored, text: string): Truth {
  const { literals } = glob;
  if (literals?.some((literal) => text.includes(literal)) === false) return false;
  return textMatchesGlob(text, compiledOf(glob));
}

function compiledOf(glob: Anchored): WordGlob {
  if (glob.compiled === undefined) {
    const { source } = glob;
    let regex: Glob | undefined;
    glob.compiled = compileWordGlob(source, (path) => {
      regex ??= compileGlob(source);
      return regex.test(path);
    });
  }
  return glob.compiled;
}

/** Stands for a name that is not known: nothing that anybody writes into a glob, and too long for `?`. */
const SOME_NAME = '\u{e000}\u{e000}\u{e000}';

/**
 * What a path that is not fully known fits whatever the rest of it is: `$DIR/.env` is a `.env`, `/tmp/$X` lies in
 * `/tmp`. Wildcards in a command stand for what is there, which is not looked at; they are taken to mean the name that
 * they are closest to: `.env*` is `.env`, `*.pem` any such file, but `*.json` not one particular file. A glob that
 * starts with a variable, `$TMPDIR/**`, is for paths that start with it.
 */
function closestName(path: Word, glob: Anchored): Truth {
  const first = path[0];
  if (glob.source.startsWith('$')) {
    if (first?.type !== 'unknown' || first.variable === undefined) return false;
    return testText(glob, `$${first.variable}${render(path.slice(1), true)}`);
  }
  const { asWritten, withoutWildcards } = rendered(path);
  const truth = testText(glob, asWritten);
  return truth === true || withoutWildcards === undefined
    ? truth
    : or(truth, testText(glob, withoutWildcards));
}

/** A path as text, a name in the place of what is not known. */
interface Rendered {
  readonly asWritten: string;
  /** Undefined where there are none. */
  readonly withoutWildcards: string | undefined;
}

/** Kept, because a path is held against hundreds of globs. */
const RENDERED = new WeakMap<Word, Rendered>();

function rendered(path: Word): Rendered {
  const before = RENDERED.get(path);
  if (before !== undefined) return before;
  const named = hasWildcards(path) ? render(path, false) : undefined;
  // The folder itself is among what lies at and below it: it may be a file.
  const isFolder = named !== undefined && isEverything(path);
  const found = {
    asWritten: render(path, true),
    withoutWildcards: isFolder ? trimEnd(named, '/') || '/' : named,
  };
  RENDERED.set(path, found);
  return found;
}

/** True for a folder and everything below it: `a/**`. */
function isEverything(path: Word): boolean {
  const last = path.at(-1);
  return last?.type === 'glob' && last.pattern === '**';
}

function render(path: Word, wildcards: boolean): string {
  let text = '';
  for (const part of path) {
    if (part.type === 'text') text += part.text;
    else if (part.type === 'unknown') text += SOME_NAME;
    else if (wildcards) text += part.pattern;
  }
  return text;
}
