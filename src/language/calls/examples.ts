import type { BareCall } from '../../hosts/host.ts';
import { hostNamed } from '../../hosts/registry.ts';
import { child } from '../../lib/child.ts';
import { asList, isJsonObject, type Json, type JsonObject, own, ownObject } from '../../lib/json.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { CLOSED_CLASSES, type Event } from '../../model/event.ts';
import type { Facts } from '../../model/facts.ts';
import { NO_MEMORY } from '../../model/memory.ts';
import type { Miss } from '../../model/miss.ts';
import type { Example, ProgramRows, Rule } from '../../model/policy.ts';
import type { Truth } from '../../model/truth.ts';
import { createFacts } from '../engine/facts.ts';
import { ANALYSES } from '../keys/analyses.ts';
import { missText } from '../keys/miss-text.ts';
import { MATCHER_TABLE } from '../keys/registry.ts';
import { type CompiledKey, compileWhen, findingOf } from '../keys/when.ts';
import { hostsNamed } from '../policy/schema/applies-to.ts';
import { problem } from '../policy/yaml/problem.ts';
import { settingFor, surroundingsOf } from './answer-call.ts';
import { bareEvent } from './bare-event.ts';
import { readCall } from './read-call.ts';

/** The parts of a policy that its examples need. */
export type ExampleRule = Pick<Rule, 'id' | 'on' | 'when' | 'whenUnknown'>;

export interface ExampleResult {
  readonly example: Example;
  /** Undefined if it is as it says. */
  readonly problem: Diagnostic | undefined;
  /** As it was judged; undefined if it could not be read. */
  readonly call: BareCall | undefined;
  /** The facts that the policy was asked about; undefined if the call could not be read. */
  readonly facts: Facts | undefined;
}

/**
 * Runs the examples of policies, each against its policy alone. Missing facts come from that: event, host, tool, model,
 * context.
 */
export function runExamples(
  rules: readonly ExampleRule[],
  examples: readonly Example[],
  programs?: ProgramRows,
): readonly ExampleResult[] {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  return examples.flatMap((example) => {
    const rule = byId.get(example.ruleId);
    return rule === undefined ? [] : [runExample(rule, example, programs)];
  });
}

export function exampleProblems(
  rules: readonly ExampleRule[],
  examples: readonly Example[],
  programs?: ProgramRows,
): readonly Diagnostic[] {
  return runExamples(rules, examples, programs).flatMap(({ problem }) =>
    problem === undefined ? [] : [problem],
  );
}

/** Runs one example against its policy. */
export function runExample(rule: ExampleRule, example: Example, programs?: ProgramRows): ExampleResult {
  const sample = sampleOf(rule, example.call);
  const named = sample.tool ?? (Object.hasOwn(rule.when, 'command') ? 'shell' : undefined);
  const reading = readCall(example.call, rule.on, named, testedArguments(rule.when));
  if (!reading.ok) {
    const [first] = reading.problems;
    return failed(example, undefined, first?.message ?? 'Cannot use the call', first?.hint);
  }
  const call = completed(reading.call, sample);
  const facts = factsFor(rule, example, call, programs);
  if (facts === undefined) {
    return failed(
      example,
      call,
      `Cannot run the example: no agent of policy "${rule.id}" has event ${call.on}`,
    );
  }
  const keys = child(compiled, rule.when, () => compileWhen(rule.when, MATCHER_TABLE));
  const { truth, miss } = findingOf(keys, facts);
  const matches = truth === true || (truth === 'unknown' && rule.whenUnknown === 'match');
  if (matches === (example.expect === 'hit')) return { example, call, facts, problem: undefined };
  const state = matches ? 'the policy matches' : 'the policy does not match';
  const message = `Cannot confirm example "${example.expect}" of policy "${rule.id}": ${state}`;
  return { ...failed(example, call, message, hintOf(rule, truth, miss)), facts };
}

function failed(example: Example, call: BareCall | undefined, message: string, hint?: string): ExampleResult {
  return { example, call, facts: undefined, problem: problem('example', example.position, message, hint) };
}

