import { type Action, prevents } from '../../model/action.ts';

/** A policy that would keep a call from being made. */
export interface Refusal {
  readonly policy: string;
  readonly action: Action;
}

/** A decision of the past, and what would have refused it. */
export interface PastDecision {
  readonly repository: string;
  /** The conversation, unlike those of other agents. */
  readonly session: string;
  /** ISO time. */
  readonly time: string;
  /** The call in a line, without secrets. */
  readonly label: string;
  /** What was decided. */
  readonly action: Action;
  readonly refusals: readonly Refusal[];
}

/** A policy in a repository. */
export interface PlannedPolicy extends Refusal {
  readonly repository: string;
  readonly calls: number;
  readonly sessions: number;
  /** ISO time of the newest call. */
  readonly last: string;
  /** Different calls, those made most often first. */
  readonly examples: readonly { readonly call: string; readonly calls: number }[];
}

export interface PlannedRepository {
  readonly repository: string;
  readonly decisions: number;
  /** Those that passed and would not pass any more. */
  readonly refused: number;
}

/** What policies would have refused that are not in force, or not everywhere. */
export interface RolloutPlan {
  /** Those where least would be refused first. */
  readonly repositories: readonly PlannedRepository[];
  /** Those that would refuse most first. */
  readonly policies: readonly PlannedPolicy[];
}

/** Counts decisions one by one. */
export interface RolloutPlanner {
  add(decision: PastDecision): void;
  result(): RolloutPlan;
}

/** More of them nobody reads. */
const MAX_EXAMPLES = 20;

interface PolicyCounts extends Refusal {
  readonly repository: string;
  calls: number;
  last: string;
  readonly sessions: Set<string>;
  readonly labels: Map<string, number>;
}

export function createRolloutPlanner(): RolloutPlanner {
  const repositories = new Map<string, { decisions: number; refused: number }>();
  const policies = new Map<string, PolicyCounts>();

  const countsOf = ({ policy, action }: Refusal, repository: string): PolicyCounts => {
    const key = JSON.stringify([policy, action, repository]);
    const known = policies.get(key);
    if (known !== undefined) return known;
    const sessions = new Set<string>();
    const made = { policy, action, repository, calls: 0, last: '', sessions, labels: new Map() };
    policies.set(key, made);
    return made;
  };

  const add = ({ repository, session, time, label, action, refusals }: PastDecision): void => {
    const counts = repositories.get(repository) ?? { decisions: 0, refused: 0 };
    repositories.set(repository, counts);
    counts.decisions += 1;
    if (prevents(action) || refusals.length === 0) return;
    counts.refused += 1;
    for (const refusal of refusals) {
      const of = countsOf(refusal, repository);
      of.calls += 1;
      of.sessions.add(session);
      of.labels.set(label, (of.labels.get(label) ?? 0) + 1);
      if (time > of.last) of.last = time;
    }
  };

  const result = (): RolloutPlan => ({
    repositories: [...repositories]
      .map(([repository, counts]) => ({ repository, ...counts }))
      .sort((a, b) => a.refused - b.refused || b.decisions - a.decisions),
    policies: [...policies.values()]
      .map(({ sessions, labels, ...counts }) => ({
        ...counts,
        sessions: sessions.size,
        examples: [...labels]
          .sort(([, a], [, b]) => b - a)
          .slice(0, MAX_EXAMPLES)
          .map(([call, calls]) => ({ call, calls })),
      }))
      .sort((a, b) => b.calls - a.calls || (a.policy < b.policy ? -1 : 1)),
  });

  return { add, result };
}
