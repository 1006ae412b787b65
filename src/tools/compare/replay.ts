import type { DecisionRecord } from '../../hook/audit/record.ts';
import type { Engine } from '../../language/engine/engine.ts';
import { type Comparison, type Difference, differenceOf, inOrder } from './comparison.ts';
import type { Sample } from './sample.ts';
import { type Verdict, verdictOf } from './verdict.ts';

/** A logged decision and how to take it again. */
export interface Replayed {
  readonly record: DecisionRecord;
  readonly sample: Sample;
  readonly engine: Engine;
}

/** What has become of logged decisions. */
export interface Replay extends Comparison {
  /** Decisions that a failure took; they are not compared. */
  readonly failed: number;
}

/** Takes logged decisions again, in their order, and compares. */
export function replayDecisions(items: readonly Replayed[]): Replay {
  const differences: Difference[] = [];
  let judged = 0;
  let failed = 0;
  for (const { record, sample, engine } of items) {
    const answer = sample.judge(engine);
    // What a failure decided says nothing about the policies, but it is judged for what it leaves in memory.
    if (record.failed !== undefined) failed += 1;
    if (answer === undefined || record.failed !== undefined) continue;
    judged += 1;
    const difference = differenceOf(sample, loggedVerdict(record), verdictOf(answer));
    if (difference !== undefined) differences.push(difference);
  }
  return { differences: inOrder(differences), judged, failed };
}

/** Texts in the log are redacted and cut, so only the action and the policy can be compared. */
function loggedVerdict({ action, policy }: DecisionRecord): Verdict {
  return { action, policy, effect: null };
}
