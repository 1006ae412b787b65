import { type FileCoverage, type PartCoverage, shareOf } from '../../suite/coverage/coverage.ts';
import { html, htmlPage } from '../layout/html.ts';
import { countOf, percent } from '../layout/quantity.ts';

/** The margin of one line. */
interface Mark {
  readonly hits: number;
  readonly missed: number;
  readonly notes: readonly string[];
}

/** Coverage as one page that needs nothing else: every policy file with hit counts in its margin. */
export function coverageHtml(files: readonly FileCoverage[]): string {
  const policies = files.flatMap((file) => file.policies);
  const parts = policies.flatMap((policy) => policy.parts);
  const body = [
    `<p>${shareText(policies, 'policy')}, ${shareText(parts, 'alternative')}</p>`,
    '<p>The margin counts the cases that reach a line: that match the policy, one of its alternatives, or that an exception excuses.',
    'A line with a bar has something that no case reaches; its note says what.</p>',
    '<table class="files"><thead><tr><th scope="col">File</th><th scope="col">Policies</th><th scope="col">Alternatives</th></tr></thead><tbody>',
    ...files.map(fileRow),
    '</tbody></table>',
    ...files.map(fileSection),
  ];
  return htmlPage('Policy coverage', body, COVERAGE_STYLE);
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
  return `<tr${state}><td class="hits">${mark?.hits ?? ''}</td><td class="line">${line}</td><td class="text"><code>${html(text)}</code>${notes}</td></tr>`;
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

/** The style that this page adds to the look of every page. */
const COVERAGE_STYLE = `
:root { --hit: #e6f4ea; --miss: #fdecec; }
@media (prefers-color-scheme: dark) { :root { --hit: #11301f; --miss: #3a1716; } }
h2 { font-family: ui-monospace, monospace; }
p { margin: .25rem 0; color: var(--dim); max-width: 60rem; }
a { color: inherit; }
.files { margin-top: 1rem; }
.whole { color: var(--good); }
.part { color: var(--bad); }
.source { font: 13px/1.55 ui-monospace, monospace; border: 1px solid var(--line); }
.source td { padding: 0 .6rem; border-bottom: 0; }
.hits { width: 4rem; text-align: right; color: var(--dim); border-right: 4px solid transparent; }
.line { width: 3rem; text-align: right; color: var(--dim); user-select: none; }
.text code { white-space: pre-wrap; font: inherit; }
.hit .hits { color: var(--good); background: var(--hit); }
.missed { background: var(--miss); }
.missed .hits { color: var(--bad); border-right-color: var(--bad); }
.note { display: block; color: var(--bad); }
`;
