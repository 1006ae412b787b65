import { compileGlob, type Glob } from '../../../lib/glob/glob.ts';
import { type GlobEnds, globEnds } from '../../../lib/glob/glob-ends.ts';
import { globLiterals } from '../../../lib/glob/glob-literals.ts';
import { foldGlob, foldPath } from '../../../lib/path/fold-path.ts';
import type { Surroundings } from '../../../model/surroundings.ts';
import type { Truth } from '../../../model/truth.ts';
import { compileWordGlob, textMatchesGlob, type WordGlob } from '../../../reader/reading/glob-word.ts';
import { mayFit } from '../../../reader/reading/may-fit.ts';
import { leadingText, type Word } from '../../../reader/reading/word.ts';

/** The places that globs can be relative to, and whether a path is there. */
export type Anchors = Pick<Surroundings, 'home' | 'workspace' | 'directory' | 'isThere'>;

/** One glob with the places it can be relative to filled in. Compiled when a path comes that it could fit. */
export interface Anchored {
  readonly source: string;
  /** Found when first needed, by `literalsOf`; null if it cannot be ruled out by looking for strings. */
  literals: readonly string[] | null | undefined;
  compiled: WordGlob | undefined;
  ends: GlobEnds | undefined;
  places: Places | undefined;
}

/** The folders around the files that a glob names. */
export interface Places {
  /** The names that each alternative writes out in full, from the root to the first wildcard. */
  readonly roots: readonly (readonly string[])[];
  /** Folders that are written out in full. */
  readonly known: ReadonlySet<string>;
  /** Folders of which only a part is written out: `/home/*`, or a name at any depth. */
  readonly named: readonly Anchored[];
  /** Made when wildcards are held against the glob. */
  readonly changed: () => ChangedPlaces;
}

/** The places that wildcards in a changed or deleted path may reach. */
export interface ChangedPlaces {
  /** Names that are written out in full, with the folders that they lie in. */
  readonly names: readonly { readonly folder: Anchored; readonly name: string }[];
  /** Folders that are meant with all that lies below them. */
  readonly wholes: readonly Anchored[];
}

/** True if a glob is relative to the folder that the agent works in, and so to the one that it is in now. */
export function isRelative(pattern: string): boolean {
  if (pattern === '.' || pattern.startsWith('./')) return true;
  return pattern.includes('/') && !pattern.startsWith('~/') && !ROOTED.test(pattern);
}

/** From the root, at any depth, or below the folder of a variable. */
const ROOTED = /^(?:\/|\*\*|\$|[A-Za-z]:\/)/;

export function anchor(pattern: string, at: Anchors, folded: boolean): Anchored {
  return newAnchored(folded ? foldGlob(anchored(pattern, foldedPlaces(at))) : anchored(pattern, at));
}

function foldedPlaces({ home, workspace }: Anchors): Anchors {
  return { home: home && foldPath(home), workspace: workspace && foldPath(workspace) };
}

export function newAnchored(source: string): Anchored {
  return { source, literals: undefined, compiled: undefined, ends: undefined, places: undefined };
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

/** A folder of the machine inside a glob, with its characters escaped. */
function escaped(folder: string): string {
  return folder === '/' ? '' : folder.replace(/[\\*?[\]{}()|"]/g, '\\$&');
}

export function testText(glob: Anchored, text: string): Truth {
  const literals = literalsOf(glob);
  if (literals !== null && !literals.some((literal) => text.includes(literal))) return false;
  return textMatchesGlob(text, compiledOf(glob));
}

/** False if the first characters of a path, which may be a folder around the named files, rule the glob out. */
export function mayStartAs(path: Word, glob: Anchored): boolean {
  if (glob.source.startsWith('$')) return true;
  const { prefix } = endsOf(glob);
  const start = leadingText(path);
  return start.startsWith(prefix) || prefix.startsWith(start);
}

/** False if the known parts of a path rule a glob out. */
export function mayBe(path: Word, glob: Anchored): boolean {
  return glob.source.startsWith('$') || mayFit(path, endsOf(glob));
}

/** False if a glob, by its text alone, names nothing in a folder with this path. */
export function mayLieBelow(folder: string, glob: Anchored): boolean {
  const { source } = glob;
  if (source.startsWith('$')) return false;
  const { prefix, name } = endsOf(glob);
  if (!folder.startsWith(prefix)) return prefix.startsWith(folder);
  if (prefix === folder) return true;
  if (name !== '') return `/${folder}/`.includes(`/${name}/`);
  const above = source.slice(0, source.lastIndexOf('/') + 1);
  return WILD_FOLDER.test(above) || above.includes(folder.slice(folder.lastIndexOf('/') + 1));
}

/** Wildcards other than stars that are any folders. */
const WILD_FOLDER = /[?[\]{}\\]|(?<!\*)\*(?!\*)|[^/*]\*\*|\*\*[^/]/;

function endsOf(glob: Anchored): GlobEnds {
  glob.ends ??= globEnds(glob.source);
  return glob.ends;
}

export function literalsOf(glob: Anchored): readonly string[] | null {
  if (glob.literals === undefined) glob.literals = globLiterals(glob.source) ?? null;
  return glob.literals;
}

export function compiledOf(glob: Anchored): WordGlob {
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
