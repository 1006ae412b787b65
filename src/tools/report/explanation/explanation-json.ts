import { suspicionsOf } from '../../../language/keys/suspicious-text/match.ts';
import type { JsonData, JsonObject } from '../../../lib/json.ts';
import type { Decision } from '../../../model/decision.ts';
import type { Miss } from '../../../model/miss.ts';
import type { CanarySide } from '../../../model/outcome.ts';
import { type ConsideredPolicy, considered, didNotMatch, type Explanation } from './explanation.ts';
import { readingJson } from './reading-json.ts';

/**
 * An explanation as data. Times are microseconds. With `asks`, `decision.action` is null, and `rules_say` is the rules'
 * decision.
 */
export function explanationJson(explanation: Explanation): JsonData {
  const { host, event, readings, outcome, asks, answered, reply, durationUs } = explanation;
  const decision = decisionJson(outcome.decision);
  return {
    host: host ?? null,
    event: event.kind,
    native_event: event.native,
    tool: event.tool === undefined ? null : { name: event.tool.name, classes: event.tool.classes },
    readings: readings.map(readingJson),
    suspicious: event.tool === undefined ? [] : suspicionsOf(event.tool),
    asks,
    decision: asks.length === 0 ? decision : { ...decision, action: null },
    rules_say: asks.length === 0 ? undefined : outcome.decision.action,
    answered: decisionJson(answered),
    before: explanation.before,
    policies: considered(outcome, asks).map(policyJson),
    reply:
      reply === undefined ? null : { stdout: reply.stdout, stderr: reply.stderr, exit_code: reply.exitCode },
    duration_us: Math.round(durationUs),
  };
}

function policyJson({ trace, fate }: ConsideredPolicy): JsonData {
  const { rule, truth, miss, canary, durationUs } = trace;
  return {
    id: rule.id,
    file: rule.position.file,
    line: rule.position.line,
    layer: rule.layer,
    // The action of a policy with a judge comes from the judge.
    action: rule.judge === undefined ? rule.action : null,
    mode: rule.mode,
    canary: canary && canaryJson(canary),
    trust: rule.trust,
    truth,
    fate,
    decided_by: miss?.path[0] ?? null,
    why_not: miss === undefined || !didNotMatch(fate) ? null : missJson(miss),
    duration_us: Math.round(durationUs),
  };
}

function canaryJson({ isInForce, by, repository, place }: CanarySide): JsonObject {
  return { in_force: isInForce, by, repository: repository ?? null, place: place ?? null };
}

function missJson({ path, wanted, excludes, seen }: Miss): JsonObject {
  return { path: [...path], [excludes ? 'unwanted' : 'wanted']: wanted, seen: [...seen] };
}

function decisionJson(decision: Decision): JsonObject {
  return {
    action: decision.action,
    policy: decision.policyId ?? null,
    reason: decision.reason ?? null,
    feedback: decision.feedback ?? null,
    subject: decision.subject ?? null,
    rewrites: decision.rewrites,
    rewritten_by: decision.rewrittenBy ?? [],
    result: decision.result === undefined ? null : { ...decision.result },
    run: decision.run === undefined ? null : { argv: decision.run.argv, timeout_ms: decision.run.timeoutMs },
    messages: decision.messages,
    contexts: decision.contexts,
    suppress_output: decision.suppressOutput,
  };
}
