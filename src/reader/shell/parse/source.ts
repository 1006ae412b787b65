import type { Span } from '../../reading/reading.ts';
import type { WordPart } from '../../reading/word.ts';

/** A text that is being read, and how its positions relate to the outermost text. */
export interface Source {
  readonly text: string;
  /** The word parts that the placeholders in the text replace. */
  readonly placeholders: readonly WordPart[];
  /** The offset of the text in the outermost one, if it is there as it is. */
  readonly offset: number | undefined;
  /** The place in the outermost text to name where there is no exact one. */
  readonly span: Span;
}

export function outermostSource(text: string): Source {
  return { text, placeholders: [], offset: 0, span: { start: 0, end: text.length } };
}

/** The span in the outermost text of a piece of this one. The parser may place an end behind a text that breaks off. */
export function spanIn({ text, offset, span }: Source, start: number, end: number): Span {
  return offset === undefined
    ? span
    : { start: offset + Math.min(start, text.length), end: offset + Math.min(end, text.length) };
}

/** The offset in the outermost text of a position in this one, if the two agree there. */
export function offsetIn(source: Source, at: number): number | undefined {
  return source.offset === undefined ? undefined : source.offset + at;
}
