import { compileGlob, type Glob } from '../lib/glob.ts';
import { globLiterals } from '../lib/glob-literals.ts';
import { checkTime } from '../lib/time-limit.ts';
import type { Surroundings } from '../model/surroundings.ts';
import { or, type Truth } from '../model/truth.ts';
import { compileWordGlob, textMatchesGlob, type WordGlob, wordMatchesGlob } from '../reading/glob-word.ts';
import { pathAnchor } from '../reading/path.ts';
import { joinWords, knownText, textWord, type Word } from '../reading/word.ts';
import type { UsedPath } from './used-path.ts';

/** Says whether a path fits one of some globs. */
export type GlobsTest = (used: UsedPath, surroundings: Anchors) => Truth;

/** The places that globs can be relative to. */
type Anchors = Pick<Surroundings, 'home' | 'workspace'>;

/**
 * `paths`: those that fit. `paths and folders`: a folder around one counts too, if what is done to it is done to all
 * that lies in it. `exceptions`: those that fit; wildcards in a command, which stand for what is not looked at, are
 * excused only if the name that they are closest to is.
 */
export type GlobsMeaning = 'paths' | 'paths and folders' | 'exceptions';

/** One glob with the places it can be relative to filled in. Compiled when a path comes that it could fit. */
interface Anchored {
  readonly source: string;
  /** Undefined if it cannot be ruled out by looking for strings. */
  readonly literals: readonly string[] | undefined;
  /** The folder above every path that it can match; empty if there is none but the root. */
  readonly root: string;
  compiled: WordGlob | undefined;
}

/**
 * Compiles a list of globs for paths. `~` is the home directory, `.` the folder that the agent works in, to which globs
 * with a slash inside are relative; a name without a slash fits at any depth. `$NAME` at the start is a variable that
 * comes from outside.
 */
export function compilePathGlobs(patterns: readonly string[], meaning: GlobsMeaning): GlobsTest {
  const lists = new Map<string, GlobList>();
  let last: { readonly at: Anchors; readonly list: GlobList } | undefined;
  const listFor = (at: Anchors): GlobList => {
    if (last !== undefined && last.at.home === at.home && last.at.workspace === at.workspace)
      return last.list;
    const key = `${at.home ?? ''}\0${at.workspace ?? ''}`;
    const list = lists.get(key) ?? newList(patterns.map((pattern) => anchor(pattern, at)));
    lists.set(key, list);
    last = { at, list };
    return list;
  };
  return (used, surroundings) => {
    const list = listFor(surroundings);
    if (isRuledOut(used, list, meaning)) return false;
    checkTime();
    let truth: Truth = false;
    for (const glob of list.globs) {
      truth = or(truth, fits(used, glob, meaning, truth));
      if (truth === true) return true;
    }
    return truth;
  };
}

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
function isRuledOut({ path, only, recursive }: UsedPath, list: GlobList, meaning: GlobsMeaning): boolean {
  if (++list.count === LOOKS_BEFORE_REGEX) list.anyLiteral = literalsOf(list.globs);
  if (list.anyLiteral === undefined || only !== undefined) return false;
  if (recursive && meaning === 'paths and folders') return false;
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

function anchor(pattern: string, at: Anchors): Anchored {
  const source = anchored(pattern, at);
  return { source, literals: globLiterals(source), root: rootOf(source), compiled: undefined };
}

function anchored(pattern: string, { home, workspace }: Anchors): string {
  if (pattern === '~' || pattern.startsWith('~/'))
    return home === undefined ? pattern : escaped(home) + pattern.slice(1);
  if (pattern === '.') return workspace === undefined ? '.' : escaped(workspace);
  if (pattern.startsWith('./'))
    return workspace === undefined ? pattern.slice(2) : escaped(workspace) + pattern.slice(1);
  if (!pattern.includes('/')) return `**/${pattern}`;
  if (/^(?:\/|\*\*|\$)/.test(pattern)) return pattern;
  return workspace === undefined ? pattern : `${escaped(workspace)}/${pattern}`;
}

/** A folder of the machine inside a glob: its characters stand for themselves. */
function escaped(folder: string): string {
  return folder === '/' ? '' : folder.replace(/[\\*?[\]{}()|"]/g, '\\$&');
}

function rootOf(glob: string): string {
  const wild = glob.search(/[*?[{\\]/);
  if (wild < 0) return glob;
  return glob.slice(0, Math.max(glob.lastIndexOf('/', wild), 0));
}

/** `before`: what the globs before this one say. */
function fits(used: UsedPath, glob: Anchored, meaning: GlobsMeaning, before: Truth): Truth {
  const { only, recursive, use } = used;
  // Only who may have all of a folder may have all that lies in it.
  const path = meaning === 'exceptions' ? withoutEverything(used.path) : used.path;
  if (meaning === 'exceptions' && climbsBehindUnknown(path)) return false;
  // Where only some of what lies below is meant, the path itself is not.
  if (only !== undefined) return closestName(joinWords(joinWords(path, textWord('/')), only), glob);
  const known = knownText(path);
  let direct = known === undefined ? closestName(path, glob) : testText(glob, known);
  if (direct === true) return true;
  if (known === undefined && !glob.source.startsWith('$') && mayLearn(path, before, meaning))
    direct = or(direct, couldFit(path, glob, meaning));
  // To list a folder is not to look into what lies in it.
  const isAround = meaning === 'paths and folders' && recursive && use !== 'list';
  return isAround ? or(direct, liesBelow(glob.root, path)) : direct;
}

/** Is there more to be learned from what the parts that are not known could make of a path? */
function mayLearn(path: Word, before: Truth, meaning: GlobsMeaning): boolean {
  return before === false || (meaning !== 'exceptions' && isNearlyNamed(path));
}

/** What the parts that are not known could make of it; for exceptions wildcards count as left out. */
function couldFit(path: Word, glob: Anchored, meaning: GlobsMeaning): Truth {
  if (meaning !== 'exceptions') {
    const truth = wordMatchesGlob(path, compiledOf(glob));
    return truth === 'unknown' && isNearlyNamed(path) ? true : truth;
  }
  const named = path.filter((part) => part.type !== 'glob');
  return knownText(named) === undefined ? wordMatchesGlob(named, compiledOf(glob)) : false;
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
  const last = path.at(-1);
  if (last?.type !== 'glob' || last.pattern !== '**') return path;
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
  const hasWildcards = path.some((part) => part.type === 'glob');
  const found = {
    asWritten: render(path, true),
    withoutWildcards: hasWildcards ? render(path, false) : undefined,
  };
  RENDERED.set(path, found);
  return found;
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

/** What is done to a folder is done to what lies in it, if the glob names a place there. */
function liesBelow(root: string, path: Word): Truth {
  if (root === '') return false;
  const text = knownText(path);
  if (text === undefined) return pathAnchor(path) === 'unknown' ? 'unknown' : false;
  return text === '/' || root.startsWith(`${text}/`) || root === text;
}
