import { OutOfTime } from '../lib/time-limit.ts';
import { type Decision, noOpinion, refusal } from '../model/decision.ts';
import type { Event, EventKind } from '../model/event.ts';

/** Events that change nothing outside the agent: refusing them on a failure would only do harm. */
const LOGGED_ONLY: ReadonlySet<EventKind> = new Set([
  'prompt_sent',
  'after_turn',
  'session_start',
  'session_end',
  'before_compact',
  'after_compact',
  'notification',
]);

/** What a failure becomes: a refusal with the cause, or nothing if those entitled to decide say so. */
export function failedDecision(cause: string, event: Event | undefined, onErrorContinue = false): Decision {
  const what = event?.tool === undefined ? 'This event' : `The call of ${event.tool.name}`;
  const harmless = onErrorContinue || (event !== undefined && LOGGED_ONLY.has(event.kind));
  return harmless ? noOpinion() : refusal(`Refused by policy: ${what} cannot be judged: ${cause}.`);
}

/** How long judging takes is up to the call: nobody may get past the policies by asking for much. */
export function isLate(error: unknown): boolean {
  return error instanceof OutOfTime;
}

/** The cause of a failure in words; never a stack. What looks like a defect of ours is named as such. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isDefect = [TypeError, RangeError, ReferenceError, SyntaxError].some((kind) => error instanceof kind);
  return isDefect ? `${error.name}: ${error.message}` : error.message;
}

/** What is remembered helps later events; a state that cannot be read or written must not refuse this one. */
export function withoutFail<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
