import { isJsonObject, own, ownString } from '../lib/json.ts';
import { JUDGE_FAILURES, type JudgeFailure, VERDICTS, type VerdictName } from './judge.ts';

export interface KeptVerdict {
  readonly verdict: VerdictName;
  readonly confidence: number;
  readonly reason: string;
}

/** The answer for processes that wait for a verdict that is not kept. */
export type UncachedAnswer =
  | { readonly type: 'failed'; readonly failure: JudgeFailure; readonly cause: string }
  /** An unreliable verdict and the reason; the next one may differ. */
  | { readonly type: 'doubtful'; readonly verdict: KeptVerdict; readonly doubt: string };

/** Parses a stored verdict; undefined if the text is damaged. */
export function keptVerdictIn(text: string): KeptVerdict | undefined {
  return verdictOf(JSON.parse(text));
}

/** Parses a stored answer; undefined if the text is damaged. */
export function uncachedAnswerIn(text: string): UncachedAnswer | undefined {
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value)) return undefined;
  const failure = JUDGE_FAILURES.find((name) => name === own(value, 'failure'));
  const cause = ownString(value, 'cause');
  if (failure !== undefined && cause !== undefined) return { type: 'failed', failure, cause };
  const verdict = verdictOf(own(value, 'verdict'));
  const doubt = ownString(value, 'doubt');
  return verdict === undefined || doubt === undefined ? undefined : { type: 'doubtful', verdict, doubt };
}

function verdictOf(value: unknown): KeptVerdict | undefined {
  if (!isJsonObject(value)) return undefined;
  const verdict = VERDICTS.find((name) => name === own(value, 'verdict'));
  const confidence = own(value, 'confidence');
  const reason = ownString(value, 'reason');
  if (verdict === undefined || typeof confidence !== 'number' || reason === undefined) return undefined;
  return { verdict, confidence, reason };
}

/** The result of a question to the store of verdicts. */
export type Claim =
  /** The verdict, kept from before or just received by another process. */
  | { readonly type: 'kept'; readonly verdict: KeptVerdict }
  /** Another process is asking the same question. */
  | { readonly type: 'busy' }
  /** Another process has asked and got no verdict, or one that is not kept. */
  | UncachedAnswer
  /** Nobody was asking: the claim is ours until the lease ends. */
  | { readonly type: 'ours' };

type Maybe<T> = T | Promise<T>;

/** The store of verdicts, shared by processes. Keys are digests. Calls may throw or reject if it cannot be reached. */
export interface VerdictStore {
  read(key: string): Maybe<KeptVerdict | undefined>;
  /**
   * Claims the question for one process at a time.
   *
   * @param owner the id of this question among equal ones
   * @param leaseMs how long the claim lasts if its owner disappears
   * @param sinceMs older verdicts do not count; milliseconds since 1970
   */
  claim(key: string, owner: string, leaseMs: number, sinceMs: number): Maybe<Claim>;
  /** Prolongs a claim. */
  renew(key: string, owner: string, leaseMs: number): Maybe<void>;
  /** Keeps the verdict and ends the claim. */
  keep(key: string, owner: string, verdict: KeptVerdict, ttlMs: number): Maybe<void>;
  /** Ends the claim without a kept verdict, with an answer for the processes that wait. */
  tell(key: string, owner: string, answer: UncachedAnswer): Maybe<void>;
}
