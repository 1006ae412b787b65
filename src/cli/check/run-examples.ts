import { createFacts } from '../../engine/facts.ts';
import { linkRule } from '../../engine/linked-rule.ts';
import type { BareCall } from '../../hosts/host.ts';
import { type Json, own, ownString } from '../../lib/json.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Memory } from '../../model/memory.ts';
import type { KeyTrace } from '../../model/outcome.ts';
import type { Example, Rule } from '../../model/policy.ts';
import { NO_SURROUNDINGS } from '../../model/surroundings.ts';
import { and } from '../../model/truth.ts';
import { bareEvent } from '../../suite/bare-event.ts';
import { readCall } from '../../suite/read-call.ts';

/** Runs the `examples` of policies: each policy alone, on calls that say nothing beside what the example says. */
export function runExamples(rules: readonly Rule[], examples: readonly Example[]): readonly Diagnostic[] {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  return examples.flatMap((example) => {
    const rule = byId.get(example.ruleId);
    const failure = rule === undefined ? undefined : failureOf(rule, example);
    return failure === undefined ? [] : [diagnostic(example, failure)];
  });
}

interface Failure {
  readonly state: string;
  readonly hint: string | undefined;
}

function failureOf(rule: Rule, { call, expect }: Example): Failure | undefined {
  const reading = readCall(call, rule.on);
  if (!reading.ok) {
    const [first] = reading.problems;
    return { state: first?.message ?? 'it is no call', hint: first?.hint };
  }
  const { matches, key } = ask(rule, completed(rule, reading.call));
  if (matches === (expect === 'hit')) return undefined;
  if (matches) return { state: 'the policy must not match it, and does', hint: undefined };
  return {
    state: 'the policy must match it, and does not',
    hint: key === undefined ? undefined : `"${key}" says no`,
  };
}

/** An example leaves out what the policy itself says about the calls it is for. */
function completed(rule: Rule, call: BareCall): BareCall {
  const tool = firstOf(own(rule.when, 'tool')) ?? ownString(rule.when, 'tool_matcher')?.split('|')[0]?.trim();
  const model = firstOf(own(rule.when, 'model_prefix'));
  const host = firstOf(own(rule.when, 'hosts'));
  return {
    ...(tool === undefined ? {} : { tool }),
    ...(model === undefined ? {} : { model }),
    ...call,
    context: { ...(host === undefined ? {} : { host }), ...call.context },
  };
}

function firstOf(value: Json | undefined): string | undefined {
  const first = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' ? first : undefined;
}

interface Answer {
  readonly matches: boolean;
  /** The key that said no. */
  readonly key: string | undefined;
}

function ask(rule: Rule, call: BareCall): Answer {
  const linked = linkRule(rule);
  const facts = createFacts(bareEvent(call), FORGETFUL, () => NO_SURROUNDINGS);
  let key: string | undefined;
  const decided = (answer: KeyTrace) => {
    if (answer.truth === false) key = answer.key;
  };
  let truth = linked.fitsTool(facts, decided);
  if (truth !== false) truth = and(truth, linked.fitsCall(facts, decided));
  return { matches: truth === 'unknown' ? rule.whenUnknown === 'match' : truth, key };
}

const FORGETFUL: Memory = { get: () => undefined, set: () => {} };

function diagnostic({ ruleId, position, expect }: Example, { state, hint }: Failure): Diagnostic {
  const message = `Cannot accept this ${expect} of policy "${ruleId}": ${state}`;
  return { code: 'example', severity: 'error', position, message, ...(hint === undefined ? {} : { hint }) };
}
