import type { JudgeAnswer } from '../../model/judge.ts';
import {
  type EvalResult,
  type EvalRun,
  hasFailed,
  isDisagreement,
  outcomeOf,
} from '../suite/judge-eval/eval-result.ts';
import { type EvalSummary, summarise } from '../suite/judge-eval/summarise.ts';
import { html, htmlPage } from './html.ts';
import { duration, grouped } from './quantity.ts';

/** The results as one page that needs nothing else, what the judge got wrong first. */
export function judgeEvalHtml(runs: readonly EvalRun[]): string {
  const summaries = runs.map(summarise);
  return htmlPage('Judge evaluation', [
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
  ]);
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
