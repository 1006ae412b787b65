import type { Event } from '../model/event.ts';
import type { Memory } from '../model/memory.ts';
import type { Rule } from '../model/policy.ts';

/**
 * Counts one more retry for this session, turn and policy. True while there are retries left. A count that cannot be
 * read or written is exhausted: a loop that cannot be bounded must not start.
 */
export function countRetry(rule: Rule, maxRetries: number, event: Event, memory: Memory): boolean {
  try {
    return memory.increment('retries', retryKey(rule, event), maxRetries);
  } catch {
    return false;
  }
}

/** Starts the count anew, when the policy no longer matches. */
export function resetRetries(rule: Rule, event: Event, memory: Memory): void {
  try {
    const key = retryKey(rule, event);
    if (memory.get('retries', key) !== undefined) memory.set('retries', key, undefined);
  } catch {
    // The count stays; at worst the policy gives up early.
  }
}

function retryKey(rule: Rule, event: Event): string {
  return [event.session ?? '', event.turn ?? '', rule.id].join('\0');
}

/** True if retries of this policy are counted. */
export function mayRetry({ action, judge }: Rule): boolean {
  if (judge === undefined) return action === 'retry_feedback';
  return Object.values(judge.verdicts).some((effect) => effect.action === 'retry_feedback');
}
