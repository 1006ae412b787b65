import type { JudgeFailure } from '../../model/judge.ts';

export interface JudgeErrorOptions {
  /** True if asking again may help. */
  readonly mayPass?: boolean;
  /** How long the judge wants to be left alone. */
  readonly retryAfterMs?: number | undefined;
  /** True if a plainer request may do. */
  readonly tooFancy?: boolean;
}

/** Why a judge gave no verdict. The message is ours alone: no secrets, and nothing that the judge sent. */
export class JudgeError extends Error {
  override readonly name = 'JudgeError';
  readonly failure: JudgeFailure;
  readonly mayPass: boolean;
  readonly retryAfterMs: number | undefined;
  readonly tooFancy: boolean;

  constructor(failure: JudgeFailure, message: string, options: JudgeErrorOptions = {}) {
    super(message);
    this.failure = failure;
    this.mayPass = options.mayPass === true;
    this.retryAfterMs = options.retryAfterMs;
    this.tooFancy = options.tooFancy === true;
  }
}
