/** The line and column of an offset. Lines end with LF, CRLF or CR; offsets outside the text are moved to its nearest end. */
export function positionAt(text: string, offset: number): { readonly line: number; readonly column: number } {
  const target = Math.min(Math.max(offset, 0), text.length);
  let line = 1;
  let start = 0;
  for (let next = endOfLine(text, start); next < target; next = endOfLine(text, start)) {
    const afterBreak = next + breakLength(text, next);
    if (afterBreak > target) break;
    start = afterBreak;
    line += 1;
  }
  return { line, column: target - start + 1 };
}

/** A line's text without its line break; empty if the text has fewer lines. */
export function excerptAt(text: string, line: number): string {
  let start = 0;
  for (let here = 1; here < line; here++) {
    const end = endOfLine(text, start);
    if (end === text.length) return '';
    start = end + breakLength(text, end);
  }
  return text.slice(start, endOfLine(text, start));
}

function endOfLine(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 10 || unit === 13) return i;
  }
  return text.length;
}

function breakLength(text: string, index: number): number {
  return text.charCodeAt(index) === 13 && text.charCodeAt(index + 1) === 10 ? 2 : 1;
}
