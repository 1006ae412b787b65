import type { DecisionRecord } from '../../hook/audit/record.ts';
import { compileNameGlob } from '../../lib/glob/glob.ts';

/** Selects the records that fit one of each list that is not empty. */
export interface RecordFilter {
  /** ISO time of the first moment that counts, and of the first one that does not; undefined for no bound. */
  readonly since: string | undefined;
  readonly until: string | undefined;
  readonly hosts: readonly string[];
  /** Names as the host has them; `*` matches any characters. */
  readonly tools: readonly string[];
  /** Ids of policies that took part in whatever way; `*` matches any characters. */
  readonly policies: readonly string[];
  readonly actions: readonly string[];
}

/** A function that is true for the records that are meant. */
export function compileFilter(filter: RecordFilter): (record: DecisionRecord) => boolean {
  const { since = '', until } = filter;
  const host = anyOf(filter.hosts);
  const tool = anyOf(filter.tools);
  const policy = anyOf(filter.policies);
  const action = anyOf(filter.actions);
  return (record) =>
    record.time >= since &&
    (until === undefined || record.time < until) &&
    (host?.(record.host) ?? true) &&
    (action?.(record.action) ?? true) &&
    (tool === undefined || (record.tool !== undefined && tool(record.tool))) &&
    (policy === undefined || policiesOf(record).some(policy));
}

/** The ids of all policies that took part. */
export function policiesOf({ policy, policies, skipped }: DecisionRecord): readonly string[] {
  return [
    ...new Set([...(policy === undefined ? [] : [policy]), ...policies.map(({ id }) => id), ...skipped]),
  ];
}

function anyOf(patterns: readonly string[]): ((name: string) => boolean) | undefined {
  if (patterns.length === 0) return undefined;
  const fits = patterns.map(compileNameGlob);
  return (name) => fits.some((fit) => fit(name));
}
