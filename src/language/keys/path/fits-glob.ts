import { checkTime } from '../../../lib/time-limit.ts';
import { or, type Truth } from '../../../model/truth.ts';
import { globPieces } from '../../../reader/reading/glob-pieces.ts';
import { wordMatchesGlob } from '../../../reader/reading/glob-word.ts';
import { isHalfNamed } from '../../../reader/reading/half-named.ts';
import { mayFit } from '../../../reader/reading/may-fit.ts';
import { baseName, inFolder, mayBeCalled, parentOf, pathAnchor } from '../../../reader/reading/path.ts';
import {
  FOUND_FILES,
  knownText,
  textWord,
  type Word,
  type WordPart,
  wordEquals,
} from '../../../reader/reading/word.ts';
import type { UsedPath } from '../call/used-path.ts';
import {
  type Anchored,
  type Anchors,
  compiledOf,
  mayBe,
  mayLieBelow,
  mayStartAs,
  testText,
} from './anchored-glob.ts';
import { closestName, hasWildcards, isEverything, render } from './closest-name.ts';
import { placesOf, resolveWildcards } from './glob-places.ts';

/**
 * `paths`: fits. `paths and folders`: or it is a folder around one, and its use extends to all in it or bars the way to it.
 * `exceptions`: fits; wildcards of commands are not expanded, so only their closest name counts.
 */
export type GlobsMeaning = 'paths' | 'paths and folders' | 'exceptions';

/** @param before the answer of the globs before this one */
export function fits(
  used: UsedPath,
  glob: Anchored,
  meaning: GlobsMeaning,
  before: Truth,
  at: Anchors,
): Truth {
  const { only, use } = used;
  // Only who may have all of a folder may have all that lies in it.
  const path = meaning === 'exceptions' ? withoutEverything(used.path) : used.path;
  if (meaning === 'exceptions' && climbsPastUnknown(path)) return false;
  const withFolders = meaning === 'paths and folders';
  const changes = use === 'write' || use === 'empty' || use === 'delete';
  // If only some of the things below a path are meant, the path itself is not.
  if (only !== undefined) {
    const closest = closestName(inFolder(path, only), glob);
    return changes && withFolders ? or(closest, isFound(path, only, glob)) : closest;
  }
  const asked: Asked = { meaning, before, changes };
  const direct = isNamed(path, glob, asked);
  // To list a folder is not to look into the files in it.
  const reachesBelow = (used.recursive || used.bars) && use !== 'list';
  return withFolders && reachesBelow ? or(direct, containsMatch(used, glob, asked, at)) : direct;
}

interface Asked {
  readonly meaning: GlobsMeaning;
  readonly before: Truth;
  /** True if the files that are found there may be changed, or deleted. */
  readonly changes: boolean;
}

/** Tests if the path itself is one that the glob asks for. */
function isNamed(path: Word, glob: Anchored, asked: Asked): Truth {
  const { meaning, before, changes } = asked;
  if (!mayBe(path, glob)) return false;
  const known = knownText(path);
  if (known !== undefined) return testText(glob, known);
  if (!glob.source.startsWith('$') && !compiledOf(glob).alternatives.some((each) => mayFit(path, each)))
    return false;
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
 * Wildcards in a changed or deleted path match all that exists. A path that a glob names in full counts as existing, and so
 * does a name that it asks for in a folder that the path names.
 */
function takesIn(path: Word, glob: Anchored): boolean {
  const places = placesOf(glob);
  if (resolveWildcards(path, places).some((each) => closestName(each, glob) === true)) return true;
  const parent = parentOf(path);
  if (parent === undefined) return false;
  const asked: Asked = { meaning: 'paths', before: false, changes: true };
  return places
    .changed()
    .names.some(
      ({ folder, name }) => mayBeCalled(baseName(path), name) && isNamed(parent, folder, asked) === true,
    );
}

/** Wildcards in the name of a folder that the glob means with all below it: as `.pol*` for `.policy`. */
function isBelow(path: Word, glob: Anchored): boolean {
  const { wholes } = placesOf(glob).changed();
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

/** A use of a folder also uses the things in it, if the glob names a place there. */
function containsMatch({ path, name, folded }: UsedPath, glob: Anchored, asked: Asked, at: Anchors): Truth {
  const text = knownText(path);
  if (text === undefined ? !mayStartAs(path, glob) : !mayLieBelow(text, glob)) return false;
  const places = placesOf(glob);
  const { known, named, roots } = places;
  // Things are put into a folder that is there. Only a missing one is made, with all that lies below it.
  const onDisk = folded === undefined ? text : folded.from;
  const isWhole = name === undefined || (onDisk !== undefined && at.isThere?.(onDisk) === false);
  let truth: Truth = false;
  if (isWhole && text !== undefined) truth = known.has(text);
  else if (
    isWhole &&
    asked.changes &&
    resolveWildcards(path, places).some((each) => known.has(knownText(each) ?? ''))
  )
    truth = true;
  else if (isWhole && roots.length > 0 && pathAnchor(path) === 'unknown') truth = 'unknown';
  for (const folder of named) {
    if (truth === true) return true;
    // A file that may lie anywhere may not be there yet.
    if (isWhole || folder.source.startsWith('**')) truth = or(truth, isNamed(path, folder, asked));
  }
  return truth;
}

/** True if a test takes in a name that a glob writes out in full. */
function isFound(folder: Word, only: Word, glob: Anchored): boolean {
  const text = knownText(folder);
  const written = knownText(only);
  if (text === undefined || written === undefined || !mayStartAs(folder, glob)) return false;
  const pattern = globPieces(written, { escapes: true, stopsAtSlash: true });
  const count = written.split('/').length;
  return placesOf(glob).roots.some((names) => {
    const root = names.join('/');
    const isBelow = text === '/' || root.startsWith(`${text}/`);
    const last = names.slice(-count).join('/');
    return isBelow && testText(glob, root) === true && wordEquals(pattern, last) !== false;
  });
}

/** True if the unknown parts of a path could still change the answer. */
function mayLearn(path: Word, before: Truth, meaning: GlobsMeaning): boolean {
  return before === false || (meaning !== 'exceptions' && hasWildcards(path));
}

/** Whether the unknown parts of a path could make it fit; for exceptions wildcards count as left out. */
function couldFit(path: Word, glob: Anchored, meaning: GlobsMeaning): Truth {
  if (meaning !== 'exceptions') {
    const compiled = compiledOf(glob);
    const truth = wordMatchesGlob(path, compiled);
    return truth === 'unknown' && (isNearlyNamed(path) || isHalfNamed(path, compiled)) ? true : truth;
  }
  const named = path.filter((part) => part.type !== 'glob' && !isSomewhereBelow(part, path));
  return knownText(named) === undefined ? wordMatchesGlob(named, compiledOf(glob)) : false;
}

/** The folders between a named one and the files that find comes upon in it: they are not looked at, as wildcards are not. */
function isSomewhereBelow(part: WordPart, path: Word): boolean {
  return part.type === 'unknown' && part.source === FOUND_FILES && part !== path[0];
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
function climbsPastUnknown(path: Word): boolean {
  return path.some((part) => part.type === 'unknown' && part.source.endsWith('/..'));
}

/** The folder itself where everything in it is meant. */
function withoutEverything(path: Word): Word {
  if (!isEverything(path)) return path;
  const folder = path.slice(0, -1);
  const text = knownText(folder);
  return text === undefined || text === '/' ? folder : textWord(text.replace(/\/$/, ''));
}
