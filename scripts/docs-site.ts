// Writes the documentation as pages that need no server: `bun scripts/docs-site.ts [DIR] [REPOSITORY]`, dist/docs by default.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UNSEARCHED } from '../src/tools/cli/docs/search.ts';
import { sectionsOf } from '../src/tools/cli/docs/sections.ts';
import { PLAYGROUND } from '../src/tools/generated/playground.ts';
import { html, PAGE_STYLE } from '../src/tools/report/layout/html.ts';
import { withoutMarks } from '../src/tools/report/layout/markdown-text.ts';
import { docsPages } from './docs-pages.ts';

const ROOT = join(import.meta.dir, '..');
const STYLE = PAGE_STYLE + readFileSync(join(import.meta.dir, 'docs-site/page.css'), 'utf8');
/** Pages that have another name than their file. */
const NAMES: Readonly<Record<string, string>> = { README: 'contents', '../CONTRIBUTING': 'contributing' };

/** Writes a page for each page of the documentation, one that searches them, and the playground. */
export async function writeDocsSite(folder: string, repository?: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const pages = { ...docsPages(), '../CONTRIBUTING': inDocs(read('CONTRIBUTING.md')) };
  const menu = Object.entries(pages).map(([name, text]) => ({ file: fileOf(name), title: titleOf(text) }));
  const write = (file: string, title: string, body: string, script = '') =>
    writeFileSync(join(folder, file), pageOf(title, file, menu, body, script));
  for (const [name, text] of Object.entries(pages))
    write(fileOf(name), titleOf(text), bodyOf(text, repository));
  write('index.html', 'policy', bodyOf(inDocs(read('README.md')), repository));
  const sections = Object.entries(pages)
    .filter(([name]) => !UNSEARCHED.includes(name))
    .flatMap(([name, text]) => sectionsOf(name, text))
    .map((section) => ({ ...section, whole: [], file: fileOf(section.page) }));
  const data = JSON.stringify(sections).replaceAll('<', '\\u003c');
  const results = `<h1>Search</h1><ol id="results"></ol><script type="application/json" id="sections">${data}</script>`;
  write('search.html', 'Search', results, await searchScript());
  writeFileSync(join(folder, 'playground.html'), PLAYGROUND);
}

interface MenuEntry {
  readonly file: string;
  readonly title: string;
}

/** A page that loads nothing and runs no script but its own. */
function pageOf(
  title: string,
  file: string,
  menu: readonly MenuEntry[],
  body: string,
  script: string,
): string {
  const rules = [
    "default-src 'none'",
    'img-src data:',
    `style-src ${hashOf(STYLE)}`,
    ...(script === '' ? [] : [`script-src ${hashOf(script)}`]),
    "base-uri 'none'",
  ];
  const entries = [
    { file: 'index.html', title: 'Start' },
    ...menu,
    { file: 'playground.html', title: 'Playground' },
  ];
  const links = entries.map((entry) => {
    const here = entry.file === file ? ' aria-current="page"' : '';
    return `<li><a href="${entry.file}"${here}>${html(entry.title)}</a></li>`;
  });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${rules.join('; ')}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${html(title)}</title>
<style>${STYLE}</style>
<a class="skip" href="#text">Skip to the text</a>
<header><a href="index.html">policy</a>
<form action="search.html" role="search"><input type="search" name="q" aria-label="Search" placeholder="Search" accesskey="s"></form></header>
<nav aria-label="Pages"><ul>${links.join('')}</ul></nav>
<main id="text">${body}</main>
${script === '' ? '' : `<script>${script}</script>\n`}</html>
`;
}

/** The text of a page as HTML. A link to a file without a page leads to the repository, where there is one. */
function bodyOf(text: string, repository: string | undefined): string {
  const lines = withoutMarks(text.split('\n')).join('\n');
  const picture = `data:image/svg+xml;base64,${Buffer.from(read('docs/session.svg')).toString('base64')}`;
  return Bun.markdown
    .html(lines, { headings: { ids: true }, noHtmlBlocks: true, noHtmlSpans: true })
    .replaceAll('src="session.svg"', `src="${picture}"`)
    .replace(/<a href="([^":]*)">(.*?)<\/a>/gs, (link, target: string, shown: string) => {
      const [, path = '', anchor = ''] = /^([^#]*)(#.*)?$/.exec(target) ?? [];
      if (path === '') return link;
      const [, name] = /^(\w[\w-]*|\.\.\/CONTRIBUTING)\.md$/.exec(path) ?? [];
      if (name !== undefined) return `<a href="${fileOf(name)}${anchor}">${shown}</a>`;
      const place = path.replace(/^\.\.\//, '');
      return repository === undefined
        ? shown
        : `<a href="${html(repository)}/blob/HEAD/${place}">${shown}</a>`;
    });
}

/** A page of the root, with its links as the pages of the documentation have them. */
function inDocs(text: string): string {
  return text
    .replaceAll(/\]\((?!\w+:|docs\/|#)/g, '](../')
    .replaceAll('](docs/', '](')
    .replaceAll('](../SECURITY.md', '](security.md');
}

function fileOf(name: string): string {
  return `${NAMES[name] ?? name}.html`;
}

function titleOf(text: string): string {
  return /^# (.*)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? '';
}

async function searchScript(): Promise<string> {
  const entrypoints = [join(import.meta.dir, 'docs-site/search.js')];
  const built = await Bun.build({ entrypoints, target: 'browser', format: 'iife', minify: true });
  return ((await built.outputs[0]?.text()) ?? '').trim();
}

function hashOf(text: string): string {
  return `'sha256-${new Bun.CryptoHasher('sha256').update(text).digest('base64')}'`;
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

if (import.meta.main) {
  const [, , folder = join(ROOT, 'dist/docs'), repository] = process.argv;
  await writeDocsSite(resolve(folder), repository);
  console.log(`${folder}/index.html`);
}
