import { topAlternatives } from './regex-alternatives.ts';

/** A pattern that matches more, and what was taken from it. */
export interface WiderPattern {
  readonly without: string;
  readonly pattern: string;
}

/** A regex without the anchors at the ends of one of its alternatives, each by itself. */
export function widerRegexes(source: string): readonly WiderPattern[] {
  const top = topAlternatives(source);
  if (top === undefined) {
    const flags = /^\(\?[imsU-]+\)/.exec(source)?.[0] ?? '';
    return unanchored(source.slice(flags.length)).map((wider) => ({
      ...wider,
      pattern: flags + wider.pattern,
    }));
  }
  return top.alternatives.flatMap((alternative, index) =>
    unanchored(alternative).map(({ without, pattern }) => ({
      without: `${without} of "${alternative}"`,
      pattern: top.before + top.alternatives.with(index, pattern).join('|'),
    })),
  );
}

const START = /^(?:\^|\\b|\\A)/;
/** The backslash of the anchor is not escaped itself. */
const END = /(?<=(?:^|[^\\])(?:\\\\)*)(?:\$|\\b|\\z)$/;

function unanchored(source: string): readonly WiderPattern[] {
  return [START, END].flatMap((anchor) => {
    const found = anchor.exec(source)?.[0];
    const pattern = source.replace(anchor, '');
    return found === undefined || pattern === '' ? [] : [{ without: `"${found}"`, pattern }];
  });
}

/** A glob in which one `*` that stands for a folder or file crosses folders, each by itself. */
export function widerGlobs(glob: string): readonly WiderPattern[] {
  return [...glob.matchAll(/(?<=^|\/)\*(?=\/|$)/g)].map(({ index }) => ({
    without: `the limit of "*" to one folder`,
    pattern: `${glob.slice(0, index)}**${glob.slice(index + 1)}`,
  }));
}
