import type { Host, HostSetting, Support } from '../../hosts/host.ts';
import { isJsonObject, type Json, type JsonObject, own, ownObject } from '../../lib/json.ts';
import { atPath, mapChildren, parsePath } from '../../lib/json-path.ts';
import { templatePaths } from '../../lib/template.ts';
import { type Action, restricts } from '../../model/action.ts';
import { decide } from '../../model/decision.ts';
import type { Event, EventKind } from '../../model/event.ts';
import type { Rule } from '../../model/policy.ts';
import { rootKey } from '../actions/rewrite/paths.ts';
import { degrade } from '../engine/degrade.ts';
import { ANALYSES } from '../keys/analyses.ts';
import type { UnreportedFact } from '../keys/key-analysis.ts';
import type { Complaint, Target } from './complaint.ts';
import { historyComplaints } from './history-limits.ts';
import type { Finding, LintedPolicy, LintRule } from './lint-rule.ts';
import { looksForSecrets } from './looks-for-secrets.ts';
import { whenParts } from './when-parts.ts';

/** Finds policies that ask for more than hosts can do, and keys that hosts can only answer with unknown. */
export const hostLimits = {
  codes: ['host-degrades', 'host-misses', 'host-unknown', 'model-unknown', 'wrong-type'],
  check: () => findingsOf,
} as const satisfies LintRule;

const SETTING: HostSetting = { version: undefined, env: {}, cwd: '/', interactive: true };

function findingsOf(policy: LintedPolicy): readonly Finding[] {
  const places = new Map<string, { readonly complaint: Complaint; readonly names: string[] }>();
  const targets = policy.hosts.flatMap((host) => targetsOf(policy.rule, host));
  for (const target of targets) {
    for (const complaint of complaintsOf(policy, target)) {
      const key = JSON.stringify(complaint);
      const place = places.get(key) ?? { complaint, names: [] };
      places.set(key, place);
      place.names.push(`${target.host.name} ${target.kind}`);
    }
  }
  const findings = [...places.values()].flatMap(({ complaint, names }): readonly Finding[] => {
    // A loss in one place is a note if the policy works in others; one that works nowhere is worse.
    const severity =
      (names.length === targets.length ? complaint.ifEverywhere : undefined) ?? complaint.severity;
    if (severity === undefined) return [];
    const { code, path, cannot, state, hint } = complaint;
    const message = `Cannot ${cannot} on ${firstAndCount(names)}: ${state}`;
    return [{ code, severity, path, at: 'key', message, hint }];
  });
  return [...findings, ...olderModels(policy)];
}

const MAX_NAMED = 4;

/** The first of them, and the number of the others. */
function firstAndCount(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  return more > 1 ? `${names.slice(0, MAX_NAMED).join(', ')} and ${more} more` : names.join(', ');
}

/** Older versions of a host that do not say the model, where newer ones do. */
function olderModels({ rule, source, hosts }: LintedPolicy): readonly Finding[] {
  if (Object.hasOwn(source.written, 'when_unknown')) return [];
  return hosts.flatMap((host) => {
    const unsaidOn = (version: string | undefined) => {
      const supports = host.supports(version);
      return rule.on.flatMap((kind) => unreportedFacts(rule, supports[kind]));
    };
    const now = unsaidOn(undefined);
    const older = host.versions.map((version) => ({ version, facts: unsaidOn(version) }));
    const facts = new Map(older.flatMap((each) => each.facts).map((fact) => [fact.path.join('.'), fact]));
    return [...facts].flatMap(([place, { code, name, path }]): readonly Finding[] => {
      const has = (list: readonly UnreportedFact[]) => list.some((each) => each.path.join('.') === place);
      if (has(now)) return [];
      const versions = older.filter((each) => has(each.facts)).map(({ version }) => version);
      const message = `Cannot tell "${name}" on ${host.name} ${versions.join(', ')}: ${UNSAID}, so ${effectOf(rule)}`;
      return [{ code, severity: 'note', path, at: 'key', message, hint: hintFor(rule) }];
    });
  });
}

/** The facts that keys of a policy ask for and the host does not say, with the way from the policy to each. */
function unreportedFacts({ when }: Rule, support: Support | undefined): readonly UnreportedFact[] {
  if (support === undefined) return [];
  return whenParts(when).flatMap(({ key, spec, path }) =>
    (ANALYSES.get(key)?.unreported(spec, support) ?? []).map((fact) => ({
      ...fact,
      path: [...path, ...fact.path],
    })),
  );
}

const UNSAID = 'the agent never says it';

