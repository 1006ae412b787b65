import type { JsonObject } from '../../../lib/json.ts';
import {
  type EvalResult,
  type EvalRun,
  hasFailed,
  isDisagreement,
  outcomeOf,
} from '../../suite/judge-eval/eval-result.ts';
import { type Confusion, type EvalSummary, summarise } from '../../suite/judge-eval/summarise.ts';
import { JSON_VERSION } from '../layout/json-version.ts';

/** `policy judge eval --json`: the figures of each model and every result. */
export function judgeEvalJson(runs: readonly EvalRun[]): JsonObject {
  return { version: JSON_VERSION, runs: runs.map(runJson) };
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
