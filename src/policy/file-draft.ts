import type { Position } from '../model/diagnostic.ts';
import type { Example, Rule } from '../model/policy.ts';

/** A rule before its file has a place in a set. */
export type RuleDraft = Omit<Rule, 'layer' | 'order' | 'trust'>;

/** A word of a file with its place. */
export interface Named {
  readonly text: string;
  readonly position: Position;
}

/** A policy file, validated and normalised, independent of where it was found. Plain JSON. */
export interface FileDraft {
  /** First part of its rules' ids. */
  readonly name: string;
  readonly extends: readonly Named[];
  readonly disable: readonly Named[];
  readonly unmatchedDeny: boolean;
  /** Where it says `on_error: continue`, or null. */
  readonly onErrorContinue: Position | null;
  readonly rules: readonly RuleDraft[];
  readonly examples: readonly Example[];
}
