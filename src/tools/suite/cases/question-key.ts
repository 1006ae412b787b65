import { offeredVerdicts, preparePrompt } from '../../../hook/judge/prompt.ts';
import { sha256Hex } from '../../../lib/digest.ts';
import type { JudgeQuestion } from '../../../model/judge.ts';

/** A question as its recorded verdict is filed: the question and its possible answers, not the judge. */
export interface QuestionKey {
  /** 16 hex digits. */
  readonly digest: string;
  /** The values that are asked about, by their paths in the prompt, as the judge sees them. */
  readonly values: Readonly<Record<string, string>>;
}

const DIGITS = 16;

export function questionKey(question: JudgeQuestion): QuestionKey {
  const { format } = question.judge;
  const { stable, values } = preparePrompt(question);
  const digest = sha256Hex([format, ...offeredVerdicts(question.judge), stable.user]);
  return { digest: digest.slice(0, DIGITS), values };
}
