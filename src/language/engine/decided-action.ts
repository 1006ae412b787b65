import { type Action, isStronger } from '../../model/action.ts';
import type { JudgeAnswer, JudgeSpec, JudgeVerdict, VerdictAction } from '../../model/judge.ts';

/** The action that an answer leads to. Doubt only ever makes it stronger. */
export function decidedAction(judge: JudgeSpec, answer: JudgeAnswer): Action {
  switch (answer.type) {
    case 'unasked':
      return 'continue';
    case 'failed':
      return judge.onError;
    case 'verdict': {
      const { action } = judge.verdicts[answer.verdict] ?? NO_SUCH_VERDICT;
      const isDoubtful = doubtOf(judge, answer) !== null;
      return isDoubtful && isStronger(judge.onLowConfidence, action) ? judge.onLowConfidence : action;
    }
    default: {
      const never: never = answer;
      return never;
    }
  }
}

/** A verdict that the judge may not choose leads to a refusal. */
export const NO_SUCH_VERDICT: VerdictAction = { action: 'deny', params: {} };

/** Why an answer is unreliable; null if it is reliable. */
export function doubtOf({ threshold }: JudgeSpec, answer: JudgeVerdict): string | null {
  return answer.doubt ?? (answer.confidence < threshold ? 'its confidence is too low' : null);
}
