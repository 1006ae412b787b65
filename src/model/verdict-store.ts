import { isJsonObject, own, ownString } from '../lib/json.ts';
import { JUDGE_FAILURES, type JudgeFailure, VERDICTS, type VerdictName } from './judge.ts';

export interface KeptVerdict {
  readonly verdict: VerdictName;
  readonly confidence: number;
  readonly reason: string;
}

/** The answer to those who wait for a verdict, if none is kept. */
export type Told =
  | { readonly type: 'failed'; readonly failure: JudgeFailure; readonly cause: string }
  /** A verdict that is not to be relied on, and why: the next one may be another. */
  | { readonly type: 'doubtful'; readonly verdict: KeptVerdict; readonly doubt: string };

/** The verdict in a store's text; undefined if the text is not as it was written. */
export function keptVerdictIn(text: string): KeptVerdict | undefined {
  return verdictOf(JSON.parse(text));
}

/** The answer in a store's text; undefined if the text is not as it was written. */
export function toldIn(text: string): Told | undefined {
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
  /** The verdict, from before or from whoever was asking. */
  | { readonly type: 'kept'; readonly verdict: KeptVerdict }
  /** Somebody else is asking the same question. */
  | { readonly type: 'busy' }
  /** Somebody else has asked meanwhile and got no verdict, or none to be kept. */
  | Told
  /** Nobody is asking: the claim is ours until the lease ends. */
  | { readonly type: 'ours' };

type Maybe<T> = T | Promise<T>;

/**
 * The store of verdicts, shared by all processes that use the same place. Keys are digests. Every call may throw or
 * reject if the place cannot be reached.
 */
export interface VerdictStore {
  read(key: string): Maybe<KeptVerdict | undefined>;
  /**
   * Takes the question on, or says who has it. Of any number of processes one gets it.
   *
   * @param owner sets this question apart from the same one asked by others
   * @param leaseMs how long the claim lasts if its owner disappears
   * @param sinceMs verdicts up to this time are over; milliseconds since 1970
   */
  claim(key: string, owner: string, leaseMs: number, sinceMs: number): Maybe<Claim>;
  /** Prolongs a claim. */
  renew(key: string, owner: string, leaseMs: number): Maybe<void>;
  /** Keeps the verdict and ends the claim. */
  keep(key: string, owner: string, verdict: KeptVerdict, ttlMs: number): Maybe<void>;
  /** Ends the claim without a kept verdict, and tells those who wait the result. */
  tell(key: string, owner: string, told: Told): Maybe<void>;
}
