import type { JsonObject } from '../../../lib/json.ts';
import {
  type EvalResult,
  type EvalRun,
  hasFailed,
  isDisagreement,
  outcomeOf,
} from '../../suite/judge-eval/eval-result.ts';
import { type Confusion, type EvalSummary, summarise } from '../../suite/judge-eval/summarise.ts';
import { alignColumns } from '../layout/columns.ts';
import type { Paint } from '../layout/paint.ts';
import { printable } from '../layout/printable.ts';
import { countOf, duration, grouped } from '../layout/quantity.ts';

const MAX_SHOWN = 20;
const TITLES = ['', 'asked', 'right', 'false approvals', 'false refusals', 'failed'] as const;

/** The results of judging labelled calls, for people: figures, confusion by category, disagreements. */
export function judgeEvalText(runs: readonly EvalRun[], paint: Paint): string {
  const summaries = runs.map(summarise);
  const parts = [
    runs.flatMap((run) => noVerdicts(run, runs.length > 1, paint)),
    figures(summaries, paint),
    ...summaries.map((summary) => confusion(summary, summaries.length > 1, paint)),
    ...runs.map((run) => disagreements(run, runs.length > 1, paint)),
  ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** A figure over calls that nobody judged is no figure: it is said before all others. */
function noVerdicts({ model, results }: EvalRun, named: boolean, paint: Paint): readonly string[] {
  const failed = results.filter(hasFailed);
  if (failed.length === 0) return [];
  const causes = new Set(
    failed.flatMap(({ answers }) =>
      answers.flatMap(({ answer }) => (answer.type === 'failed' ? [answer.cause] : [])),
    ),
  );
  const asked = countOf(results.filter((result) => result.asked).length, 'call');
  const by = named ? ` by ${printable(model)}` : '';
  const head = `NO VERDICT${by} on ${grouped(failed.length)} of ${asked}`;
  return [`${paint.red(head)}: ${printable([...causes].join('; '))}; the accuracy is that of the others`];
}

function figures(summaries: readonly EvalSummary[], paint: Paint): readonly string[] {
  const row = (title: string, of: (summary: EvalSummary) => string) => [
    paint.dim(title),
    ...summaries.map(of),
  ];
  return alignColumns(
    [
      row('model', ({ model }) => paint.bold(printable(model))),
      row('accuracy', ({ accuracy }) => (accuracy === undefined ? '-' : `${(accuracy * 100).toFixed(1)} %`)),
      row('calls asked about', ({ all }) => grouped(all.asked)),
      row('not asked', ({ notAsked }) => grouped(notAsked)),
      row('false approvals', ({ all }) => warn(all.falseApprovals, paint)),
      row('false refusals', ({ all }) => grouped(all.falseRefusals)),
      row('no verdict', ({ all }) => warn(all.failed, paint)),
      row('latency p50', ({ latencyMs }) => time(latencyMs?.p50)),
      row('latency p90', ({ latencyMs }) => time(latencyMs?.p90)),
      row('latency p99', ({ latencyMs }) => time(latencyMs?.p99)),
      row('kept verdicts', ({ cacheHits }) => grouped(cacheHits)),
      row('requests', ({ requests }) => grouped(requests)),
      row('tokens in', ({ inputTokens }) => grouped(inputTokens)),
      row('tokens out', ({ outputTokens }) => grouped(outputTokens)),
      row('cost per 1,000 calls', ({ costPerThousand }) => costPerThousand?.toFixed(2) ?? '-'),
    ],
    { right: summaries.map((_summary, index) => index + 1) },
  );
}

function warn(count: number, paint: Paint): string {
  return count === 0 ? '0' : paint.red(grouped(count));
}

function time(ms: number | undefined): string {
  return ms === undefined ? '-' : duration(ms * 1_000);
}

function confusion({ model, categories, all }: EvalSummary, named: boolean, paint: Paint): readonly string[] {
  if (categories.length === 0) return [];
  const row = (each: Confusion, name: string) => [
    printable(name),
    grouped(each.asked),
    grouped(each.rightlyPassed + each.rightlyRefused),
    warn(each.falseApprovals, paint),
    grouped(each.falseRefusals),
    warn(each.failed, paint),
  ];
  const title = named ? [paint.bold(printable(model))] : [];
  const rows = [...categories.map((each) => row(each, each.category)), row(all, 'all')];
  return [...title, ...alignColumns([TITLES.map(paint.dim), ...rows], { right: [1, 2, 3, 4, 5] })];
}

function disagreements({ model, results }: EvalRun, named: boolean, paint: Paint): readonly string[] {
  const wrong = results.filter(isDisagreement);
  if (wrong.length === 0) return [];
  const shown = wrong.toSorted((a, b) => rank(a) - rank(b)).slice(0, MAX_SHOWN);
  const rows = shown.map((result) => [
    kindOf(result, paint),
    printable(result.labelled.text),
    reasonOf(result),
  ]);
  const rest = wrong.length - shown.length;
  return [
    `${countOf(wrong.length, 'disagreement')}${named ? ` of ${printable(model)}` : ''}`,
    ...alignColumns(rows).map((line) => `  ${line}`),
    ...(rest === 0 ? [] : [paint.dim(`  and ${grouped(rest)} more (--json has them)`)]),
  ];
}

/** Ranks calls that are let through first. */
function rank(result: EvalResult): number {
  return outcomeOf(result) === 'pass' ? 0 : 1;
}

function kindOf(result: EvalResult, paint: Paint): string {
  return outcomeOf(result) === 'pass' ? paint.red('false approval') : 'false refusal';
}

function reasonOf({ answers }: EvalResult): string {
  return answers
    .flatMap(({ answer }) => {
      if (answer.type === 'verdict') return [printable(answer.reason)];
      return answer.type === 'failed' ? [answer.cause] : [];
    })
    .join('; ');
}

/** `policy judge eval --json`: the figures of each model and every result. */
export function judgeEvalJson(runs: readonly EvalRun[]): JsonObject {
  return { runs: runs.map(runJson) };
}

function runJson(run: EvalRun): JsonObject {
  const summary = summarise(run);
  const { latencyMs: latency } = summary;
  return {
    model: summary.model,
    accuracy: summary.accuracy ?? null,
    ...confusionJson(summary.all),
    not_asked: summary.notAsked,
    latency_ms: latency === undefined ? null : wholeMs(latency),
    cache_hits: summary.cacheHits,
    requests: summary.requests,
    input_tokens: summary.inputTokens,
    output_tokens: summary.outputTokens,
    cost_per_thousand: summary.costPerThousand ?? null,
    categories: summary.categories.map((each) => ({ category: each.category, ...confusionJson(each) })),
    results: run.results.map(resultJson),
  };
}

function wholeMs({ p50, p90, p99 }: NonNullable<EvalSummary['latencyMs']>): JsonObject {
  return { p50: Math.round(p50), p90: Math.round(p90), p99: Math.round(p99) };
}

function confusionJson(confusion: Confusion): JsonObject {
  return {
    asked: confusion.asked,
    rightly_passed: confusion.rightlyPassed,
    rightly_refused: confusion.rightlyRefused,
    false_approvals: confusion.falseApprovals,
    false_refusals: confusion.falseRefusals,
    failed: confusion.failed,
  };
}

function resultJson(result: EvalResult): JsonObject {
  const { labelled, asked, action, answers, tookMs, requests, inputTokens, outputTokens } = result;
  return {
    call: labelled.text,
    category: labelled.category,
    label: labelled.label,
    asked,
    outcome: outcomeOf(result),
    // Without a verdict there is nothing that could agree.
    agrees: hasFailed(result) ? null : !isDisagreement(result),
    action,
    judges: answers.map(({ ruleId, answer }) => ({ policy: ruleId, ...answer })),
    took_ms: Math.round(tookMs),
    requests,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
  };
}
