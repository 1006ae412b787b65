import type { Surroundings } from '../../../model/surroundings.ts';
import { knownText } from '../../../reader/reading/word.ts';
import { foldedSurroundings } from '../call/folded-surroundings.ts';
import type { UsedPath } from '../call/used-path.ts';
import { formsOf, mayBeFolded } from './forms.ts';

/** The paths of a call, all of them known. */
export interface PathTexts {
  /** As they are written and where their links lead. */
  readonly texts: readonly string[];
  /** As a volume reads them that folds names; empty where none does. */
  readonly folded: readonly string[];
  /** True if a use of one of them extends to the files below it. */
  readonly reachesBelow: boolean;
}

/** Paths as text; undefined if one of them is not fully known. */
export function pathTexts(paths: readonly UsedPath[], surroundings: Surroundings): PathTexts | undefined {
  const texts = new Set<string>();
  const folded = new Set<string>();
  let reachesBelow = false;
  for (const used of paths) {
    if (used.only !== undefined) return undefined;
    // To list a folder is not to look into the files in it.
    reachesBelow ||= (used.recursive || used.bars) && used.use !== 'list';
    for (const { path } of formsOf(used, surroundings)) {
      const text = knownText(path);
      if (text === undefined) return undefined;
      texts.add(text);
    }
    if (!mayBeFolded(used, surroundings)) continue;
    for (const { path } of formsOf(used, foldedSurroundings(surroundings))) {
      const text = knownText(path);
      if (text === undefined) return undefined;
      folded.add(text);
    }
  }
  return { texts: [...texts], folded: [...folded], reachesBelow };
}
