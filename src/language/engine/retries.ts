import type { Event } from '../../model/event.ts';
import type { Memory } from '../../model/memory.ts';
import type { Rule } from '../../model/policy.ts';

/**
 * Counts a retry of this session, turn and policy. False if none is left or the count cannot be stored, so that no loop is
 * endless.
 */
export function countRetry(rule: Rule, maxRetries: number, event: Event, memory: Memory): boolean {
  try {
    let isLeft = false;
    memory.update('retries', retryKey(rule, event), (before = 0) => {
      isLeft = typeof before === 'number' && before < maxRetries;
      return isLeft ? Number(before) + 1 : before;
    });
    if (isLeft && returnsAsPrompt(event)) memory.set('retries', feedbackKey(event), true);
    return isLeft;
  } catch {
    return false;
  }
}

/**
 * True if this event starts a turn. The first prompt after feedback does not, as it may be that feedback; else no count would
 * end.
 */
export function startsTurn(event: Event, memory: Memory): boolean {
  const starts = event.startsTurn === true;
  if (!starts && !returnsAsPrompt(event)) return false;
  try {
    const isFeedback = memory.get('retries', feedbackKey(event)) !== undefined;
    if (isFeedback) memory.set('retries', feedbackKey(event), undefined);
    return starts && !isFeedback;
  } catch {
    return false;
  }
}

/** True for a prompt that is the feedback on a turn's end, and so starts none. */
export function isFeedback(event: Event, memory: Memory): boolean {
  return event.turn === undefined && memory.get('retries', feedbackKey(event)) !== undefined;
}

/** If the host names the turns, no prompt has to show which one it is. */
function returnsAsPrompt({ kind, turn }: Event): boolean {
  return turn === undefined && (kind === 'after_turn' || kind === 'after_llm');
}

function feedbackKey({ session }: Event): string {
  return `${session ?? ''}\0feedback`;
}

/** Starts the count anew: the policy no longer matches, or a turn starts. */
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
