import { compileGlob } from '../lib/glob.ts';
import { globLiterals } from '../lib/glob-literals.ts';
import type { Surroundings } from '../model/surroundings.ts';
import { or, type Truth } from '../model/truth.ts';
import { compileWordGlob, type WordGlob, wordMatchesGlob } from '../reading/glob-word.ts';
import { pathAnchor } from '../reading/path.ts';
import { isDetermined, joinWords, knownText, showWord, textWord } from '../reading/word.ts';
import type { UsedPath } from './used-path.ts';

/** Says whether a path fits one of some globs. */
export type GlobsTest = (used: UsedPath, surroundings: Pick<Surroundings, 'home' | 'workspace'>) => Truth;

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
 * with a slash inside are relative; a name without a slash fits at any depth.
 */
export function compilePathGlobs(patterns: readonly string[]): GlobsTest {
  const bySurroundings = new Map<string, readonly Anchored[]>();
  return (used, { home, workspace }) => {
    const key = `${home ?? ''}\0${workspace ?? ''}`;
    let globs = bySurroundings.get(key);
    if (globs === undefined) {
      globs = patterns.map((pattern) => anchor(pattern, home, workspace));
      bySurroundings.set(key, globs);
    }
    let truth: Truth = false;
    for (const glob of globs) {
      truth = or(truth, fits(used, glob));
      if (truth === true) return true;
    }
    return truth;
  };
}

function anchor(pattern: string, home: string | undefined, workspace: string | undefined): Anchored {
  const source = anchored(pattern, home, workspace);
  return { source, literals: globLiterals(source), root: rootOf(source), compiled: undefined };
}

function anchored(pattern: string, home: string | undefined, workspace: string | undefined): string {
  if (pattern === '~' || pattern.startsWith('~/'))
    return home === undefined ? pattern : escaped(home) + pattern.slice(1);
  if (pattern === '.') return workspace === undefined ? '.' : escaped(workspace);
  if (pattern.startsWith('./'))
    return workspace === undefined ? pattern.slice(2) : escaped(workspace) + pattern.slice(1);
  if (!pattern.includes('/')) return `**/${pattern}`;
  if (pattern.startsWith('/') || pattern.startsWith('**')) return pattern;
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

function fits(used: UsedPath, glob: Anchored): Truth {
  const { path, only } = used;
  const known = knownText(path);
  let direct: Truth;
  if (known !== undefined) direct = couldFit(glob, known) ? compiledOf(glob).test(known) : false;
  else direct = wordMatchesGlob(path, compiledOf(glob));
  if (direct !== true && (known === undefined || only !== undefined))
    direct = or(direct, closestName(used, glob));
  return direct === true || !used.recursive ? direct : or(direct, liesBelow(glob.root, used));
}

function couldFit({ literals }: Anchored, text: string): boolean {
  return literals?.some((literal) => text.includes(literal)) !== false;
}

function compiledOf(glob: Anchored): WordGlob {
  if (glob.compiled === undefined) {
    const { source } = glob;
    const text = compileGlob(source);
    glob.compiled = compileWordGlob(source, (path) => text.test(path));
  }
  return glob.compiled;
}

/**
 * Wildcards in a command stand for what is there, which is not looked at. They are taken to mean the name that they are
 * closest to: `.env*` is `.env`, `*.pem` is any such file, but `*.json` is not one particular file. The same holds for
 * the names that a search is limited to.
 */
function closestName({ path, only }: UsedPath, glob: Anchored): Truth {
  const word = only === undefined ? path : joinWords(joinWords(path, textWord('/')), only);
  if (!isDetermined(word)) return false;
  const without = word.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  return [showWord(word), without].reduce<Truth>(
    (truth, text) => or(truth, couldFit(glob, text) ? compiledOf(glob).test(text) : false),
    false,
  );
}

/** What is done to a folder is done to what lies in it, if the glob names a place there. */
function liesBelow(root: string, { path, only }: UsedPath): Truth {
  if (root === '' || only !== undefined) return false;
  const text = knownText(path);
  if (text === undefined) return pathAnchor(path) === 'unknown' ? 'unknown' : false;
  return text === '/' || root.startsWith(`${text}/`) || root === text;
}
