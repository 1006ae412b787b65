import type { Effect, PathUse, Reading } from '../reading/reading.ts';

/** What a reading holds, in a form that most tests can be answered from without looking at its commands. */
export interface ReadingSummary {
  /** The programs' names. */
  readonly names: ReadonlySet<string>;
  /** True if a program's name is not known: then nothing else here rules anything out. */
  readonly hasUnknownName: boolean;
  /** What is done to paths. */
  readonly uses: ReadonlySet<PathUse>;
  readonly effects: ReadonlySet<Effect['type']>;
  readonly hasAssignments: boolean;
  /** True if some part could run anything; a program that is not known is listed and does not count. */
  readonly hasGaps: boolean;
}

const summaries = new WeakMap<Reading, ReadingSummary>();

/** Sums a reading up, once. */
export function summaryOf(reading: Reading): ReadingSummary {
  let summary = summaries.get(reading);
  if (summary === undefined) {
    summary = sumUp(reading);
    summaries.set(reading, summary);
  }
  return summary;
}

function sumUp({ commands, gaps }: Reading): ReadingSummary {
  const names = new Set<string>();
  const uses = new Set<PathUse>();
  const types = new Set<Effect['type']>();
  let hasUnknownName = false;
  let hasAssignments = false;
  for (const { name, effects, assignments } of commands) {
    if (name === undefined) hasUnknownName = true;
    else names.add(name);
    if (assignments.length > 0) hasAssignments = true;
    for (const effect of effects) {
      types.add(effect.type);
      if (effect.type === 'path') uses.add(effect.use);
    }
  }
  const hasGaps = gaps.some(({ reason }) => reason !== 'unknown_program');
  return { names, hasUnknownName, uses, effects: types, hasAssignments, hasGaps };
}
