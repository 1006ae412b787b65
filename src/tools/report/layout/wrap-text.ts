import { displayWidth } from './display-width.ts';

/** Too little room to break lines in. */
const MIN_COLUMNS = 20;

/**
 * A line of running text as lines that fit into so many columns, broken at spaces, but not before a unit. A word that is
 * longer stays whole.
 *
 * @param indent the start of the second line and those after it
 */
export function wrapText(text: string, columns: number, indent = ''): readonly string[] {
  if (displayWidth(text) <= columns || columns - indent.length < MIN_COLUMNS) return [text];
  const lines: string[] = [];
  // The spaces at its beginning and between columns are part of it.
  let line = '';
  for (const [part] of text.matchAll(/\s*\S+(?:(?<=\d) (?:µs|ms|s|%)(?!\S))?/g)) {
    if (line.trim() !== '' && displayWidth(line + part) > columns) {
      lines.push(line);
      line = indent + part.trimStart();
    } else line += part;
  }
  return [...lines, line];
}
