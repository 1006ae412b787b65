/** A part of a page of the documentation: a heading with all that is below it. */
export interface Section {
  /** The page's file name without its ending. */
  readonly page: string;
  readonly title: string;
  /** As code hosts make it of the title; empty for the page as a whole. */
  readonly anchor: string;
  /** In which words people ask about it, as a comment of the page says: `<!-- asked: … -->`. */
  readonly asked: string;
  readonly pageTitle: string;
  /** The heading and its own part, up to the next heading. */
  readonly own: readonly string[];
  /** With the parts below it. */
  readonly whole: readonly string[];
}

const ASKED = /^<!-- asked: (.*) -->$/;

/** The sections of a page in their order; the first is the page itself. */
export function sectionsOf(page: string, text: string): readonly Section[] {
  const lines = text.trimEnd().split('\n');
  const headings: { readonly at: number; readonly level: number; readonly title: string }[] = [];
  let isCode = false;
  for (const [at, line] of lines.entries()) {
    if (line.startsWith('```')) isCode = !isCode;
    const [, marks = '', title = ''] = isCode ? [] : (/^(#+) (.*)$/.exec(line) ?? []);
    if (marks !== '') headings.push({ at, level: marks.length, title });
  }
  return headings.map(({ at, level, title }, index) => {
    const later = headings.slice(index + 1);
    const own = lines.slice(at, later[0]?.at);
    return {
      page,
      title,
      anchor: index === 0 ? '' : anchorOf(title),
      asked: own.flatMap((line) => ASKED.exec(line)?.[1] ?? []).join(' '),
      pageTitle: headings[0]?.title ?? '',
      own,
      whole: lines.slice(at, later.find((other) => other.level <= level)?.at),
    };
  });
}

/** The name of a heading in links. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}
