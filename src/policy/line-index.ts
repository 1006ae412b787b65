/** Finds lines and columns of a text by offset, many times. */
export interface LineIndex {
  /** Line and column of an offset, from 1; columns count UTF-16 units. */
  readonly at: (offset: number) => { readonly line: number; readonly column: number };
  /** The offset where the line of an offset ends, its line break excluded. */
  readonly lineEnd: (offset: number) => number;
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
    lineEnd: (offset) => {
      let end = offset;
      while (end < text.length && text[end] !== '\n' && text[end] !== '\r') end++;
      return end;
    },
  };
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 10 || (code === 13 && text.charCodeAt(i + 1) !== 10)) starts.push(i + 1);
  }
  return starts;
}
