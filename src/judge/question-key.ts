import { sha256Hex } from '../lib/digest.ts';
import type { JudgeQuestion } from '../model/judge.ts';
import { offeredVerdicts, preparePrompt } from './prompt.ts';

/** A question as its recorded verdict is filed: what is asked and what may be answered, not by whom. */
export interface QuestionKey {
  /** 16 hex digits. */
  readonly digest: string;
  /** The question with its values, fenced by a fixed marker. */
  readonly text: string;
}

const DIGITS = 16;

export function questionKey(question: JudgeQuestion): QuestionKey {
  const { format } = question.judge;
  const text = preparePrompt(question).stable.user;
  const digest = sha256Hex([format, ...offeredVerdicts(question.judge), text]);
  return { digest: digest.slice(0, DIGITS), text };
}
