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

/** A page, or several that are read one after the other, named from the root of the repository. */
export type Pages = string | readonly string[];

export function pageText(pages: Pages): string {
  return [pages]
    .flat()
    .map((page) => readFileSync(join(ROOT, page), 'utf8'))
    .join('\n');
}

export function codeBlocks(page: Pages): readonly CodeBlock[] {
  return [...pageText(page).matchAll(FENCE)].map(([, language = '', text = '']) => ({ language, text }));
}

/** What is between single backticks, in the order of the page. */
export function inlineCodes(page: Pages): readonly string[] {
  return [
    ...pageText(page)
      .replaceAll(FENCE, '')
      .matchAll(/`([^`\n]+)`/g),
  ].map(([, text = '']) => text);
}

/** What is between `<!-- name -->` and `<!-- /... -->`. */
export function markedText(page: Pages, name: string): string {
  const { whole, start, end } = placeOf(page, name);
  return whole.slice(start, end).trim();
}

/** The rows of a marked table without its titles; in a cell, an escaped bar is a bar. */
export function tableRows(page: Pages, name: string): readonly (readonly string[])[] {
  const [, , ...rows] = markedText(page, name).split('\n');
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll('\\|', '|')),
  );
}

/** Compares generated text with its place in a page. `UPDATE_GOLDEN=1` writes it there instead. */
export function expectMarkedText(pages: Pages, name: string, text: string): void {
  const { page, whole, start, end } = placeOf(pages, name);
  if (process.env['UPDATE_GOLDEN'] === '1') {
    writeFileSync(join(ROOT, page), `${whole.slice(0, start)}\n${text.trim()}\n${whole.slice(end)}`);
  }
  expect(markedText(pages, name)).toBe(text.trim());
}

/** The page with a mark, and where the text in it begins and ends. */
function placeOf(pages: Pages, name: string) {
  const opening = `<!-- ${name} -->`;
  const page = [pages].flat().find((each) => pageText(each).includes(opening)) ?? '';
  const whole = page === '' ? '' : pageText(page);
  const start = whole.indexOf(opening) + opening.length;
  const end = whole.indexOf(`<!-- /${name.split(' ')[0]} -->`, start);
  if (page === '' || end < 0) throw new Error(`Cannot find "${name}" in ${pages}: it is not marked`);
  return { page, whole, start, end };
}

/** The reference of the language. */
export const LANGUAGE_PAGES = [
  'docs/policy.md',
  'docs/matching.md',
  'docs/tools.md',
  'docs/command.md',
  'docs/path.md',
  'docs/url.md',
  'docs/history.md',
  'docs/actions.md',
  'docs/answers.md',
  'docs/rewrites.md',
  'docs/layers.md',
  'docs/allow.md',
];
/** What is said of agents and their hooks. */
export const AGENT_PAGES = [
  'docs/hosts.md',
  'docs/failures.md',
  'docs/picoclaw.md',
  'docs/gemini.md',
  'docs/jcli.md',
];
