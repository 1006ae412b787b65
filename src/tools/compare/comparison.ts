import type { Engine } from '../../language/engine/engine.ts';
import type { Sample } from './sample.ts';
import { type Change, changeBetween, type Verdict, verdictOf } from './verdict.ts';

/** A call that two sets of policies, or two times, decide differently. */
export interface Difference {
  readonly change: Change;
  /** The policy that it is about: that no longer decides, or that now does. */
  readonly policy: string;
  readonly label: string;
  readonly place: string;
  readonly before: Verdict;
  readonly after: Verdict;
}

/** What judging all samples has shown. */
export interface Comparison {
  /** Loosened ones first, then by policy. */
  readonly differences: readonly Difference[];
  /** How many samples were judged. */
  readonly judged: number;
}

/** Judges every sample by both sets. */
export function compareSets(samples: readonly Sample[], before: Engine, after: Engine): Comparison {
  const differences: Difference[] = [];
  let judged = 0;
  for (const sample of samples) {
    const [old, now] = [sample.judge(before), sample.judge(after)];
    if (old === undefined || now === undefined) continue;
    judged += 1;
    const difference = differenceOf(sample, verdictOf(old), verdictOf(now));
    if (difference !== undefined) differences.push(difference);
  }
  return { differences: inOrder(differences), judged };
}

/** The difference between two verdicts on one call; undefined if there is none. */
export function differenceOf(
  { label, place }: Pick<Sample, 'label' | 'place'>,
  before: Verdict,
  after: Verdict,
): Difference | undefined {
  const change = changeBetween(before, after);
  if (change === undefined) return undefined;
  const policy = change === 'loosened' ? (before.policy ?? after.policy) : (after.policy ?? before.policy);
  return { change, policy: policy ?? NO_POLICY, label, place, before, after };
}

const NO_POLICY = 'no policy';
const ORDER: readonly Change[] = ['loosened', 'changed', 'tightened'];

/** Loosened ones first, then by policy; within a policy as they came. */
export function inOrder(differences: readonly Difference[]): readonly Difference[] {
  return [...differences].sort(
    (a, b) => ORDER.indexOf(a.change) - ORDER.indexOf(b.change) || compareTexts(a.policy, b.policy),
  );
}

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