/** Why a policy matches, or does not. */
function hintOf(
  { when, whenUnknown }: ExampleRule,
  truth: Truth,
  miss: Miss | undefined,
): string | undefined {
  if (truth === true) return `all of its keys hold: ${Object.keys(when).join(', ')}`;
  if (miss === undefined || miss.truth !== 'unknown') return miss && missText(miss);
  const unknown = `"${miss.path[0]}" cannot be known from this call`;
  return whenUnknown === 'match'
    ? `${unknown}, which counts as a match unless it says when_unknown: skip`
    : unknown;
}

interface Asked {
  readonly call: string;
  readonly programs: ProgramRows | undefined;
  readonly facts: Facts | undefined;
}

/** The calls that examples were last asked about: mutants of their policy ask the same, and the command is read once. */
const asked = new WeakMap<Example, Asked>();

function factsFor(
  rule: ExampleRule,
  example: Example,
  call: BareCall,
  programs?: ProgramRows,
): Facts | undefined {
  const key = JSON.stringify([call, hostsNamed(rule.when) ?? null]);
  const known = asked.get(example);
  if (known?.call === key && known.programs === programs) return known.facts;
  const event = eventFor(rule, call);
  const facts = event === undefined ? undefined : createFacts(event, NO_MEMORY, surroundingsOf, programs);
  asked.set(example, { call: key, programs, facts });
  return facts;
}

/** Compiled keys of policies whose examples have been run: most have several. */
const compiled = new WeakMap<JsonObject, readonly CompiledKey[]>();

/** The call, completed from the policy itself. */
function completed(call: BareCall, { tool, context, ...rest }: Partial<BareCall>): BareCall {
  const hasTool = tool !== undefined && call.arguments !== undefined;
  return { ...rest, ...(hasTool ? { tool } : {}), ...call, context: { ...context, ...call.context } };
}

/** The parts of a call that follow from a policy. */
function sampleOf({ when }: ExampleRule, call: Json): Partial<BareCall> {
  const sample: Partial<BareCall> = Object.assign(
    {},
    ...Object.entries(when).map(([key, spec]) => ANALYSES.get(key)?.sample(spec)),
  );
  const classes = own(when, 'tool');
  if (classes === undefined || sample.tool !== String(asList(classes)[0])) return sample;
  return { ...sample, tool: fittingClass(asList(classes).map(String), isJsonObject(call) ? call : {}) };
}

/** The names of the arguments that a policy tests, those in `any`, `all` and `not` included. */
function testedArguments(when: Json): readonly string[] {
  if (Array.isArray(when)) return when.flatMap(testedArguments);
  if (!isJsonObject(when)) return [];
  return Object.entries(when).flatMap(([key, spec]): readonly string[] => {
    if (key === 'any' || key === 'all' || key === 'not') return testedArguments(spec);
    if (key === 'arguments' && isJsonObject(spec))
      return Object.keys(spec).map((name) => name.split('.')[0] ?? name);
    return /^arguments_(?:match|violate)$/.test(key) && isJsonObject(spec)
      ? Object.keys(ownObject(spec, 'properties') ?? {})
      : [];
  });
}

/** Arguments that tools of one closed class alone have. */
const OWNERS = { command: 'shell', url: 'fetch' };

/** Of the classes of a policy, the one that a call without a tool is about; that of its argument, if it can be no other. */
function fittingClass(classes: readonly string[], call: JsonObject): string {
  const given = ownObject(call, 'arguments') ?? call;
  const owners = Object.entries(OWNERS).flatMap(([name, owner]) =>
    Object.hasOwn(given, name) ? [owner] : [],
  );
  const isClosed = (name: string) => CLOSED_CLASSES.some((closed) => closed === name);
  const isFile = owners.length === 0 && Object.hasOwn(given, 'path');
  const fits = (name: string) =>
    isFile ? !Object.values(OWNERS).includes(name) : owners.includes(name) || !isClosed(name);
  return classes.find(fits) ?? owners[0] ?? classes[0] ?? 'shell';
}

/** A policy for some hosts is asked about a real event of the first of them that has it. */
function eventFor(rule: ExampleRule, call: BareCall): Event | undefined {
  const hosts = hostsNamed(rule.when);
  if (hosts === undefined) return bareEvent(call);
  for (const name of hosts) {
    const host = typeof name === 'string' ? hostNamed(name) : undefined;
    const decoded = host?.decode(host.compose(call), settingFor(false));
    if (decoded?.type === 'event' && decoded.event.kind === call.on) return decoded.event;
  }
  return undefined;
}