function effectOf({ whenUnknown }: Rule): string {
  return whenUnknown === 'match' ? 'the policy counts as matched there' : 'the policy is passed over there';
}

function hintFor({ whenUnknown }: Rule): string {
  return `limit the policy with "hosts", or write what is wanted: when_unknown: ${whenUnknown}`;
}

function targetsOf(rule: Rule, host: Host): readonly Target[] {
  const supports = host.supports(undefined);
  const hasBeforeTool = rule.on.includes('before_tool') && supports.before_tool !== undefined;
  return rule.on.flatMap((kind) => {
    const support = supports[kind];
    // The verdict of before_tool also counts for approve_tool, so only the actions of before_tool matter.
    if (support === undefined || (kind === 'approve_tool' && hasBeforeTool)) return [];
    return [{ host, kind, support }];
  });
}

function complaintsOf(policy: LintedPolicy, target: Target): readonly Complaint[] {
  return [
    ...intentsOf(policy).flatMap((intent) => [
      ...actionComplaints(policy.rule, intent, target),
      ...extraComplaints(intent, target),
      ...caveatComplaints(intent, target),
      ...typeComplaints(intent, target),
    ]),
    ...unknownComplaints(policy, target),
    ...historyComplaints(policy.rule, target),
    ...chunkComplaints(policy, target),
    ...missedComplaints(policy, target),
    ...repeatComplaints(policy, target),
  ];
}

/** An action that a policy may come to, and its place. */
interface Intent {
  readonly action: Action;
  readonly params: JsonObject;
  readonly path: readonly (string | number)[];
  /** The path of its parameters. */
  readonly base: readonly (string | number)[];
  /** ` for verdict "deny"`; empty for an intent that is not up to a judge. */
  readonly when: string;
}

function intentsOf({ rule, source }: LintedPolicy): readonly Intent[] {
  const { judge, action, params } = rule;
  if (judge === undefined) return [{ action, params, path: ['action'], base: [], when: '' }];
  const written = own(source.written, 'verdicts');
  return Object.entries(judge.verdicts).map(([name, effect]) => {
    const path = placeOfVerdict(written, name);
    return { ...effect, path, base: path, when: ` for verdict "${name}"` };
  });
}

/** The verdict itself, or the key that has brought it in. */
function placeOfVerdict(written: Json | undefined, name: string): Intent['path'] {
  if (written === undefined) return ['type'];
  return ['verdicts', Array.isArray(written) ? written.indexOf(name) : name];
}

function actionComplaints(
  rule: Rule,
  { action, params, path, when }: Intent,
  { host, kind, support }: Target,
): readonly Complaint[] {
  if (action === 'continue') return [];
  const event = eventOf(host, kind);
  if (event === undefined) return [];
  const rewrites = action === 'modify' ? Object.keys(ownObject(params, 'rewrite') ?? {}) : [];
  const onUnsupported = own(params, 'on_unsupported') === 'continue' ? 'continue' : 'refuse';
  const wanted = decide({ action, policyId: rule.id, rewrites, onUnsupported });
  const becomes = degrade(wanted, event, support, SETTING).action;
  // An approval does nothing if the host asks nothing: only a policy that never does anything is worth a word.
  if (action === 'approve') {
    if (rule.judge !== undefined || support.actions.includes(action)) return [];
    return [
      {
        code: 'host-degrades',
        severity: undefined,
        ifEverywhere: 'warning',
        path,
        cannot: `do "approve"${when}`,
        state: 'no hook can approve a call there',
        hint: 'remove the policy, or see policy docs hosts',
      },
    ];
  }
  if (becomes === action) return [];
  const isCache = Object.hasOwn(params, 'cache');
  const missing = rewrites.filter((form) => !support.rewrites.includes(form));
  const isForm = missing.length > 0 && support.actions.includes('modify');
  return [
    {
      code: 'host-degrades',
      severity: 'note',
      ifEverywhere: isCache || (becomes === 'continue' && onUnsupported === 'refuse') ? 'warning' : undefined,
      path,
      cannot: `${isForm ? `rewrite with "${missing.join('", "')}"` : `do "${action}"`}${when}`,
      state: isCache
        ? 'nothing is kept there, and calls run'
        : becomes === 'continue'
          ? 'it is only logged there'
          : `it becomes "${becomes}" there`,
      hint: 'limit the policy with "hosts", or see policy docs hosts',
    },
  ];
}

const BESIDE = ['message', 'add_context', 'suppress_output'] as const;

