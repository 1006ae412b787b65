import { type FileCoverage, type PartCoverage, shareOf } from '../suite/coverage/coverage.ts';
import { html } from './html.ts';
import { countOf } from './quantity.ts';
import { percent } from './test-text.ts';

/** What is in the margin of one line. */
interface Mark {
  readonly hits: number;
  readonly missed: number;
  readonly notes: readonly string[];
}

/** Coverage as one page that needs nothing else: every policy file with hit counts in its margin. */
export function coverageHtml(files: readonly FileCoverage[]): string {
  const policies = files.flatMap((file) => file.policies);
  const parts = policies.flatMap((policy) => policy.parts);
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<title>Policy coverage</title>',
    `<style>${COVERAGE_STYLE}</style>`,
    '<main>',
    '<h1>Policy coverage</h1>',
    `<p>${shareText(policies, 'policy')}, ${shareText(parts, 'alternative')}</p>`,
    '<p>The margin counts the cases that reach a line: that match the policy, one of its alternatives, or that an exception excuses.',
    'A line with a bar has something that no case reaches; its note says what.</p>',
    '<table class="files"><thead><tr><th scope="col">File</th><th scope="col">Policies</th><th scope="col">Alternatives</th></tr></thead><tbody>',
    ...files.map(fileRow),
    '</tbody></table>',
    ...files.map(fileSection),
    '</main>',
    '</html>',
    '',
  ].join('\n');
}

function shareText(counted: readonly { readonly hits: number }[], noun: string): string {
  const { hit, total } = shareOf(counted);
  return `${percent(hit, total)} of ${countOf(total, noun)}`;
}

function fileRow({ file, policies }: FileCoverage, index: number): string {
  const cells = [policies, policies.flatMap(({ parts }) => parts)].map((counted) => {
    const { hit, total } = shareOf(counted);
    return `<td class="${hit === total ? 'whole' : 'part'}">${hit} / ${total}</td>`;
  });
  return `<tr><td><a href="#file-${index}">${html(file)}</a></td>${cells.join('')}</tr>`;
}

function fileSection(coverage: FileCoverage, index: number): string {
  const marks = marksOf(coverage);
  const rows = coverage.text
    .replace(/\r?\n$/, '')
    .split(/\r\n|\r|\n/)
    .map((text, at) => lineRow(text, at + 1, marks.get(at + 1)));
  return [
    `<section id="file-${index}"><h2>${html(coverage.file)}</h2>`,
    '<table class="source"><tbody>',
    ...rows,
    '</tbody></table></section>',
  ].join('\n');
}

function lineRow(text: string, line: number, mark: Mark | undefined): string {
  const state = mark === undefined ? '' : mark.missed > 0 ? ' class="missed"' : ' class="hit"';
  const notes = mark?.notes.map((note) => `<span class="note">${html(note)}</span>`).join('') ?? '';
  return `<tr${state}><td class="hits">${mark?.hits ?? ''}</td><td class="number">${line}</td><td class="text"><code>${html(text)}</code>${notes}</td></tr>`;
}

function marksOf({ policies }: FileCoverage): ReadonlyMap<number, Mark> {
  const marks = new Map<number, Mark>();
  const add = (line: number, hits: number, note: string | undefined) => {
    const before = marks.get(line) ?? { hits: 0, missed: 0, notes: [] };
    marks.set(line, {
      hits: Math.max(before.hits, hits),
      missed: before.missed + (hits === 0 ? 1 : 0),
      notes: note === undefined ? before.notes : [...before.notes, note],
    });
  };
  for (const { position, hits, parts } of policies) {
    add(position.line, hits, hits === 0 ? 'no case matches this policy' : undefined);
    for (const part of parts) add(part.position.line, part.hits, part.hits === 0 ? noteOf(part) : undefined);
  }
  return marks;
}

function noteOf({ type, label }: PartCoverage): string {
  switch (type) {
    case 'alternative':
      return `no case matches ${label}`;
    case 'exception':
      return `no case is excused by ${label}`;
    case 'row':
      return `no case gets ${label}`;
    case 'fact':
      return `no case has ${label} before a call`;
  }
}

/** The look of the coverage page, in the reader's light or dark. */
const COVERAGE_STYLE = `
:root { color-scheme: light dark; --ink: #1c2024; --dim: #60646c; --page: #fff; --line: #e4e6ea; --hit: #e6f4ea; --hit-ink: #18603a; --miss: #fdecec; --miss-ink: #a1261f; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --dim: #9ba1a9; --page: #14171a; --line: #2b3036; --hit: #11301f; --hit-ink: #86d9a8; --miss: #3a1716; --miss-ink: #f2a49e; } }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.5rem; margin: 0 0 .5rem; }
h2 { font-size: 1.05rem; margin: 2.5rem 0 .5rem; font-family: ui-monospace, monospace; }
p { margin: .25rem 0; color: var(--dim); max-width: 60rem; }
a { color: inherit; }
table { border-collapse: collapse; width: 100%; }
.files { margin-top: 1rem; }
.files th { text-align: left; color: var(--dim); font-weight: 500; }
.files th, .files td { padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); font-variant-numeric: tabular-nums; }
.whole { color: var(--hit-ink); }
.part { color: var(--miss-ink); }
.source { font: 13px/1.55 ui-monospace, monospace; border: 1px solid var(--line); }
.source td { padding: 0 .6rem; vertical-align: top; }
.hits { width: 4rem; text-align: right; color: var(--dim); border-right: 4px solid transparent; font-variant-numeric: tabular-nums; }
.number { width: 3rem; text-align: right; color: var(--dim); user-select: none; }
.text code { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }
.hit .hits { color: var(--hit-ink); background: var(--hit); }
.missed { background: var(--miss); }
.missed .hits { color: var(--miss-ink); border-right-color: var(--miss-ink); }
.note { display: block; color: var(--miss-ink); }
`;
