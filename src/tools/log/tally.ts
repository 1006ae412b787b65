import type { DecisionRecord } from '../../hook/audit/record.ts';
import { child } from '../../lib/child.ts';
import type { Action } from '../../model/action.ts';

/** How often one policy took part in decisions, and in which ways. */
export interface PolicyTally {
  readonly id: string;
  /** It matched and counted. */
  readonly matched: number;
  /** Its keys were unknown, and it counted as a match. */
  readonly unknown: number;
  /** Its keys were unknown, and it was passed over. */
  readonly skipped: number;
  /** It matched in `mode: monitor`, without effect. */
  readonly monitored: number;
  /** It matched but has no effect until its project is trusted. */
  readonly inactive: number;
  /** It has a judge, which was not asked. */
  readonly unasked: number;
  /** It matched, and an exception or a person let the call pass. */
  readonly excepted: number;
  /** It answers with results of earlier calls and had none for this one; `matched` counts those that it answered. */
  readonly missed: number;
  /** It decided because something failed. */
  readonly failed: number;
  /** Microseconds that the decisions took in which it took part. */
  readonly totalUs: number;
  /** How many decisions those are. */
  readonly decisions: number;
  /** Microseconds that it took on its own, in all, at most, and how often that was measured. */
  readonly ownUs: number;
  readonly maxOwnUs: number;
  readonly measured: number;
}

export interface Tally {
  readonly decisions: number;
  readonly failed: number;
  readonly totalUs: number;
  readonly actions: Readonly<Partial<Record<Action, number>>>;
  /** ISO time of the oldest and newest decision; undefined if there is none. */
  readonly first: string | undefined;
  readonly last: string | undefined;
  /** Those that took part most often first. */
  readonly policies: readonly PolicyTally[];
}

type Counts = { -readonly [K in keyof PolicyTally]: PolicyTally[K] };

export function createTallier(): { add(record: DecisionRecord): void; result(): Tally } {
  const policies = new Map<string, Counts>();
  const actions: Partial<Record<Action, number>> = {};
  let decisions = 0;
  let failed = 0;
  let totalUs = 0;
  let first: string | undefined;
  let last: string | undefined;

  const countsOf = (id: string) => child(policies, id, () => startCounts(id));

  const add = (record: DecisionRecord): void => {
    decisions++;
    totalUs += record.duration_us;
    actions[record.action] = (actions[record.action] ?? 0) + 1;
    if (first === undefined || record.time < first) first = record.time;
    if (last === undefined || record.time > last) last = record.time;
    for (const { id, how } of record.policies) countsOf(id)[how]++;
    for (const id of record.skipped) countsOf(id).skipped++;
    if (record.failed !== undefined) {
      failed++;
      if (record.policy !== undefined) countsOf(record.policy).failed++;
    }
    for (const { id, own_us: us } of record.times ?? []) {
      const counts = countsOf(id);
      counts.ownUs += us;
      counts.maxOwnUs = Math.max(counts.maxOwnUs, us);
      counts.measured++;
    }
    for (const id of idsOf(record)) {
      const counts = countsOf(id);
      counts.decisions++;
      counts.totalUs += record.duration_us;
    }
  };

  const result = (): Tally => ({
    decisions,
    failed,
    totalUs,
    actions,
    first,
    last,
    policies: [...policies.values()].sort((a, b) => b.decisions - a.decisions || (a.id < b.id ? -1 : 1)),
  });

  return { add, result };
}

function startCounts(id: string): Counts {
  return {
    id,
    matched: 0,
    unknown: 0,
    skipped: 0,
    monitored: 0,
    inactive: 0,
    unasked: 0,
    excepted: 0,
    missed: 0,
    failed: 0,
    totalUs: 0,
    decisions: 0,
    ownUs: 0,
    maxOwnUs: 0,
    measured: 0,
  };
}

function idsOf(record: DecisionRecord): ReadonlySet<string> {
  const ids = new Set([...record.policies.map(({ id }) => id), ...record.skipped]);
  if (record.failed !== undefined && record.policy !== undefined) ids.add(record.policy);
  return ids;
}
