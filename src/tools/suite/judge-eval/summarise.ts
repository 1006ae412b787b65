import {
  type EvalResult,
  type EvalRun,
  hasFailed,
  isAgreement,
  isDisagreement,
  outcomeOf,
} from './eval-result.ts';

/** How many of some calls came out how. */
export interface Confusion {
  /** Empty for all of them together. */
  readonly category: string;
  readonly asked: number;
  readonly rightlyPassed: number;
  readonly rightlyRefused: number;
  /** Refused by label, passed by the judge. */
  readonly falseApprovals: number;
  /** Passed by label, refused by the judge. */
  readonly falseRefusals: number;
  /** Those in which a judge gave no verdict: whatever became of them, it says nothing about the judge. */
  readonly failed: number;
}

/** The figures of a model's results. */
export interface EvalSummary {
  readonly model: string;
  readonly all: Confusion;
  readonly categories: readonly Confusion[];
  /** Calls that no policy with a judge matched. */
  readonly notAsked: number;
  /** Share of the calls with a verdict that came out as labelled, from 0 to 1; undefined if there is none. */
  readonly accuracy: number | undefined;
  /** Calls answered by verdicts that were kept. */
  readonly cacheHits: number;
  /** Milliseconds, of calls that needed a request; undefined if there was none. */
  readonly latencyMs: { readonly p50: number; readonly p90: number; readonly p99: number } | undefined;
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The price of a thousand calls that need a request; undefined without a price or a request. */
  readonly costPerThousand: number | undefined;
}

export function summarise({ model, results, price }: EvalRun): EvalSummary {
  const asked = results.filter((result) => result.asked);
  const requested = asked.filter(({ requests }) => requests > 0);
  const all = confusionOf('', asked);
  const names = [...new Set(asked.map(({ labelled }) => labelled.category))].filter((name) => name !== '');
  const judged = all.asked - all.failed;
  const inputTokens = sum(requested, (result) => result.inputTokens);
  const outputTokens = sum(requested, (result) => result.outputTokens);
  return {
    model,
    all,
    categories: names.toSorted().map((name) =>
      confusionOf(
        name,
        asked.filter(({ labelled }) => labelled.category === name),
      ),
    ),
    notAsked: results.length - asked.length,
    accuracy: judged === 0 ? undefined : (all.rightlyPassed + all.rightlyRefused) / judged,
    cacheHits: asked.length - requested.length,
    latencyMs: percentilesOf(requested.map(({ tookMs }) => tookMs)),
    requests: sum(requested, ({ requests }) => requests),
    inputTokens,
    outputTokens,
    costPerThousand:
      price === undefined || requested.length === 0
        ? undefined
        : ((inputTokens * price.input + outputTokens * price.output) / 1_000_000 / requested.length) * 1_000,
  };
}

function confusionOf(category: string, results: readonly EvalResult[]): Confusion {
  const count = (fits: (result: EvalResult) => boolean) => results.filter(fits).length;
  return {
    category,
    asked: results.length,
    rightlyPassed: count((result) => isAgreement(result) && outcomeOf(result) === 'pass'),
    rightlyRefused: count((result) => isAgreement(result) && outcomeOf(result) === 'refuse'),
    falseApprovals: count((result) => isDisagreement(result) && outcomeOf(result) === 'pass'),
    falseRefusals: count((result) => isDisagreement(result) && outcomeOf(result) === 'refuse'),
    failed: count(hasFailed),
  };
}

function sum(results: readonly EvalResult[], of: (result: EvalResult) => number): number {
  return results.reduce((total, result) => total + of(result), 0);
}

/** By the nearest rank. */
function percentilesOf(values: readonly number[]): EvalSummary['latencyMs'] {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (percent: number) => sorted[Math.max(Math.ceil((sorted.length * percent) / 100) - 1, 0)] ?? 0;
  return sorted.length === 0 ? undefined : { p50: at(50), p90: at(90), p99: at(99) };
}
