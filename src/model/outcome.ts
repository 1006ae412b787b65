import type { Decision } from './decision.ts';
import type { JudgeAnswer, JudgeNote, JudgeQuestion } from './judge.ts';
import type { Miss } from './miss.ts';
import type { Canary, Rule } from './policy.ts';
import type { Truth } from './truth.ts';

/** On which side of a canary a call is, and why. */
export interface CanarySide {
  readonly isInForce: boolean;
  /** The deciding part: the machine if the repository is unknown; `unknown`, which is in force, if both are. */
  readonly by: Canary['by'] | 'unknown';
  /** The repository, if that decided. */
  readonly repository?: string;
  /** From 0 to below 100; in force if it is below the policy's percentage. */
  readonly place?: number;
}

/** The result of one policy. */
export interface RuleTrace {
  readonly rule: Rule;
  readonly truth: Truth;
  /** Why its keys do not all hold; its path begins with the deciding key. Undefined if they hold. */
  readonly miss: Miss | undefined;
  /** For a canary that may match. */
  readonly canary?: CanarySide | undefined;
  /** Microseconds; 0 if not measured. */
  readonly durationUs: number;
}

/** A policy that took part in a decision. */
export interface Hit {
  readonly rule: Rule;
  /**
   * `matched`; `unknown`: unknown, and so treated as a match; `monitored`: logged without effect; `unasked`: a judge that is
   * not needed, because others have refused or a later event asks it; `excepted`: an exception or a person lets this call pass;
   * `missed`: it answers with results of earlier calls and has none for this one.
   */
  readonly how: 'matched' | 'unknown' | 'monitored' | 'inactive' | 'unasked' | 'excepted' | 'missed';
}

/** The time that a policy took. */
export interface RuleTime {
  readonly rule: Rule;
  /** Microseconds, including shared work that it was the first to need. */
  readonly durationUs: number;
}

/** The engine's decision about one event, with its reasons. */
export interface Outcome {
  readonly decision: Decision;
  readonly hits: readonly Hit[];
  /** Ids of policies skipped because a key was unknown. */
  readonly skipped: readonly string[];
  /** Every policy considered; empty unless a trace was asked for. */
  readonly trace: readonly RuleTrace[];
  /** For policies that matched, were unknown or were slow; absent without a clock. */
  readonly times?: readonly RuleTime[];
  /** The answers of judges; absent if none was needed. */
  readonly judged?: readonly JudgeNote[];
}

/** An event that cannot be decided until judges have answered. */
export interface PendingOutcome {
  /** To be asked in parallel. */
  readonly questions: readonly JudgeQuestion[];
  /** Continues with one answer to each question. May raise further questions, and may be called again. */
  readonly conclude: (answers: readonly JudgeAnswer[]) => Outcome | PendingOutcome;
}

/** True if judges have to be asked first. */
export function isPending(outcome: Outcome | PendingOutcome): outcome is PendingOutcome {
  return 'questions' in outcome;
}
