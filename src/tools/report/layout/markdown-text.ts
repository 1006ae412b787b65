import { alignColumns } from './columns.ts';
import { displayWidth } from './display-width.ts';
import type { Paint } from './paint.ts';
import { wrapText } from './wrap-text.ts';

const WIDEST = 120;

/** A page of the documentation for a terminal: headings are emphasised, paragraphs and tables fit into it. */
export function markdownText(lines: readonly string[], paint: Paint): string {
  const columns = Math.min(WIDEST, paint.columns ?? WIDEST);
  return `${blocksOf(lines)
    .flatMap((block) => shownBlock(block, columns, paint))
    .join('\n')}\n`;
}

/** The lines of a page without the marks that only its source shows. */
export function withoutMarks(lines: readonly string[]): readonly string[] {
  const shown: string[] = [];
  for (const [at, line] of lines.entries()) {
    const text = line.replace(/ ?<!--.*?--> ?/g, '');
    const isMark = text === '' && line !== '';
    // Paragraphs around a mark are apart by one empty line.
    if (!isMark && !(text === '' && isMarkLine(lines[at - 1]) && shown.at(-1) === '')) shown.push(text);
  }
  return shown;
}

function isMarkLine(line: string | undefined): boolean {
  return line !== undefined && /^<!--.*-->$/.test(line);
}

type Block = { readonly type: 'code' | 'table' | 'text' | 'other'; readonly lines: string[] };

/** Lines that belong together. */
function blocksOf(lines: readonly string[]): readonly Block[] {
  const blocks: Block[] = [];
  let isCode = false;
  for (const line of lines) {
    const fence = line.startsWith('```');
    if (fence) isCode = !isCode;
    const type = isCode || fence ? 'code' : typeOf(line);
    const last = blocks.at(-1);
    const continues = last?.type === type && !(type === 'text' && /^\s*(?:[-*]|\d+\.) /.test(line));
    if (continues && type !== 'other') last?.lines.push(line);
    else blocks.push({ type, lines: [line] });
  }
  return blocks;
}

function typeOf(line: string): Block['type'] {
  if (line.startsWith('|')) return 'table';
  return line === '' || line.startsWith('#') || line.startsWith('<') ? 'other' : 'text';
}

function shownBlock({ type, lines }: Block, columns: number, paint: Paint): readonly string[] {
  switch (type) {
    case 'code':
      return lines.filter((line) => !line.startsWith('```')).map((line) => `    ${line}`.trimEnd());
    case 'table':
      return tableLines(lines, columns, paint);
    case 'text': {
      const [indent = ''] = /^\s*(?:[-*] |\d+\. )?/.exec(lines[0] ?? '') ?? [];
      const [first = '', ...rest] = lines;
      const text = [first, ...rest.map((line) => line.trim())].join(' ');
      return wrapText(withoutLinks(text), columns, ' '.repeat(indent.length));
    }
    case 'other':
      return lines.map((line) => (line.startsWith('#') ? paint.bold(line) : line));
  }
}

/** Aligned columns where they fit; else each row as its first cell with the others below it. */
function tableLines(lines: readonly string[], columns: number, paint: Paint): readonly string[] {
  const [titles = [], , ...rows] = lines.map(cellsOf);
  const aligned = alignColumns([titles.map(paint.dim), ...rows]);
  if (aligned.every((line) => displayWidth(line) <= columns)) return aligned;
  return rows.flatMap(([name = '', ...cells]) => [
    ...wrapText(name, columns),
    ...cells.flatMap((cell) => wrapText(`    ${cell}`, columns, '    ')),
  ]);
}

function cellsOf(line: string): readonly string[] {
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => withoutLinks(cell.trim().replaceAll('\\|', '|')));
}

function withoutLinks(text: string): string {
  return text.replace(/!?\[([^\]]+)\]\([^)]*\)/g, '$1');
}
