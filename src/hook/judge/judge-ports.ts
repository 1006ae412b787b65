import type { JudgeCache, JudgeLimit } from '../../model/judge.ts';
import type { VerdictStore } from '../../model/verdict-store.ts';
import type { AskModel } from './model-request.ts';

/** Time, as judges need it. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  /** Resolves after so many milliseconds, or as soon as the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Calls once after so many milliseconds, unless the returned function is called first. */
  readonly after: (ms: number, action: () => void) => () => void;
}

/** The clock, store and budgets for a question to a judge. */
export interface JudgePorts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** 32 hex digits that nobody can guess. */
  readonly random: () => string;
  readonly askModel: AskModel;
  /** The store of verdicts; if it throws, verdicts are not kept. */
  readonly storeFor: (cache: JudgeCache) => VerdictStore;
  /** The budgets; if they cannot be read, the question is refused. */
  readonly usage: () => JudgeUsage;
}

/** A budget that one question counts against. */
export interface UsageScope {
  /** Judge and session, or judge and day. */
  readonly key: string;
  readonly limit: JudgeLimit;
}

/** The used budgets of judges, shared by all processes. Calls throw if they cannot be read or written. */
export interface JudgeUsage {
  /** Counts calls in all scopes at once; counts nothing and returns false if a scope has no room. */
  reserve(scopes: readonly UsageScope[], calls: number): boolean;
  spend(scopes: readonly UsageScope[], tokens: number): void;
}
