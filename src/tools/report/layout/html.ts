import { printable } from './printable.ts';

/** The look of every page, light and dark. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --ink: #1c2024; --dim: #60646c; --page: #fff; --line: #e4e6ea; --bar: #3b6ea5; --bad: #a1261f; --good: #18603a; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --dim: #9ba1a9; --page: #14171a; --line: #2b3036; --bar: #79a8d9; --bad: #f2a49e; --good: #86d9a8; } }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 80rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.5rem; margin: 0 0 1rem; }
h2 { font-size: 1.1rem; margin: 2.5rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th { text-align: left; color: var(--dim); font-weight: 500; }
th, td { padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
.number { text-align: right; }
code { font: 13px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
.bad { color: var(--bad); }
.good { color: var(--good); }
.dim { color: var(--dim); }
`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for HTML: whatever is in it shows nothing but itself. */
export function html(text: string): string {
  return printable(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

export interface PageScript {
  /** Text that nobody but this program has written. */
  readonly code: string;
}

/**
 * A page that needs nothing else and may do nothing else: it loads nothing, and runs no script but its own.
 *
 * @param body HTML
 */
export function htmlPage(title: string, body: readonly string[], style = '', script?: PageScript): string {
  const rule = script === undefined ? '' : `script-src 'sha256-${base64Digest(script.code)}'; `;
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; ${rule}style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${html(title)}</title>`,
    `<style>${PAGE_STYLE}${style}</style>`,
    '<main>',
    `<h1>${html(title)}</h1>`,
    ...body,
    '</main>',
    ...(script === undefined ? [] : [`<script>${script.code}</script>`]),
    '</html>',
    '',
  ].join('\n');
}

/** A column of a table: its title, and whether it holds numbers. */
export type HtmlColumn = string | { readonly number: string };

/** A table of cells that are HTML; a sentence in its place if there are none. */
export function htmlTable(
  columns: readonly HtmlColumn[],
  rows: readonly (readonly string[])[],
  none = 'None',
): string {
  if (rows.length === 0) return `<p class="dim">${html(none)}</p>`;
  const attribute = (index: number) => (typeof columns[index] === 'string' ? '' : ' class="number"');
  const titles = columns.map(
    (column, index) =>
      `<th scope="col"${attribute(index)}>${html(typeof column === 'string' ? column : column.number)}</th>`,
  );
  return [
    `<table><thead><tr>${titles.join('')}</tr></thead><tbody>`,
    ...rows.map(
      (row) => `<tr>${row.map((cell, index) => `<td${attribute(index)}>${cell}</td>`).join('')}</tr>`,
    ),
    '</tbody></table>',
  ].join('\n');
}

function base64Digest(text: string): string {
  return new Bun.CryptoHasher('sha256').update(text).digest('base64');
}
