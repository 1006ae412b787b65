import type { JudgeAnswer } from '../model/judge.ts';
import {
  type EvalResult,
  type EvalRun,
  hasFailed,
  isDisagreement,
  outcomeOf,
} from '../suite/judge-eval/eval-result.ts';
import { type EvalSummary, summarise } from '../suite/judge-eval/summarise.ts';
import { printable } from './printable.ts';
import { duration, grouped } from './quantity.ts';

const STYLE = `
:root { color-scheme: light dark; --ink: #1c2024; --dim: #60646c; --page: #fff; --line: #e4e6ea; --bad: #a1261f; --good: #18603a; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --dim: #9ba1a9; --page: #14171a; --line: #2b3036; --bad: #f2a49e; --good: #86d9a8; } }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 80rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.5rem; margin: 0 0 1rem; }
h2 { font-size: 1.1rem; margin: 2.5rem 0 .5rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th { text-align: left; color: var(--dim); font-weight: 500; }
th, td { padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
code { font: 13px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
.bad { color: var(--bad); }
.good { color: var(--good); }
.dim { color: var(--dim); }
`;

/** The results as one page that needs nothing else, what the judge got wrong first. */
export function judgeEvalHtml(runs: readonly EvalRun[]): string {
  const summaries = runs.map(summarise);
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<title>Judge evaluation</title>',
    `<style>${STYLE}</style>`,
    '<main>',
    '<h1>Judge evaluation</h1>',
    figures(summaries),
    ...summaries.map(categories),
    ...(runs.some(({ results }) => results.some(hasFailed))
      ? ['<h2 class="bad">No verdict</h2>', callTable(runs, (results) => results.some(hasFailed))]
      : []),
    '<h2>Disagreements</h2>',
    callTable(runs, (results) => !results.some(hasFailed) && results.some(isDisagreement)),
    '<h2>Agreements</h2>',
    callTable(
      runs,
      (results) =>
        results.some(({ asked }) => asked) && !results.some(hasFailed) && !results.some(isDisagreement),
    ),
    '</main>',
    '</html>',
    '',
  ].join('\n');
}

function figures(summaries: readonly EvalSummary[]): string {
  const row = (title: string, of: (summary: EvalSummary) => string) =>
    `<tr><th scope="row">${title}</th>${summaries.map((each) => `<td>${html(of(each))}</td>`).join('')}</tr>`;
  const time = (ms: number | undefined) => (ms === undefined ? '-' : duration(ms * 1_000));
  return [
    `<table><thead><tr><th></th>${summaries.map(({ model }) => `<th scope="col">${html(model)}</th>`).join('')}</tr></thead><tbody>`,
    row('Accuracy', ({ accuracy }) => (accuracy === undefined ? '-' : `${(accuracy * 100).toFixed(1)} %`)),
    row('Calls asked about', ({ all }) => grouped(all.asked)),
    row('Not asked', ({ notAsked }) => grouped(notAsked)),
    row('False approvals', ({ all }) => grouped(all.falseApprovals)),
    row('False refusals', ({ all }) => grouped(all.falseRefusals)),
    row('No verdict', ({ all }) => grouped(all.failed)),
    row('Latency p50, p90, p99', ({ latencyMs: ms }) => [ms?.p50, ms?.p90, ms?.p99].map(time).join(', ')),
    row('Kept verdicts', ({ cacheHits }) => grouped(cacheHits)),
    row('Requests', ({ requests }) => grouped(requests)),
    row('Tokens in, out', (each) => `${grouped(each.inputTokens)}, ${grouped(each.outputTokens)}`),
    row('Cost per 1,000 calls', ({ costPerThousand }) => costPerThousand?.toFixed(2) ?? '-'),
    '</tbody></table>',
  ].join('\n');
}

function categories({ model, categories }: EvalSummary): string {
  if (categories.length === 0) return '';
  const rows = categories.map((each) => {
    const cells = [
      each.asked,
      each.rightlyPassed,
      each.rightlyRefused,
      each.falseApprovals,
      each.falseRefusals,
      each.failed,
    ];
    return `<tr><td>${html(each.category)}</td>${cells.map((cell) => `<td>${grouped(cell)}</td>`).join('')}</tr>`;
  });
  return [
    `<h2>Categories: ${html(model)}</h2>`,
    '<table><thead><tr><th scope="col">Category</th><th scope="col">Asked</th><th scope="col">Rightly passed</th><th scope="col">Rightly refused</th><th scope="col">False approvals</th><th scope="col">False refusals</th><th scope="col">No verdict</th></tr></thead><tbody>',
    ...rows,
    '</tbody></table>',
  ].join('\n');
}

/** One row a call with a cell for each model. */
function callTable(runs: readonly EvalRun[], wanted: (results: readonly EvalResult[]) => boolean): string {
  const calls = (runs[0]?.results ?? []).map((_result, index) =>
    runs.flatMap(({ results }) => (results[index] === undefined ? [] : [results[index]])),
  );
  const rows = calls
    .filter(wanted)
    .toSorted((a, b) => rank(a) - rank(b))
    .map((results) => {
      const labelled = results[0]?.labelled;
      const cells = results.map((result) => `<td>${verdictCell(result)}</td>`).join('');
      return `<tr><td><code>${html(labelled?.text ?? '')}</code></td><td>${html(labelled?.category ?? '')}</td><td>${labelled?.label ?? ''}</td>${cells}</tr>`;
    });
  if (rows.length === 0) return '<p class="dim">None</p>';
  const models = runs.map(({ model }) => `<th scope="col">${html(model)}</th>`).join('');
  return [
    `<table><thead><tr><th scope="col">Call</th><th scope="col">Category</th><th scope="col">Label</th>${models}</tr></thead><tbody>`,
    ...rows,
    '</tbody></table>',
  ].join('\n');
}

/** False approvals first, then false refusals. */
function rank(results: readonly EvalResult[]): number {
  const wrong = results.filter(isDisagreement);
  if (wrong.some((result) => outcomeOf(result) === 'pass')) return 0;
  return wrong.length > 0 ? 1 : 2;
}

function verdictCell(result: EvalResult): string {
  if (!result.asked) return '<span class="dim">not asked</span>';
  const word = hasFailed(result) || isDisagreement(result) ? 'bad' : 'good';
  const what = hasFailed(result) ? 'no verdict' : result.action;
  const reasons = result.answers.map(({ answer }) => html(reasonOf(answer))).join('; ');
  return `<span class="${word}">${what}</span> ${reasons}`;
}

function reasonOf(answer: JudgeAnswer): string {
  switch (answer.type) {
    case 'verdict':
      return `${answer.reason} (${answer.confidence})`;
    case 'failed':
      return answer.cause;
    case 'unasked':
      return '';
    default:
      return answer satisfies never;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for HTML. What the judge and the calls say shows nothing but itself. */
function html(text: string): string {
  return printable(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
