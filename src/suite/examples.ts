import { createFacts } from '../engine/facts.ts';
import { linkRule } from '../engine/linked-rule.ts';
import type { BareCall } from '../hosts/host.ts';
import { hostNamed } from '../hosts/registry.ts';
import { type JsonObject, own, ownObject, ownString } from '../lib/json.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Event } from '../model/event.ts';
import type { Facts } from '../model/facts.ts';
import type { KeyTrace } from '../model/outcome.ts';
import type { Example } from '../model/policy.ts';
import { and } from '../model/truth.ts';
import type { RuleDraft } from '../policy/file-draft.ts';
import { problem } from '../policy/problem.ts';
import { settingFor, surroundingsOf } from './answer-call.ts';
import { bareEvent } from './bare-event.ts';
import { readCall, scalarsOf } from './read-call.ts';

/** What became of one example. */
export interface ExampleResult {
  readonly example: Example;
  /** Undefined if it is as it says. */
  readonly problem: Diagnostic | undefined;
  /** What the policy was asked about; undefined if the call could not be read. */
  readonly facts: Facts | undefined;
}

/**
 * Runs the examples of policies: each call against its own policy alone. What a call does not say is taken from the
 * policy: event, host, tool, model and context.
 */
export function runExamples(
  rules: readonly RuleDraft[],
  examples: readonly Example[],
): readonly ExampleResult[] {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  return examples.flatMap((example) => {
    const rule = byId.get(example.ruleId);
    return rule === undefined ? [] : [runExample(rule, example)];
  });
}

/** The problems of all examples that are not as they say. */
export function exampleProblems(
  rules: readonly RuleDraft[],
  examples: readonly Example[],
): readonly Diagnostic[] {
  return runExamples(rules, examples).flatMap(({ problem }) => (problem === undefined ? [] : [problem]));
}

function runExample(rule: RuleDraft, example: Example): ExampleResult {
  const { position, expect } = example;
  const reading = readCall(example.call, rule.on);
  if (!reading.ok) {
    const [first] = reading.problems;
    const message = first?.message ?? 'Cannot use the call';
    return { example, facts: undefined, problem: problem('example', position, message, first?.hint) };
  }
  const event = eventFor(rule, completed(rule, reading.call));
  if (event === undefined) {
    const message = `Cannot run the example: no host of policy "${rule.id}" has event ${reading.call.on}`;
    return { example, facts: undefined, problem: problem('example', position, message) };
  }
  const facts = createFacts(event, NO_MEMORY, surroundingsOf(event));
  let decidedBy: KeyTrace | undefined;
  const decided = (key: KeyTrace) => {
    if (decidedBy === undefined || key.truth === false) decidedBy = key;
  };
  const linked = linkRule({ ...rule, layer: 'named', order: 0, trust: 'active' });
  const tool = linked.fitsTool(facts, decided);
  const truth = tool === false ? false : and(tool, linked.fitsCall(facts, decided));
  const matches = truth === true || (truth === 'unknown' && rule.whenUnknown === 'match');
  if (matches === (expect === 'hit')) return { example, facts, problem: undefined };
  const key = decidedBy === undefined ? undefined : `"${decidedBy.key}"`;
  const state = matches ? 'the policy matches' : 'the policy does not match';
  const why =
    key === undefined
      ? undefined
      : truth === 'unknown'
        ? `${key} cannot be told from this call`
        : `${key} does not hold`;
  const message = `Cannot confirm example "${expect}" of policy "${rule.id}": ${state}`;
  return { example, facts, problem: problem('example', position, message, why) };
}

const NO_MEMORY = { get: () => undefined, set: () => {} };

/** The call with what the policy itself says, where the call says nothing. */
function completed(rule: RuleDraft, call: BareCall): BareCall {
  const { when } = rule;
  const tool = call.tool ?? (call.arguments === undefined ? undefined : toolOf(when));
  const model = call.model ?? firstText(when, 'model_prefix');
  const wanted = scalarsOf(ownObject(when, 'context') ?? {});
  return {
    ...call,
    ...(tool === undefined ? {} : { tool }),
    ...(model === undefined ? {} : { model }),
    context: { ...wanted, ...call.context },
  };
}

function toolOf(when: JsonObject): string | undefined {
  const [name] = (ownString(when, 'tool_matcher') ?? '').split('|');
  // A pattern stands for names that it matches.
  return name === undefined || name.trim() === ''
    ? firstText(when, 'tool')
    : name.trim().replaceAll('*', 'x');
}

function firstText(when: JsonObject, key: string): string | undefined {
  const value = own(when, key);
  const first = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' ? first : undefined;
}

/** A policy for some hosts is asked about a real event of the first of them that has it. */
function eventFor(rule: RuleDraft, call: BareCall): Event | undefined {
  const hosts = own(rule.when, 'hosts');
  if (!Array.isArray(hosts)) return bareEvent(call);
  for (const name of hosts) {
    const host = typeof name === 'string' ? hostNamed(name) : undefined;
    const decoded = host?.decode(host.compose(call), settingFor(false));
    if (decoded?.type === 'event' && decoded.event.kind === call.on) return decoded.event;
  }
  return undefined;
}
