import type { KnownCall } from './sample.ts';
import { type Change, type ComparedVerdict, changeBetween } from './verdict.ts';

/** A call that two sets of policies, or two times, decide differently. */
export interface Difference {
  readonly change: Change;
  /** The policy that it is about: that no longer decides, or that now does. */
  readonly policy: string;
  readonly label: string;
  readonly place: string;
  readonly before: ComparedVerdict;
  readonly after: ComparedVerdict;
}

/** The result of deciding all calls with both sets. */
export interface Comparison {
  /** Loosened ones first, then by policy. */
  readonly differences: readonly Difference[];
  /** How many calls were decided by both sides. */
  readonly judged: number;
}

/** One side of a comparison; undefined where it decides nothing. */
export type Decider = (call: KnownCall) => ComparedVerdict | undefined;

/**
 * Decides every call once by both sides, in their order: each may leave something in memory.
 *
 * @param byHistory true if a side goes by earlier calls: then the same call may be decided otherwise the next time
 */
export function compareCalls(
  calls: Iterable<KnownCall>,
  before: Decider,
  after: Decider,
  byHistory = false,
): Comparison {
  const differences: Difference[] = [];
  const seen = new Set<string>();
  let judged = 0;
  for (const call of calls) {
    const key = call.sample?.key;
    if (!byHistory && key !== undefined && seen.size === seen.add(key).size) continue;
    const [old, now] = [before(call), after(call)];
    if (old === undefined || now === undefined || call.early === true) continue;
    if (byHistory && seen.size === seen.add(JSON.stringify([key, old, now])).size && key !== undefined)
      continue;
    judged += 1;
    const change = changeBetween(old, now);
    if (change === undefined) continue;
    const policy = change === 'loosened' ? (old.policy ?? now.policy) : (now.policy ?? old.policy);
    const place = call.sample?.place ?? call.time ?? '';
    differences.push({
      change,
      policy: policy ?? NO_POLICY,
      label: call.label,
      place,
      before: old,
      after: now,
    });
  }
  return { differences: inOrder(differences), judged };
}

const NO_POLICY = 'no policy';
const ORDER: readonly Change[] = ['loosened', 'changed', 'tightened'];

/** Loosened ones first, then by policy; within a policy as they came. */
function inOrder(differences: readonly Difference[]): readonly Difference[] {
  return [...differences].sort(
    (a, b) => ORDER.indexOf(a.change) - ORDER.indexOf(b.change) || compareTexts(a.policy, b.policy),
  );
}

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
