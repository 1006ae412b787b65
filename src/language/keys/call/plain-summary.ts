import { causeNamed } from '../../../model/consequences.ts';
import type { PlainScript } from '../../../reader/commands/plain-script.ts';
import { textWord } from '../../../reader/reading/word.ts';
import { sameWords } from '../command/same-subcommand.ts';
import type { ReadingSummary } from './reading-summary.ts';
import { TRAITS } from './traits.ts';
import type { UsedPath } from './used-path.ts';

/** The summary of a script whose strongest effects are known without reading it. */
export function summaryOfPlain({ names, words, use, mayChange }: PlainScript): ReadingSummary {
  const reads = use === 'write' || use === 'read';
  const uses =
    (use === undefined ? 0 : TRAITS.list) | (reads ? TRAITS.read : 0) | (use === 'write' ? TRAITS.write : 0);
  return {
    names,
    hasUnknownName: false,
    words: sameWords(names, words),
    hasUnknownWord: false,
    causes: mayChange ? [causeNamed('changes', 'files')] : [],
    wrappers: [],
    traits: mayChange ? uses | TRAITS.changes : uses,
    hasGaps: false,
  };
}

/** The paths that it may use. */
export function pathsOfPlain({ paths, use, reachesBelow }: PlainScript): readonly UsedPath[] {
  return paths.map((path) => ({
    use,
    path: textWord(path),
    recursive: reachesBelow,
    name: undefined,
    bars: false,
    only: undefined,
    chosen: false,
  }));
}
