import type { Section } from './sections.ts';

export interface Topic {
  readonly lines: readonly string[];
  /** Other topics that explain it. */
  readonly elsewhere: readonly string[];
}

/**
 * The documentation of a topic: a page, a heading (also in the singular), or a word that a table explains. Pages count in
 * order.
 */
export function findTopic(topic: string, sections: readonly Section[]): Topic | undefined {
  const [page = '', anchor] = topic.toLowerCase().split('#');
  const wanted = page.replaceAll(' ', '-');
  const named = sections.filter((section) => section.page === page && section.anchor === (anchor ?? ''));
  const titled =
    anchor === undefined ? sections.filter((section) => isName(wanted, section.anchor || section.page)) : [];
  const listed = anchor === undefined ? rowsAbout(page, sections) : [];
  const [first, ...rest] = [
    ...named.map((section) => ({ section, lines: section.whole })),
    ...titled.map((section) => ({ section, lines: section.whole })),
    ...listed.map((section) => ({ section, lines: section.own })),
  ];
  if (first === undefined) return undefined;
  const others = rest
    .filter(({ section }) => section !== first.section)
    .map(({ section }) => topicOf(section));
  return { lines: first.lines, elsewhere: [...new Set(others)] };
}

/** The topic with which `policy docs` shows a section. */
export function topicOf({ page, anchor }: Section): string {
  return anchor === '' ? page : `${page}#${anchor}`;
}

function isName(wanted: string, anchor: string): boolean {
  return anchor === wanted || anchor === `${wanted}s` || `${anchor}s` === wanted;
}

/** Sections with the row of a table that explains the word: first those where the row is about nothing else. */
function rowsAbout(word: string, sections: readonly Section[]): readonly Section[] {
  const code = `\`${word}\``;
  const having = (fits: (cell: string) => boolean) =>
    sections.filter(({ own }) =>
      own.some((line) => fits((/^\| (`[^|]*`) \|/.exec(line)?.[1] ?? '').toLowerCase())),
    );
  return [...new Set([...having((cell) => cell === code), ...having((cell) => cell.includes(code))])];
}
