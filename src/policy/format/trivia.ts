import type { Comment } from './comments.ts';
import { UnusualSyntax } from './syntax-node.ts';

/** What stands between values: a comment on a line of its own, or a blank line. */
export type Trivia =
  | { readonly type: 'blank' }
  | { readonly type: 'comment'; readonly text: string; readonly column: number; readonly end: number };

/** Finds comments and blank lines by their place. */
export interface TriviaReader {
  /** The comment behind an offset on the same line, if nothing else stands between. */
  readonly behind: (offset: number) => Comment | undefined;
  /** The first comment that begins in a stretch. */
  readonly firstIn: (from: number, to: number) => Comment | undefined;
  /** How far into its line an offset is. */
  readonly columnOf: (offset: number) => number;
  /**
   * Comments and blank lines of a stretch that holds nothing else; several blank lines count as one.
   *
   * @throws {UnusualSyntax} if it holds something else
   */
  readonly between: (from: number, to: number) => readonly Trivia[];
}

export function createTriviaReader(text: string, comments: readonly Comment[]): TriviaReader {
  const byStart = new Map(comments.map((comment) => [comment.start, comment]));
  const columnOf = (offset: number) => offset - (text.lastIndexOf('\n', offset - 1) + 1);
  return {
    columnOf,
    firstIn: (from, to) => {
      const first = comments[indexFrom(comments, from)];
      return first !== undefined && first.start < to ? first : undefined;
    },
    behind: (offset) => {
      let at = offset;
      while (text[at] === ' ' || text[at] === '\t') at += 1;
      return byStart.get(at);
    },
    between: (from, to) => {
      const trivia: Trivia[] = [];
      let breaks = columnOf(from) === 0 ? 1 : 0;
      for (let at = from; at < to; ) {
        const comment = byStart.get(at);
        const unit = text[at] ?? '';
        if (comment !== undefined) {
          trivia.push({ type: 'comment', text: comment.text, column: columnOf(at), end: comment.end });
          at = comment.end;
          breaks = 0;
          continue;
        }
        if (unit === '\n') {
          breaks += 1;
          if (breaks > 1 && trivia.at(-1)?.type !== 'blank') trivia.push({ type: 'blank' });
        } else if (!/\s/.test(unit)) throw new UnusualSyntax(`"${unit}" stands where only comments can`);
        at += 1;
      }
      return trivia;
    },
  };
}

/** The index of the first comment at or behind an offset. */
function indexFrom(comments: readonly Comment[], offset: number): number {
  let low = 0;
  let high = comments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((comments[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Comments and blank lines as lines. */
export function triviaLines(trivia: readonly Trivia[], indent: string): readonly string[] {
  return trivia.map((item) => (item.type === 'blank' ? '' : indent + item.text));
}

/** A line with a comment behind it, in the column where it stood if there is room. */
export function withComment(
  line: string,
  comment: Comment | undefined,
  { columnOf }: Pick<TriviaReader, 'columnOf'>,
): string {
  if (comment === undefined) return line;
  const column = columnOf(comment.start);
  return `${line.padEnd(column > line.length ? column : line.length + 2)}${comment.text}`;
}
