/** The place at which the parser gave up. */
export interface Stop {
  readonly text: string;
  readonly offset: number;
  /** The character there; empty at the end. */
  readonly char: string;
  /** Its line, and the part of that before it. */
  readonly line: Line;
  readonly before: string;
}

/** A line of a text, without its line break. */
export interface Line {
  readonly start: number;
  readonly text: string;
}

export function stopAt(text: string, offset: number): Stop {
  const line = lineAround(text, offset);
  const before = line.text.slice(0, offset - line.start);
  return { text, offset, char: text.charAt(offset), line, before };
}

/** The lines above another, nearest first, without those that are empty or a comment. */
export function* linesAbove(text: string, { start }: Line): Generator<Line> {
  for (let end = start; end > 0; ) {
    const line = lineAround(text, end - 1);
    end = line.start;
    if (!/^[ \t]*(?:#|$)/.test(line.text)) yield line;
  }
}

export function lineNumber(text: string, { start }: Line): number {
  return (text.slice(0, start).match(/\r\n|[\r\n]/g)?.length ?? 0) + 1;
}

/** The offset of a line break belongs to the line that it ends. */
function lineAround(text: string, offset: number): Line {
  let start = offset;
  if (text[start - 1] === '\r' && text[start] === '\n') start--;
  while (start > 0 && !isBreak(text[start - 1])) start--;
  let end = start;
  while (end < text.length && !isBreak(text[end])) end++;
  return { start, text: text.slice(start, end) };
}

function isBreak(char: string | undefined): boolean {
  return char === '\n' || char === '\r';
}
