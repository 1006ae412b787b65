import { createFacts } from '../engine/facts.ts';
import { linkRule } from '../engine/linked-rule.ts';
import type { BareCall, Host, HostSetting } from '../hosts/host.ts';
import { HOSTS } from '../hosts/registry.ts';
import { isJsonObject, type Json, own, ownString } from '../lib/json.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Event, EventKind } from '../model/event.ts';
import type { Memory } from '../model/memory.ts';
import type { Example, Rule } from '../model/policy.ts';
import { NO_SURROUNDINGS } from '../model/surroundings.ts';
import { looksLikeBareCall, readBareCall } from './bare-call.ts';

const SETTING: HostSetting = { version: undefined, env: {}, cwd: '/workspace', interactive: false };

/**
 * Runs the `examples` of policies. A hit must match on at least one of the policy's hosts, a miss on none: an example
 * says what the policy is about, not what each host sends.
 */
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
  readonly hint?: string;
}

function failureOf(rule: Rule, { call, expect }: Example): Failure | undefined {
  const kind = rule.on[0];
  if (kind === undefined || !isJsonObject(call)) return undefined;
  const defaults = defaultsOf(rule, kind);
  const bare = isArguments(kind, call) ? { arguments: call } : call;
  const read = readBareCall(bare, defaults);
  if (!read.ok) return { state: read.problem };
  const hosts = hostsOf(rule, read.call.on);
  if (hosts.length === 0) return { state: `no host of the policy has event "${read.call.on}"` };
  const answers = hosts.map((host) => ask(rule, host, read.call));
  const matching = answers.filter(({ matches }) => matches);
  if (expect === 'miss') {
    if (matching.length === 0) return undefined;
    return { state: `it must not match, and does on ${matching.map(({ host }) => host).join(', ')}` };
  }
  if (matching.length > 0) return undefined;
  const keys = [...new Set(answers.flatMap(({ key }) => (key === undefined ? [] : [`"${key}"`])))];
  return { state: 'it must match and does not', ...(keys.length === 0 ? {} : { hint: `${keys.join(' and ')} says no` }) };
}

/** On tool events an example is the tool's arguments, unless it names the tool or the arguments itself. */
function isArguments(kind: EventKind, call: Json): boolean {
  const isToolEvent = kind === 'before_tool' || kind === 'approve_tool' || kind === 'after_tool' || kind === 'tool_failure';
  if (!isToolEvent || !isJsonObject(call)) return false;
  const namesParts = ['tool', 'arguments', 'result'].some((key) => own(call, key) !== undefined);
  return !(namesParts && looksLikeBareCall(call));
}

/** What the policy itself says about the calls it is for. */
function defaultsOf(rule: Rule, kind: EventKind): Partial<BareCall> {
  const tool = firstOf(own(rule.when, 'tool')) ?? ownString(rule.when, 'tool_matcher')?.split('|')[0]?.trim();
  const model = firstOf(own(rule.when, 'model_prefix'));
  return { on: kind, ...(tool === undefined ? {} : { tool }), ...(model === undefined ? {} : { model }) };
}

function firstOf(value: Json | undefined): string | undefined {
  const first = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' ? first : undefined;
}

function hostsOf(rule: Rule, kind: EventKind): readonly Host[] {
  const named = own(rule.when, 'hosts');
  return HOSTS.filter(
    ({ name, supports }) => (!Array.isArray(named) || named.includes(name)) && supports(undefined)[kind] !== undefined,
  );
}

interface Answer {
  readonly host: string;
  readonly matches: boolean;
  /** The key that said no. */
  readonly key: string | undefined;
}

function ask(rule: Rule, host: Host, call: BareCall): Answer {
  const decoded = host.decode(host.compose(call), SETTING);
  if (decoded.type !== 'event') return { host: host.name, matches: false, key: undefined };
  const linked = linkRule(rule);
  const facts = createFacts(decoded.event, memoryWith(decoded.event, call.model), () => NO_SURROUNDINGS);
  let key: string | undefined;
  const decided = (answer: { readonly key: string; readonly truth: unknown }) => {
    if (answer.truth === false) key = answer.key;
  };
  const perTool = linked.fitsTool(facts, decided);
  const truth = perTool === false ? false : linked.fitsCall(facts, decided);
  const isUnknown = truth === 'unknown' || (truth === true && perTool === 'unknown');
  return { host: host.name, matches: isUnknown ? rule.whenUnknown === 'match' : truth === true, key };
}

/** As if the session's model had been seen before. */
function memoryWith(event: Event, model: string | undefined): Memory {
  return {
    get: (space, key) => (space === 'model' && key === event.session ? model : undefined),
    set: () => {},
  };
}

function diagnostic({ ruleId, position, expect }: Example, { state, hint }: Failure): Diagnostic {
  const message = `Cannot accept this ${expect} of policy "${ruleId}": ${state}`;
  return { code: 'example', severity: 'error', position, message, ...(hint === undefined ? {} : { hint }) };
}
