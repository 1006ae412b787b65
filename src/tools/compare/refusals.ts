import { child } from '../../lib/child.ts';
import type { Action } from '../../model/action.ts';
import type { KnownCall } from './sample.ts';

/** A policy that keeps a call from being made. */
export interface Refusal {
  readonly policy: string;
  readonly action: Action;
  /** As the agent would have read it; absent where that is not known. */
  readonly reason?: string;
}

/** A policy that would have held calls back. */
export interface PolicyRefusals {
  readonly id: string;
  readonly action: Action;
  /** As the agent would have read it the first time; undefined where that is not known. */
  readonly reason: string | undefined;
  readonly calls: number;
  readonly sessions: number;
  readonly groups: readonly string[];
}

/** A call that a policy would have held back, however often it was made. */
export interface Candidate extends Refusal {
  readonly group: string;
  readonly call: string;
  readonly calls: number;
  readonly sessions: number;
  /** ISO time of the newest one; undefined if nothing tells. */
  readonly last: string | undefined;
}

export interface CallGroup {
  readonly name: string;
  readonly sessions: number;
  readonly calls: number;
  readonly refused: number;
}

/** The refusals that policies would have made. */
export interface Refusals {
  readonly calls: number;
  readonly sessions: number;
  /** Calls that would not have been made as they were. */
  readonly refused: number;
  /** Calls about which a judge would have been asked. */
  readonly asked: number;
  /** Those with most calls first. */
  readonly groups: readonly CallGroup[];
  /** Those that hold back most first. */
  readonly policies: readonly PolicyRefusals[];
  /** Those of most sessions first: a call that people let pass again and again is likely to be meant. */
  readonly candidates: readonly Candidate[];
}

/** Counts calls one by one, by the agent or the repository that they belong to. */
export interface RefusalCounter {
  add(group: string, call: KnownCall, refusals: readonly Refusal[], asked: boolean): void;
  result(): Refusals;
}

interface Counts {
  calls: number;
  refused: number;
  readonly sessions: Set<string>;
}

type PolicyCounts = Counts & Refusal & { readonly groups: Set<string> };
type CandidateCounts = Counts &
  Refusal & { readonly group: string; readonly label: string; last: string | undefined };

export function createRefusalCounter(): RefusalCounter {
  const groups = new Map<string, Counts>();
  const policies = new Map<string, PolicyCounts>();
  const candidates = new Map<string, CandidateCounts>();
  let asked = 0;

  const add: RefusalCounter['add'] = (group, call, refusals, wasAsked) => {
    const isRefused = refusals.length > 0;
    count(child(groups, group, start), call.session, isRefused);
    if (wasAsked) asked += 1;
    for (const { policy, action, reason } of refusals) {
      const byPolicy = child(policies, `${policy} ${action}`, () => ({
        ...start(),
        policy,
        action,
        ...(reason === undefined ? {} : { reason }),
        groups: new Set<string>(),
      }));
      count(byPolicy, call.session, true);
      byPolicy.groups.add(group);
      const key = JSON.stringify([policy, action, group, call.alike]);
      const alike = child(candidates, key, () => ({
        ...start(),
        policy,
        action,
        group,
        // The call itself would keep all that was found out about it.
        label: call.label,
        last: undefined,
      }));
      count(alike, call.session, true);
      if (call.time !== undefined && call.time > (alike.last ?? '')) alike.last = call.time;
    }
  };

  const result = (): Refusals => {
    const ofGroups = [...groups].map(([name, { calls, refused, sessions }]) => ({
      name,
      sessions: sessions.size,
      calls,
      refused,
    }));
    return {
      calls: sum(ofGroups.map(({ calls }) => calls)),
      sessions: sum(ofGroups.map(({ sessions }) => sessions)),
      refused: sum(ofGroups.map(({ refused }) => refused)),
      asked,
      groups: ofGroups.sort((a, b) => b.calls - a.calls),
      policies: [...policies.values()]
        .map(({ policy, action, reason, calls, sessions, groups: of }) => ({
          id: policy,
          action,
          reason,
          calls,
          sessions: sessions.size,
          groups: [...of].sort(),
        }))
        .sort((a, b) => b.calls - a.calls || (a.id < b.id ? -1 : 1)),
      candidates: [...candidates.values()]
        .sort((a, b) => b.sessions.size - a.sessions.size || b.calls - a.calls)
        .map(({ policy, action, group, label, calls, sessions, last }) => ({
          policy,
          action,
          group,
          call: label,
          calls,
          sessions: sessions.size,
          last,
        })),
    };
  };

  return { add, result };
}

function start(): Counts {
  return { calls: 0, refused: 0, sessions: new Set() };
}

function count(counts: Counts, session: string, isRefused: boolean): void {
  counts.calls += 1;
  counts.sessions.add(session);
  if (isRefused) counts.refused += 1;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
