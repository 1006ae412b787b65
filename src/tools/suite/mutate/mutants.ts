import { actionSpec } from '../../../language/actions/registry.ts';
import { rewriteForm } from '../../../language/actions/rewrite/registry.ts';
import { coveredEvents, requirementsOf } from '../../../language/policy/parse/normalise-policy.ts';
import type { YamlPath } from '../../../language/policy/yaml/yaml.ts';
import type { Site } from '../../../language/sites/site.ts';
import { sitesOf } from '../../../language/sites/sites-of.ts';
import { asObject, isJsonObject, type Json, ownObject } from '../../../lib/json.ts';
import { atPath, withAtPath } from '../../../lib/json-path.ts';
import type { Action } from '../../../model/action.ts';
import { factName } from '../../../model/history.ts';
import type { FactRow, Rule } from '../../../model/policy.ts';
import { isToolRule } from '../coverage/policy-places.ts';
import { factChanges, historyChanges } from './history-mutants.ts';

/** A policy changed in one small step that its tests should notice. */
export interface Mutant {
  /** Leads from the policy to the changed part. */
  readonly path: YamlPath;
  readonly at: 'key' | 'value';
  /** The change, in words: `without "tool"`. */
  readonly change: string;
  /** Undefined: the policy is not there. */
  readonly mutated: Rule | undefined;
  /** A fact with other keys, if the change is there. */
  readonly fact?: FactRow;
  /** True if only the matching keys of the policy have changed. */
  readonly matchesOnly: boolean;
}

export function mutantsOf(rule: Rule): readonly Mutant[] {
  const whole: Mutant = {
    path: [],
    at: 'value',
    change: 'without the policy',
    mutated: undefined,
    matchesOnly: false,
  };
  const matching = isToolRule(rule) ? [] : sitesOf(rule.when).map((site) => matchingMutant(rule, site));
  const history = historyChanges(rule.when).map(({ path, change, when }): Mutant => {
    const mutated = { ...rule, when, ...requirementsOf(when) };
    return { path, at: 'value', change, mutated, matchesOnly: true };
  });
  return [whole, ...weakerAction(rule), ...fewerEvents(rule), ...matching, ...history, ...paramMutants(rule)];
}

/** Every mutant of a fact that a policy goes by. */
export function factMutantsOf(rule: Rule, row: FactRow): readonly Mutant[] {
  return factChanges(row).map(({ path, at, change, fact }) => ({
    path,
    at,
    change: `fact "${factName(row.id)}" ${change}`,
    mutated: rule,
    fact,
    matchesOnly: false,
  }));
}

function matchingMutant(rule: Rule, site: Site): Mutant {
  const mutated = { ...rule, when: site.drop, ...requirementsOf(site.drop) };
  const at = site.type === 'key' ? 'key' : 'value';
  return { path: site.path, at, change: changeOf(site), mutated, matchesOnly: true };
}

function changeOf(site: Site): string {
  switch (site.type) {
    case 'key':
      return `without "${site.label}"`;
    case 'alternative':
      return `without ${site.negative ? 'exception' : 'alternative'} "${site.label}"`;
    case 'item':
      return `without item "${site.label}"`;
    case 'pattern':
      return `without ${site.label}`;
  }
}

const WEAKER: Readonly<Partial<Record<Action, Action>>> = {
  hard_abort: 'abort_turn',
  abort_turn: 'deny',
  deny: 'ask',
};

/** The next weaker action. One that does nothing is the same as no policy, and in monitor mode none does anything. */
function weakerAction(rule: Rule): readonly Mutant[] {
  const weaker = WEAKER[rule.action];
  if (weaker === undefined || rule.mode === 'monitor' || rule.judge !== undefined) return [];
  const { events } = actionSpec(weaker);
  if (!rule.on.every((kind) => events.includes(kind) || kind === 'approve_tool')) return [];
  const mutated = { ...rule, action: weaker };
  const change = `with action "${weaker}"`;
  return [{ path: ['action'], at: 'value', change, mutated, matchesOnly: false }];
}

/** The events that before_tool covers are not written and go with it. */
function fewerEvents(rule: Rule): readonly Mutant[] {
  const coversApproval = rule.on.includes('before_tool') && rule.on.at(-1) === 'approve_tool';
  const written = coversApproval ? rule.on.slice(0, -1) : rule.on;
  if (written.length < 2 || isToolRule(rule)) return [];
  return written.map((kind, index) => ({
    path: ['on', index],
    at: 'value',
    change: `without event "${kind}"`,
    mutated: { ...rule, on: coveredEvents(written.filter((each) => each !== kind)) },
    matchesOnly: false,
  }));
}

/** Rows of tables and parts of rewrites. */
function paramMutants(rule: Rule): readonly Mutant[] {
  const without = (path: readonly (string | number)[], label: string): Mutant => {
    const params = removed(rule.params, path);
    const mutated = { ...rule, params: isJsonObject(params) ? params : {} };
    return { path, at: 'key', change: `without ${label}`, mutated, matchesOnly: false };
  };
  const table = ownObject(rule.params, 'table') ?? {};
  const rows = Object.keys(ownObject(table, 'rows') ?? {}).map((row) =>
    without(['table', 'rows', row], `row "${row}"`),
  );
  const otherwise = Object.hasOwn(table, 'otherwise') ? [without(['table', 'otherwise'], '"otherwise"')] : [];
  const rewrite = ownObject(rule.params, 'rewrite') ?? {};
  const forms = Object.keys(rewrite);
  const parts = forms.flatMap((form) => {
    const spec = rewrite[form];
    const items = Array.isArray(spec) && spec.length > 1 ? spec.map((_item: Json, index) => index) : [];
    const entries = isJsonObject(spec) && hasOwnNames(form) ? Object.keys(spec) : [];
    return [
      ...(forms.length > 1 ? [without(['rewrite', form], `"${form}"`)] : []),
      ...items.map((index) => without(['rewrite', form, index], `item ${index + 1} of "${form}"`)),
      ...(entries.length > 1
        ? entries.map((name) => without(['rewrite', form, name], `"${name}" of "${form}"`))
        : []),
    ];
  });
  return [...rows, ...otherwise, ...parts];
}

/** True for a form that is a mapping from names of the author's choice, each a change on its own. */
function hasOwnNames(form: string): boolean {
  return isJsonObject(rewriteForm(form)?.schema['additionalProperties'] ?? null);
}

function removed(value: Json, path: readonly (string | number)[]): Json {
  const [around, step = ''] = [path.slice(0, -1), path.at(-1)];
  const whole = atPath(value, around) ?? null;
  if (Array.isArray(whole)) return withAtPath(value, around, whole.toSpliced(Number(step), 1));
  const { [step]: _removed, ...others } = asObject(whole);
  return withAtPath(value, around, others);
}
