import type { Section } from './sections.ts';

/** A word in the heading counts as much as this many below it. */
const TITLE_WEIGHT = 6;
/** How soon one more of the same word stops to count, and how much long sections count less: the usual values of BM25. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;
const ENDING = /(?:ing|ed|es|s)$/;
const MIN_STEM_CHARS = 3;
/** Words of questions that say nothing of what is asked. */
const EMPTY_WORDS = new Set(
  'a an and are be by can did do does for from how i if in is it my of on or the to what when where which who why with'.split(
    ' ',
  ),
);

interface Counted {
  readonly section: Section;
  readonly counts: ReadonlyMap<string, number>;
  readonly words: number;
}

/**
 * The sections that say most about these words, best first: rare words and those in headings count most. Those with less
 * than half of the words do not count.
 */
export function searchSections(text: string, sections: readonly Section[]): readonly Section[] {
  const wanted = [...new Set(wordsOf(text))];
  if (wanted.length === 0) return [];
  const counted = sections.map((section) => countedWords(section, wanted));
  const mean = counted.reduce((sum, { words }) => sum + words, 0) / Math.max(counted.length, 1);
  const rarity = new Map(
    wanted.map((word) => {
      const having = counted.filter(({ counts }) => counts.has(word)).length;
      return [word, Math.log(1 + (counted.length - having + 0.5) / (having + 0.5))];
    }),
  );
  const scoreOf = ({ counts, words }: Counted): number => {
    const length = 1 - LENGTH_SHARE + (LENGTH_SHARE * words) / mean;
    const parts = [...counts].map(
      ([word, count]) => ((rarity.get(word) ?? 0) * count * (SATURATION + 1)) / (count + SATURATION * length),
    );
    return parts.reduce((sum, part) => sum + part, 0) * (counts.size / wanted.length);
  };
  return counted
    .filter(({ counts }) => counts.size > 0 && counts.size * 2 >= wanted.length)
    .map((each) => ({ section: each.section, score: scoreOf(each) }))
    .sort((a, b) => b.score - a.score)
    .map(({ section }) => section);
}

function countedWords(section: Section, wanted: readonly string[]): Counted {
  const counts = new Map<string, number>();
  const below = wordsOf(section.own.slice(1).join('\n'));
  const add = (word: string, weight: number) => {
    if (wanted.includes(word)) counts.set(word, (counts.get(word) ?? 0) + weight);
  };
  for (const word of wordsOf(section.title)) add(word, TITLE_WEIGHT);
  for (const word of below) add(word, 1);
  return { section, counts, words: below.length };
}

/** Words without their endings, so that `pushing` finds `push`. */
function wordsOf(text: string): readonly string[] {
  return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).flatMap((word) => {
    if (EMPTY_WORDS.has(word)) return [];
    const stem = word.replace(ENDING, '');
    return [stem.length < MIN_STEM_CHARS ? word : stem];
  });
}
