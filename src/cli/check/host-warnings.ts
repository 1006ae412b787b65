import { degrade } from '../../engine/degrade.ts';
import type { Host, HostSetting, Support } from '../../hosts/host.ts';
import { isJsonObject, type Json, type JsonObject, own, ownObject } from '../../lib/json.ts';
import type { Action } from '../../model/action.ts';
import { decide } from '../../model/decision.ts';
import type { Diagnostic, DiagnosticCode } from '../../model/diagnostic.ts';
import type { Event, EventKind } from '../../model/event.ts';
import type { Rule } from '../../model/policy.ts';

const SETTING: HostSetting = { version: undefined, env: {}, cwd: '/', interactive: true };

/** One event of one host that a policy is for. */
interface Target {
  readonly host: Host;
  readonly kind: EventKind;
  readonly support: Support;
}

/** Something that does not work on a target. Targets with the same complaint share a warning. */
interface Complaint {
  readonly code: DiagnosticCode;
  /** `do "respond"`. */
  readonly cannot: string;
  /** `it becomes deny there`. */
  readonly state: string;
}

/** What hosts cannot do of what policies ask, and keys that they can only answer with unknown. */
export function hostWarnings(rules: readonly Rule[], hosts: readonly Host[]): readonly Diagnostic[] {
  return rules.filter(({ layer }) => layer !== 'builtin').flatMap((rule) => warningsOf(rule, hosts));
}

function warningsOf(rule: Rule, hosts: readonly Host[]): readonly Diagnostic[] {
  const wanted = hosts.filter(({ name }) => isFor(rule, name));
  const targets = wanted.flatMap((host) => targetsOf(rule, host));
  if (wanted.length > 0 && targets.length === 0) {
    const names = wanted.map(({ name }) => name).join(', ');
    const message = `Cannot use policy "${rule.id}" on ${names}: there is no event ${rule.on.join(' or ')}`;
    return [{ code: 'host-support', severity: 'warning', position: rule.position, message }];
  }
  const places = new Map<string, { readonly complaint: Complaint; readonly names: string[] }>();
  for (const target of targets) {
    for (const complaint of complaintsOf(rule, target)) {
      const key = JSON.stringify(complaint);
      const place = places.get(key) ?? { complaint, names: [] };
      places.set(key, place);
      place.names.push(`${target.host.name} ${target.kind}`);
    }
  }
  return [...places.values()].map(({ complaint: { code, cannot, state }, names }) => ({
    code,
    severity: 'warning',
    position: rule.position,
    message: `Cannot ${cannot} of policy "${rule.id}" on ${names.join(', ')}: ${state}`,
  }));
}

function isFor(rule: Rule, host: string): boolean {
  const named = own(rule.when, 'hosts');
  return !Array.isArray(named) || named.includes(host);
}

function targetsOf(rule: Rule, host: Host): readonly Target[] {
  const supports = host.supports(undefined);
  const hasBeforeTool = rule.on.includes('before_tool') && supports.before_tool !== undefined;
  return rule.on.flatMap((kind) => {
    const support = supports[kind];
    // The verdict of before_tool stands for approve_tool, so what can be done there is what counts.
    if (support === undefined || (kind === 'approve_tool' && hasBeforeTool)) return [];
    return [{ host, kind, support }];
  });
}

function complaintsOf(rule: Rule, target: Target): readonly Complaint[] {
  return [
    ...actionComplaints(rule, target),
    ...besideComplaints(rule, target),
    ...unknownComplaints(rule, target),
  ];
}

function actionComplaints(rule: Rule, { host, kind, support }: Target): readonly Complaint[] {
  // By their definition these do nothing where a host has no use for them.
  if (rule.action === 'continue' || rule.action === 'approve') return [];
  const event = eventOf(host, kind);
  if (event === undefined) return [];
  const rewrites = rule.action === 'modify' ? Object.keys(ownObject(rule.params, 'rewrite') ?? {}) : [];
  const onUnsupported = own(rule.params, 'on_unsupported') === 'continue' ? 'continue' : 'refuse';
  const wanted = decide({ action: rule.action, policyId: rule.id, rewrites, onUnsupported });
  const becomes = degrade(wanted, event, support, SETTING).action;
  if (becomes === rule.action) return [];
  const missing = rewrites.filter((form) => !support.rewrites.includes(form));
  const what =
    missing.length > 0 && support.actions.includes('modify')
      ? `rewrite with "${missing.join('", "')}"`
      : `do "${rule.action}"`;
  return [{ code: 'host-support', cannot: what, state: stateOf(becomes) }];
}

function stateOf(becomes: Action): string {
  return becomes === 'continue' ? 'it is only logged there' : `it becomes "${becomes}" there`;
}

const BESIDE = ['message', 'add_context', 'suppress_output'] as const;

function besideComplaints(rule: Rule, { support }: Target): readonly Complaint[] {
  return BESIDE.filter((key) => own(rule.params, key) !== undefined && !support.beside.includes(key)).map(
    (key) => ({
      code: 'host-support',
      cannot: `give "${key}"`,
      state: 'the host has no place for it and it is left out',
    }),
  );
}

function unknownComplaints(rule: Rule, { support }: Target): readonly Complaint[] {
  const effect =
    rule.whenUnknown === 'match' ? 'the policy counts as matched there' : 'the policy is passed over there';
  const complaint = (key: string): Complaint => ({
    code: 'host-unknown',
    cannot: `tell "${key}"`,
    state: `the host never says it, so ${effect} unless another key says no`,
  });
  const context = keysUnder(rule.when, 'context').filter(
    (key) => !support.context.some((known) => known === key),
  );
  const model = support.model === 'never' && specsOf(rule.when, 'model_prefix').length > 0;
  return [
    ...(model ? [complaint('model_prefix')] : []),
    ...context.map((key) => complaint(`context.${key}`)),
  ];
}

function keysUnder(when: JsonObject, key: string): readonly string[] {
  const keys = specsOf(when, key).flatMap((spec) => (isJsonObject(spec) ? Object.keys(spec) : []));
  return [...new Set(keys)];
}

/** The specs of a matching key, inside `any`, `all` and `not` too. */
function specsOf(when: Json, key: string): readonly Json[] {
  if (!isJsonObject(when)) return [];
  const here = own(when, key);
  const inside = ['any', 'all', 'not'].flatMap((name) => {
    const spec = own(when, name);
    return Array.isArray(spec) ? spec : spec === undefined ? [] : [spec];
  });
  return [...(here === undefined ? [] : [here]), ...inside.flatMap((spec) => specsOf(spec, key))];
}

function eventOf(host: Host, kind: EventKind): Event | undefined {
  const decoded = host.decode(host.compose({ on: kind }), SETTING);
  return decoded.type === 'event' ? decoded.event : undefined;
}
