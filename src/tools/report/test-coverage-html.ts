import { type FileCoverage, type PartCoverage, shareOf } from '../suite/coverage/coverage.ts';
import { html } from './html.ts';
import { countOf } from './quantity.ts';
import { COVERAGE_STYLE } from './test-coverage-style.ts';
import { percent } from './test-text.ts';

/** What stands in the margin of one line. */
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
  }
}
