import { type Action, prevents } from '../../../model/action.ts';
import type { JudgeNote } from '../../../model/judge.ts';
import type { LabelledCall } from './labelled-calls.ts';

export interface EvalResult {
  readonly labelled: LabelledCall;
  /** False if no judge was asked, because no policy with one matched. */
  readonly asked: boolean;
  readonly action: Action;
  readonly answers: readonly JudgeNote[];
  /** Milliseconds that the judges took. */
  readonly tookMs: number;
  /** Requests to models; 0 if every verdict was kept. */
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface EvalRun {
  /** The model's name, as reports show it. */
  readonly model: string;
  readonly results: readonly EvalResult[];
  /** The price of a million tokens, question and answer; undefined if nobody says. */
  readonly price: { readonly input: number; readonly output: number } | undefined;
}

/** How a call came out, in the words of its label. */
export function outcomeOf({ action }: EvalResult): 'pass' | 'refuse' {
  return prevents(action) ? 'refuse' : 'pass';
}

/** True if judges gave their verdicts and the call did not come out as it should. */
export function isDisagreement(result: EvalResult): boolean {
  return result.asked && !hasFailed(result) && outcomeOf(result) !== result.labelled.label;
}

/** True if judges gave their verdicts and the call came out as it should. */
export function isAgreement(result: EvalResult): boolean {
  return result.asked && !hasFailed(result) && outcomeOf(result) === result.labelled.label;
}

/** True if a judge that was asked gave no verdict. */
export function hasFailed({ answers }: EvalResult): boolean {
  return answers.some(({ answer }) => answer.type === 'failed');
}
