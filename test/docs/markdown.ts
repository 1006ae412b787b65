import { expect } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dir, '../..');
const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm;

/** A fenced block. */
export interface CodeBlock {
  readonly language: string;
  readonly text: string;
}

/** The text of a page, named from the root of the repository. */
export function pageText(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}

export function codeBlocks(page: string): readonly CodeBlock[] {
  return [...pageText(page).matchAll(FENCE)].map(([, language = '', text = '']) => ({ language, text }));
}

/** What is between single backticks, in the order of the page. */
export function inlineCodes(page: string): readonly string[] {
  return [
    ...pageText(page)
      .replaceAll(FENCE, '')
      .matchAll(/`([^`\n]+)`/g),
  ].map(([, text = '']) => text);
}

/** What is between `<!-- name -->` and `<!-- /... -->`. */
export function markedText(page: string, name: string): string {
  const { start, end } = placeOf(page, name);
  return pageText(page).slice(start, end).trim();
}

/** The rows of a marked table without its titles; in a cell, an escaped bar is a bar. */
export function tableRows(page: string, name: string): readonly (readonly string[])[] {
  const [, , ...rows] = markedText(page, name).split('\n');
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll('\\|', '|')),
  );
}

/** Compares generated text with its place in a page. `UPDATE_GOLDEN=1` writes it there instead. */
export function expectMarkedText(page: string, name: string, text: string): void {
  const { start, end } = placeOf(page, name);
  if (process.env['UPDATE_GOLDEN'] === '1') {
    const whole = pageText(page);
    writeFileSync(join(ROOT, page), `${whole.slice(0, start)}\n${text.trim()}\n${whole.slice(end)}`);
  }
  expect(markedText(page, name)).toBe(text.trim());
}

/** Where the marks of a name end and begin. */
function placeOf(page: string, name: string): { readonly start: number; readonly end: number } {
  const whole = pageText(page);
  const opening = `<!-- ${name} -->`;
  const start = whole.indexOf(opening) + opening.length;
  const end = whole.indexOf(`<!-- /${name.split(' ')[0]} -->`, start);
  if (start < opening.length || end < 0)
    throw new Error(`Cannot find "${name}" in ${page}: it is not marked`);
  return { start, end };
}
