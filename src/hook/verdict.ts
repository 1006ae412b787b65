import { type Decision, noOpinion, refusal } from '../model/decision.ts';
import type { Event, EventKind } from '../model/event.ts';
import type { Outcome, PendingOutcome } from '../model/outcome.ts';
import type { Program } from '../model/policy.ts';
import type { GrantNote } from './audit/record.ts';
import type { Remembering } from './remembering.ts';
import type { ResultCache } from './result-cache.ts';

/** A decision, and all that the log gets about it. */
export interface Verdict {
  readonly outcome: Outcome;
  readonly digest: string | undefined;
  readonly failed: string | undefined;
  /** True if judges are asked when the host asks for approval: then this verdict must no longer count. */
  readonly deferred?: boolean;
  /** Absent where no policies were asked. */
  readonly again?: Reevaluation;
  /** Absent if no policy asks for earlier calls. */
  readonly remembering?: Remembering | undefined;
  readonly grant?: GrantNote;
}

/** How an event is judged once more. */
export interface Reevaluation {
  readonly program: Program;
  /** Judges it past these policies. */
  readonly past: (allowed: ReadonlySet<string>) => Judged;
  /** Absent where no policy answers with results of earlier calls. */
  readonly results?: ResultCache | undefined;
}

export type Judged = Verdict | Pending;

/** A verdict that models have to be asked for. */
export interface Pending extends Required<Pick<Verdict, 'digest' | 'again' | 'remembering'>> {
  readonly pending: PendingOutcome;
  readonly broken: string | undefined;
  readonly onErrorContinue: boolean;
}

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

/** Turns a failure into a refusal with the cause, or into nothing if those entitled to decide say so. */
export function failure(cause: string, event: Event | undefined, onErrorContinue = false): Verdict {
  const what = event?.tool === undefined ? 'This event' : `The call of ${event.tool.name}`;
  const harmless = onErrorContinue || (event !== undefined && LOGGED_ONLY.has(event.kind));
  const decision = harmless ? noOpinion() : refusal(`Refused by policy: ${what} cannot be judged: ${cause}.`);
  return { outcome: bareOutcome(decision), digest: undefined, failed: cause };
}

/** The outcome of a decision that no policy has made just now. */
export function bareOutcome(decision: Decision): Outcome {
  return { decision, hits: [], skipped: [], trace: [] };
}
