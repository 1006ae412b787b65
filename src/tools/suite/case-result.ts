import type { Answer } from '../../language/calls/answer-call.ts';
import type { Diagnostic, Position } from '../../model/diagnostic.ts';
import type { Difference } from './expect/expect-key.ts';

export interface CaseResult {
  readonly suite: string;
  readonly name: string;
  readonly position: Position;
  readonly host: string | undefined;
  readonly durationUs: number;
  readonly status: CaseStatus;
}

export type CaseStatus =
  | { readonly type: 'passed' }
  | { readonly type: 'skipped'; readonly reason: string }
  | {
      readonly type: 'failed';
      readonly differences: readonly Difference[];
      readonly answer: Answer | undefined;
    };

/** The events of a run while it goes on. */
export type SuiteEvent =
  | { readonly type: 'suite_started'; readonly suite: string }
  | {
      readonly type: 'case';
      readonly result: CaseResult;
      /** How much of the suite is done, from 0 to 1. */
      readonly done: number;
    }
  | {
      /** Files that cannot be used; nothing of them is run. */
      readonly type: 'problems';
      readonly suite: string;
      readonly kind: 'policies' | 'tests';
      readonly diagnostics: readonly Diagnostic[];
    }
  | { readonly type: 'suite_ended'; readonly suite: string; readonly counts: SuiteCounts };

/** How many cases came out how. */
export interface SuiteCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Test files that could not be read. */
  readonly broken: number;
  readonly durationUs: number;
}
