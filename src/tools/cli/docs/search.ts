import type { Section } from './sections.ts';

/** Pages that words do not find: the list of the others, and those about the code of this program. */
export const UNSEARCHED: readonly string[] = ['README', 'architecture', '../CONTRIBUTING'];

/** The weight of a word in a heading or in people's questions, and in the page's title; many words below count 2.2. */
const TITLE_WEIGHT = 2.5;
const PAGE_WEIGHT = 0.5;
/** How soon one more of the same word stops to count, and how much long sections count less: the usual values of BM25. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;
const ENDING = /(?:ies|ing|ed|es|s|e|y)$/;
const MIN_STEM_CHARS = 3;
/** Words of questions that say nothing of the subject. */
const EMPTY_WORDS = new Set(
  'a about all an and any are be by can did do does for from get has have how i if in is it me much my of on or should so that the them there they this to use want what when where which who why will with would you your'.split(
    ' ',
  ),
);

/** How often each wanted word is in a section, and its weight if it is in the titles. */
interface Counted {
  readonly section: Section;
  readonly counts: ReadonlyMap<string, number>;
  readonly bonuses: ReadonlyMap<string, number>;
  readonly words: number;
}

/** The best sections for these words: rare words and headings count most. Each has at least half of them. */
export function searchSections(text: string, sections: readonly Section[]): readonly Section[] {
  const wanted = [...new Set(wordsOf(text))];
  if (wanted.length === 0) return [];
  const counted = sections.map((section) => countedWords(section, wanted));
  const mean = counted.reduce((sum, { words }) => sum + words, 0) / Math.max(counted.length, 1);
  const rarity = new Map(
    wanted.map((word) => {
      const having = counted.filter((each) => has(each, word)).length;
      return [word, Math.log(1 + (counted.length - having + 0.5) / (having + 0.5))];
    }),
  );
  const scoreOf = (each: Counted): number => {
    const length = 1 - LENGTH_SHARE + (LENGTH_SHARE * each.words) / mean;
    const parts = wanted.map((word) => {
      const count = each.counts.get(word) ?? 0;
      const below = (count * (SATURATION + 1)) / (count + SATURATION * length);
      return (rarity.get(word) ?? 0) * (below + (each.bonuses.get(word) ?? 0));
    });
    return (parts.reduce((sum, part) => sum + part, 0) * hadBy(each)) / wanted.length;
  };
  const hadBy = (each: Counted) => wanted.filter((word) => has(each, word)).length;
  return counted
    .filter((each) => hadBy(each) > 0 && hadBy(each) * 2 >= wanted.length)
    .map((each) => ({ section: each.section, score: scoreOf(each) }))
    .sort((a, b) => b.score - a.score)
    .map(({ section }) => section);
}

function has({ counts, bonuses }: Counted, word: string): boolean {
  return counts.has(word) || bonuses.has(word);
}

function countedWords(section: Section, wanted: readonly string[]): Counted {
  const counts = new Map<string, number>();
  const below = wordsOf(
    section.own
      .slice(1)
      .join('\n')
      .replaceAll(/^<!-- .*$/gm, ''),
  );
  for (const word of below) if (wanted.includes(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const titles = wordsOf(`${section.title} ${section.asked}`);
  const page = wordsOf(`${section.page} ${section.pageTitle}`);
  const bonusOf = (word: string) =>
    (titles.includes(word) ? TITLE_WEIGHT : 0) + (page.includes(word) ? PAGE_WEIGHT : 0);
  const bonuses = new Map(
    wanted.flatMap((word) => (bonusOf(word) > 0 ? [[word, bonusOf(word)] as const] : [])),
  );
  return { section, counts, bonuses, words: below.length };
}

/** Words without their endings, so that `pushing` finds `push`. */
function wordsOf(text: string): readonly string[] {
  return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).flatMap((word) => {
    if (EMPTY_WORDS.has(word)) return [];
    const stem = word.replace(ENDING, '');
    return [stem.length < MIN_STEM_CHARS ? word : stem];
  });
}
