import { Lexer } from 'yaml';

/** A comment with its span, without the line break. */
export interface Comment {
  readonly start: number;
  readonly end: number;
  /** From the `#` on, without spaces at the end. */
  readonly text: string;
}

/** Marks of the lexer that are not in the text: a document, the end of brackets, a scalar. */
const MARKS = ['\x02', '\x18', '\x1f'];
const SCALAR = '\x1f';

/** Every comment of a text, in order. A `#` inside a value is none. */
export function commentsIn(text: string): readonly Comment[] {
  const comments: Comment[] = [];
  let at = 0;
  let before = '';
  for (const token of new Lexer().lex(text)) {
    const start = at;
    if (!MARKS.includes(token)) at += token.length;
    if (token.startsWith('#') && before !== SCALAR) comments.push({ start, end: at, text: token.trimEnd() });
    before = token;
  }
  return comments;
}

/** The column of each comment, from 0; of equal ones the first. */
export function commentColumns(text: string): ReadonlyMap<string, number> {
  return new Map(
    commentsIn(text)
      .toReversed()
      .map((each) => [each.text, columnOf(text, each.start)]),
  );
}

/** A comment behind a long line stays near the rest of it. */
const MAX_GAP = 40;

/** Moves comments back behind their lines of the source, in the same column if there is room. */
export function alignComments(text: string, source: string): string {
  const columns = new Map<string, number[]>();
  for (const { text: comment, start } of commentsIn(source).filter((each) => isBehind(source, each)))
    columns.set(comment, [...(columns.get(comment) ?? []), columnOf(source, start)]);
  let moved = '';
  let at = 0;
  for (const comment of commentsIn(text)) {
    const wanted = columns.get(comment.text)?.[0];
    if (wanted === undefined) continue;
    const lineStart = comment.start - columnOf(text, comment.start);
    // The library writes a comment behind the key of a block below it.
    const from = isBehind(text, comment) ? comment.start : lineStart - 1;
    if (!isBehind(text, comment) && text[from - 1] !== ':') continue;
    columns.get(comment.text)?.shift();
    const kept = text.slice(at, from).trimEnd();
    const column = columnOf(moved + kept, (moved + kept).length);
    const gap = wanted - column;
    moved += `${kept}${' '.repeat(gap < 1 ? 1 : gap > MAX_GAP ? 2 : gap)}`;
    at = comment.start;
  }
  return moved + text.slice(at);
}

function isBehind(text: string, { start }: Comment): boolean {
  return text.slice(start - columnOf(text, start), start).trim() !== '';
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}
