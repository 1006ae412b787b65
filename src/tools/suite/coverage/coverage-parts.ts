import { argumentAt } from '../../../language/engine/template-values.ts';
import { withFacts } from '../../../language/keys/history/fact-places.ts';
import { factUse, windowOf } from '../../../language/keys/history/spec.ts';
import { MATCHER_TABLE } from '../../../language/keys/registry.ts';
import { type CompiledKey, compileWhen, holds } from '../../../language/keys/when.ts';
import type { YamlPath } from '../../../language/policy/yaml/yaml.ts';
import type { Site } from '../../../language/sites/site.ts';
import { sitesOf } from '../../../language/sites/sites-of.ts';
import { isJsonObject, type Json, type JsonObject, own, ownObject, ownString } from '../../../lib/json.ts';
import { RegexError } from '../../../lib/regex/regex.ts';
import type { Facts } from '../../../model/facts.ts';
import { factName } from '../../../model/history.ts';
import type { Rule } from '../../../model/policy.ts';
import type { PartCoverage } from './coverage.ts';
import { isToolRule } from './policy-places.ts';

export interface CoveragePart {
  readonly type: PartCoverage['type'];
  readonly label: string;
  readonly path: YamlPath;
  readonly at: 'key' | 'value';
  /** True if an event reaches it; asked if the policy matches, or for exceptions if it does not. */
  readonly reached: (facts: Facts) => boolean;
}

export function coverageParts(rule: Rule): readonly CoveragePart[] {
  const sites = isToolRule(rule) ? [] : sitesOf(rule.when);
  return [
    ...sites.flatMap((site) => partOf(site, sites)),
    ...tableRows(rule.params),
    ...factParts(rule.when),
  ];
}

function factParts(when: JsonObject): readonly CoveragePart[] {
  const parts: CoveragePart[] = [];
  withFacts(when, (fact, { path, spec }) => {
    const use = factUse(fact);
    const window = windowOf(spec);
    if (use === undefined || window === undefined) return fact;
    const reached = ({ history }: Facts) => history.past(use.fact, window).calls.some(({ met }) => met);
    parts.push({ type: 'fact', label: factName(use.fact), path, at: 'key', reached });
    return fact;
  });
  return parts;
}

function partOf(site: Site, sites: readonly Site[]): readonly CoveragePart[] {
  const { path, label } = site;
  if (site.type === 'alternative' && !site.negative) {
    return [{ type: 'alternative', label, path, at: 'value', reached: matcherFor(site.only) }];
  }
  if (site.type === 'alternative') {
    return [{ type: 'exception', label, path, at: 'value', reached: matcherFor(site.drop) }];
  }
  // An exception with several alternatives is counted by those.
  if (site.type !== 'key' || !site.excepts || site.negative || hasAlternatives(sites, path)) return [];
  return [{ type: 'exception', label, path, at: 'key', reached: matcherFor(site.drop) }];
}

function hasAlternatives(sites: readonly Site[], path: YamlPath): boolean {
  return sites.some(
    (site) =>
      site.type === 'alternative' &&
      site.path.length >= path.length &&
      path.every((step, depth) => site.path[depth] === step),
  );
}

function matcherFor(when: JsonObject): (facts: Facts) => boolean {
  let keys: readonly CompiledKey[] | undefined;
  return (facts) => {
    keys ??= compiled(when);
    return keys !== undefined && holds(keys, facts) === true;
  };
}

/** A part of a pattern need not be a pattern on its own: then nothing reaches it. */
function compiled(when: JsonObject): readonly CompiledKey[] | undefined {
  try {
    return compileWhen(when, MATCHER_TABLE);
  } catch (error) {
    if (error instanceof RegexError) return undefined;
    throw error;
  }
}

function tableRows(params: JsonObject): readonly CoveragePart[] {
  const table = ownObject(params, 'table');
  const rows = table === undefined ? undefined : ownObject(table, 'rows');
  if (table === undefined || rows === undefined) return [];
  const by = ownString(table, 'by') ?? '';
  const names = Object.keys(rows);
  const row = (
    name: string,
    path: YamlPath,
    picks: (value: string | undefined) => boolean,
  ): CoveragePart => ({
    type: 'row',
    label: name,
    path,
    at: 'key',
    reached: ({ event }) => picks(rowName(argumentAt(event, by))),
  });
  const listed = names.map((name) => row(name, ['table', 'rows', name], (value) => value === name));
  return own(table, 'otherwise') === undefined
    ? listed
    : [
        ...listed,
        row('otherwise', ['table', 'otherwise'], (value) => value === undefined || !names.includes(value)),
      ];
}

function rowName(value: Json | undefined): string | undefined {
  if (value === undefined || value === null || Array.isArray(value) || isJsonObject(value)) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
