import { own, ownString } from '../../lib/json.ts';
import type { VerdictName } from '../../model/judge.ts';
import type { KeptVerdict } from '../../model/verdict-store.ts';
import { JudgeError } from './judge-error.ts';
import { answerObject, cutReason } from './parse-verdict.ts';

const ACTIONS: Readonly<Record<string, VerdictName>> = { skip: 'deny', stop: 'abort_turn' };
const KEYS = ['action', 'abort', 'retry_feedback', 'system_message'];
const NO_WORDS = 'the judge has refused it without giving a reason';

/**
 * Reads the answer of jcli's llm hooks: `{}` lets it happen, `action` skips the step or stops the turn, `abort` is the
 * older word for stop, `retry_feedback` sends the model back to work. An answer that rewrites is an error.
 *
 * @throws JudgeError
 */
export function parseJcliAnswer(text: string, offered: readonly VerdictName[]): KeptVerdict {
  const answer = answerObject(text);
  const feedback = own(answer, 'retry_feedback');
  const verdict = verdictIn(own(answer, 'action'), own(answer, 'abort'), feedback);
  if (
    verdict === undefined ||
    !offered.includes(verdict) ||
    Object.keys(answer).some((key) => !KEYS.includes(key))
  ) {
    throw new JudgeError('wrong-shape', 'its answer is not one of jcli that only lets happen or refuses');
  }
  const words = typeof feedback === 'string' ? feedback : ownString(answer, 'system_message');
  return { verdict, confidence: 1, reason: cutReason(words ?? (verdict === 'approve' ? '' : NO_WORDS)) };
}

function verdictIn(action: unknown, abort: unknown, feedback: unknown): VerdictName | undefined {
  if (abort === true) return 'abort_turn';
  if (abort !== undefined && abort !== false) return undefined;
  if (action !== undefined)
    return typeof action === 'string' && Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (feedback !== undefined)
    return typeof feedback === 'string' && feedback !== '' ? 'retry_feedback' : undefined;
  return 'approve';
}
