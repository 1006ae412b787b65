import type { Decision } from './decision.ts';
import type { JudgeAnswer, JudgeNote, JudgeQuestion } from './judge.ts';
import type { Miss } from './miss.ts';
import type { Canary, Rule } from './policy.ts';
import type { Truth } from './truth.ts';

/** On which side of a canary a call is, and why. */
export interface CanarySide {
  readonly isInForce: boolean;
  /** The deciding part: the machine if the repository is not known; `unknown`, which is in force, if neither is. */
  readonly by: Canary['by'] | 'unknown';
  /** The repository, if it decided. */
  readonly repository?: string;
  /** From 0 to below 100: in force where that is below the policy's percentage. */
  readonly place?: number;
}

/** The result of one policy. */
export interface RuleTrace {
  readonly rule: Rule;
  readonly truth: Truth;
  /** Why its keys do not all hold, the path of which begins with the key that settled it; undefined if they do. */
  readonly miss: Miss | undefined;
  /** For a canary that may match. */
  readonly canary?: CanarySide | undefined;
  /** Microseconds it took, 0 when not measured. */
  readonly durationUs: number;
}

/** A policy that took part in a decision. */
export interface Hit {
  readonly rule: Rule;
  /**
   * `matched`; `unknown`: treated as a match because it was unknown; `monitored`: logged without effect;
   * `unasked`: a judge that is not needed, because others have refused or because it is asked later; `excepted`: without
   * effect on this call, by an exception or because a person has let it pass; `missed`: it answers with results of earlier
   * calls and has none for this one.
   */
  readonly how: 'matched' | 'unknown' | 'monitored' | 'inactive' | 'unasked' | 'excepted' | 'missed';
}

/** How long a policy itself took. */
export interface RuleTime {
  readonly rule: Rule;
  /** Microseconds, including shared work that it was the first to ask for. */
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
  /** For the policies that matched, were unknown or were slow; absent unless a clock was given. */
  readonly times?: readonly RuleTime[];
  /** The answers of judges; absent if none was needed. */
  readonly judged?: readonly JudgeNote[];
}

/** An event that cannot be decided until judges have answered. */
export interface PendingOutcome {
  /** To be asked in parallel. */
  readonly questions: readonly JudgeQuestion[];
  /**
   * Goes on with one answer to each question. The answers may raise further questions. May be called again with other answers;
   * retries are counted once.
   */
  readonly conclude: (answers: readonly JudgeAnswer[]) => Outcome | PendingOutcome;
}

/** True if judges have to be asked first. */
export function isPending(outcome: Outcome | PendingOutcome): outcome is PendingOutcome {
  return 'questions' in outcome;
}
