import { isJsonObject, own, ownString } from '../lib/json.ts';
import { type JudgeFailure, VERDICTS, type VerdictName } from './judge.ts';

/** A verdict as it is kept. */
export interface KeptVerdict {
  readonly verdict: VerdictName;
  readonly confidence: number;
  readonly reason: string;
}

/** The verdict in what a store holds; what is not what was written is none. */
export function keptVerdictIn(text: string): KeptVerdict | undefined {
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value)) return undefined;
  const verdict = VERDICTS.find((name) => name === own(value, 'verdict'));
  const confidence = own(value, 'confidence');
  const reason = ownString(value, 'reason');
  if (verdict === undefined || typeof confidence !== 'number' || reason === undefined) return undefined;
  return { verdict, confidence, reason };
}

/** What a question finds where verdicts are kept. */
export type Claim =
  /** The verdict, from before or from whoever was asking. */
  | { readonly type: 'kept'; readonly verdict: KeptVerdict }
  /** Somebody else is asking the same question. */
  | { readonly type: 'busy' }
  /** Somebody else has asked meanwhile and got no verdict. */
  | { readonly type: 'failed'; readonly failure: JudgeFailure; readonly cause: string }
  /** Nobody is asking: the claim is ours until the lease ends. */
  | { readonly type: 'ours' };

type Maybe<T> = T | Promise<T>;

/**
 * Where verdicts are kept, shared by all processes that use the same place. Keys are digests. Every call may throw or
 * reject if the place cannot be reached.
 */
export interface VerdictStore {
  read(key: string): Maybe<KeptVerdict | undefined>;
  /**
   * Takes the question on, or says who has it. Of any number of processes one gets it.
   *
   * @param owner sets this question apart from the same one asked by others
   * @param leaseMs how long the claim stands if its owner disappears
   * @param sinceMs failures up to this time are over; milliseconds since 1970
   */
  claim(key: string, owner: string, leaseMs: number, sinceMs: number): Maybe<Claim>;
  /** Prolongs a claim. */
  renew(key: string, owner: string, leaseMs: number): Maybe<void>;
  /** Keeps the verdict and ends the claim. */
  keep(key: string, owner: string, verdict: KeptVerdict, ttlMs: number): Maybe<void>;
  /** Ends the claim without a verdict; those who wait share the failure. */
  fail(key: string, owner: string, failure: JudgeFailure, cause: string): Maybe<void>;
}
