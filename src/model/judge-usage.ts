import type { JudgeLimit } from './judge.ts';

/** What one question counts against. */
export interface UsageScope {
  /** Judge and session, or judge and day. */
  readonly key: string;
  readonly limit: JudgeLimit;
}

/** What judges have used up, shared by all processes. Calls throw if it cannot be read or written. */
export interface JudgeUsage {
  /** Counts so many calls against all scopes at once; false, and nothing is counted, if one of them has no room. */
  reserve(scopes: readonly UsageScope[], calls: number): boolean;
  /** Adds what the answers took. */
  spend(scopes: readonly UsageScope[], tokens: number): void;
}
