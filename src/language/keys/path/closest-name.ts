import { trimEnd } from '../../../lib/trim-end.ts';
import { or, type Truth } from '../../../model/truth.ts';
import type { Word } from '../../../reader/reading/word.ts';
import { type Anchored, mayBe, testText } from './anchored-glob.ts';

export function hasWildcards(path: Word): boolean {
  return path.some(({ type }) => type === 'glob');
}

/** Stands for a name that is not known: nothing that anybody writes into a glob, and too long for `?`. */
const SOME_NAME = '\u{e000}\u{e000}\u{e000}';

/**
 * Whether a path with unknown parts fits a glob whatever they are: `$DIR/.env` is a `.env`, `/tmp/$X` lies in `/tmp`. Wildcards
 * in a command mean files on disk, which this does not look at; it takes the name that they are closest to: `.env*` is `.env`,
 * `*.pem` any file of that kind, but `*.json` not one particular file. A glob that starts with a variable, `$TMPDIR/**`, is for
 * paths that start with it.
 */
export function closestName(path: Word, glob: Anchored): Truth {
  const first = path[0];
  if (glob.source.startsWith('$')) {
    if (first?.type !== 'unknown' || first.variable === undefined) return false;
    return testText(glob, `$${first.variable}${render(path.slice(1), true)}`);
  }
  if (!mayBe(path, glob)) return false;
  const { asWritten, withoutWildcards } = rendered(path);
  const truth = testText(glob, asWritten);
  return truth === true || withoutWildcards === undefined
    ? truth
    : or(truth, testText(glob, withoutWildcards));
}

/** A path as text, with a name instead of unknown parts. */
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
  // The folder itself is among the paths at and below it: it may be a file.
  const isFolder = named !== undefined && isEverything(path);
  const found = {
    asWritten: render(path, true),
    withoutWildcards: isFolder ? trimEnd(named, '/') || '/' : named,
  };
  RENDERED.set(path, found);
  return found;
}

/** True for a folder and everything below it: `a/**`. */
export function isEverything(path: Word): boolean {
  const last = path.at(-1);
  return last?.type === 'glob' && last.pattern === '**';
}

export function render(path: Word, wildcards: boolean): string {
  let text = '';
  for (const part of path) {
    if (part.type === 'text') text += part.text;
    else if (part.type === 'unknown') text += SOME_NAME;
    else if (wildcards) text += part.pattern;
  }
  return text;
}
