/** Finds lines and columns of a text by offset, many times. */
export interface LineIndex {
  /** Line and column of an offset, from 1; columns count UTF-16 units. */
  readonly at: (offset: number) => { readonly line: number; readonly column: number };
  /** How much of a span is on its first line, in UTF-16 units, at least 1. */
  readonly length: (start: number, end: number) => number;
}

/** Reads the text once. Line breaks are those of YAML: LF, CR and CRLF. */
export function createLineIndex(text: string): LineIndex {
  const starts = lineStarts(text);
  const lineOf = (offset: number): number => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    at: (offset) => {
      const line = lineOf(offset);
      return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
    },
    length: (start, end) => {
      const next = starts[lineOf(start) + 1];
      if (next === undefined || next > end) return Math.max(1, end - start);
      const afterBreak = text[next - 2] === '\r' && text[next - 1] === '\n' ? 2 : 1;
      return Math.max(1, next - afterBreak - start);
    },
  };
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (const { index, 0: lineBreak } of text.matchAll(/\r\n|[\r\n]/g)) starts.push(index + lineBreak.length);
  return starts;
}
