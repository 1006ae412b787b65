import type { Surroundings } from '../model/surroundings.ts';
import { knownText } from '../reading/word.ts';
import { formsOf } from './path-forms.ts';
import type { UsedPath } from './used-path.ts';

/** The paths of a call, all of them known. */
export interface PathTexts {
  /** As they are written and where their links lead. */
  readonly texts: readonly string[];
  /** True if what is done to one of them is done to what lies below it. */
  readonly reachesBelow: boolean;
}

/** Paths as text; undefined if one of them is not fully known. */
export function pathTexts(paths: readonly UsedPath[], surroundings: Surroundings): PathTexts | undefined {
  const texts = new Set<string>();
  let reachesBelow = false;
  for (const used of paths) {
    if (used.only !== undefined) return undefined;
    // To list a folder is not to look into what lies in it.
    reachesBelow ||= (used.recursive || used.bars) && used.use !== 'list';
    for (const { path } of formsOf(used, surroundings)) {
      const text = knownText(path);
      if (text === undefined) return undefined;
      texts.add(text);
    }
  }
  return { texts: [...texts], reachesBelow };
}