function extraComplaints({ params, base, when }: Intent, { support }: Target): readonly Complaint[] {
  return BESIDE.filter((key) => own(params, key) !== undefined && !support.beside.includes(key)).map(
    (key) => ({
      code: 'host-degrades',
      severity: 'note',
      path: [...base, key],
      cannot: `give "${key}"${when}`,
      state: 'the agent has no place for it and it is left out',
      hint: 'nothing depends on it',
    }),
  );
}

function caveatComplaints(
  { params, base, when }: Intent,
  { support: { caveats = [] } }: Target,
): readonly Complaint[] {
  return caveats.flatMap(({ paths, unless, cannot, state, hint }) => {
    const path = paths.find((each) => atPath(params, each) !== undefined);
    if (path === undefined || (unless !== undefined && atPath(params, unless) === true)) return [];
    const complaint = { path: [...base, ...path], cannot: `${cannot}${when}`, state, hint };
    return [{ code: 'host-degrades', severity: 'note', ifEverywhere: 'warning', ...complaint }];
  });
}

/** Values that the host could not read: it is never sent one, so the policy only ever refuses. */
function typeComplaints({ params, base }: Intent, { host, kind }: Target): readonly Complaint[] {
  const set = atPath(params, ['rewrite', 'set']);
  if (!isJsonObject(set)) return [];
  const root = rootKey(kind);
  return Object.entries(set).flatMap(([key, value]) => {
    const path = [...(root === undefined ? [] : [root]), ...parsePath(key)];
    const wrong = host.wrongType?.(kind, path, withoutTemplates(value));
    if (wrong === undefined) return [];
    return [
      {
        code: 'wrong-type',
        severity: 'error',
        path: [...base, 'rewrite', 'set', key],
        cannot: `set "${key}"`,
        state: `${wrong}, and the agent could not read that`,
        hint: 'write what fits there, or limit the policy with "hosts"',
      },
    ];
  });
}

/** The value with null, which is of any type, for each text that is only known later. */
function withoutTemplates(value: Json): Json {
  if (typeof value === 'string') return templatePaths(value).length > 0 ? null : value;
  return mapChildren(value, withoutTemplates);
}

function unknownComplaints({ rule, source }: LintedPolicy, { support }: Target): readonly Complaint[] {
  // Whoever has written it has thought of it.
  const severity = Object.hasOwn(source.written, 'when_unknown') ? 'note' : 'warning';
  return unreportedFacts(rule, support).map(({ code, name, path }) => ({
    code,
    severity,
    path,
    cannot: `tell "${name}"`,
    state: `${UNSAID}, so ${effectOf(rule)} unless another key says no`,
    hint: hintFor(rule),
  }));
}

/** A chunk may cut a text in two, so that no part of it holds the whole: a refusal that depends on it refuses nothing. */
function chunkComplaints({ rule }: LintedPolicy, { support }: Target): readonly Complaint[] {
  if (support.chunked !== true) return [];
  return whenParts(rule.when)
    .filter(({ key }) => ANALYSES.get(key)?.wholeText)
    .map(({ key, path }) => ({
      code: 'host-degrades',
      severity: 'warning',
      ifEverywhere: 'error',
      path,
      cannot: `look for "${key}"`,
      state: 'the text comes in chunks there, and a match may be cut in two',
      hint: 'judge it where it arrives whole, as on after_turn, or limit the policy with "hosts" to those that send it whole',
    }));
}

function missedComplaints({ rule }: LintedPolicy, { support: { misses } }: Target): readonly Complaint[] {
  if (misses === undefined || (misses.seenOn !== undefined && rule.on.includes(misses.seenOn))) return [];
  const { cannot, state, hint, always } = misses;
  const ifEverywhere = always === true ? 'warning' : undefined;
  return [{ code: 'host-misses', severity: 'note', ifEverywhere, path: ['on'], cannot, state, hint }];
}

/** A call is refused for a secret in it, and the model reads the secret again with the refusal. */
function repeatComplaints({ rule }: LintedPolicy, { host, support }: Target): readonly Complaint[] {
  if (support.repeatsRefused !== true || !restricts(rule.action) || !looksForSecrets(rule, host.name))
    return [];
  return [
    {
      code: 'host-degrades',
      severity: 'note',
      path: ['action'],
      cannot: 'hide the secret of a refused call',
      state: 'the model is shown the whole command again',
      hint: 'a refusal keeps the secret from the command, not from the model: see that it never reads it, with builtin:secrets',
    },
  ];
}

function eventOf(host: Host, kind: EventKind): Event | undefined {
  const decoded = host.decode(host.compose({ on: kind }), SETTING);
  return decoded.type === 'event' ? decoded.event : undefined;
}
