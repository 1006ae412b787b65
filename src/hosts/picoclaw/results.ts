import { type JsonObject, own, ownObject } from '../../lib/json.ts';
import type { RespondResult } from '../../model/decision.ts';
import type { Subject } from '../../model/event.ts';
import type { CallResults } from '../call-results.ts';

/** What PicoClaw's results tell. One call is under way in a turn at a time; calls have no ids. */
export const RESULTS: CallResults = {
  by: 'arguments',
  oneByOne: true,
  marks: [
    { at: ['result.async', 'arguments.background'], is: true, means: 'unknown' },
    { at: ['arguments.background'], is: /^true$/, means: 'unknown' },
    { of: 'shell', at: ['arguments.action'], is: /^(?!run$)/, means: 'unknown' },
    { at: ['result.is_error'], is: true, means: 'failed' },
    { at: ['result.is_error'], is: false, means: 'succeeded' },
  ],
  unmarked: ['unknown', 'unknown'],
};

/** The fields of a result that an answer has as well; those of others are about how the tool ran. */
const ANSWERED = ['for_llm', 'for_user', 'silent', 'is_error', 'media', 'response_handled'] as const;

/** A result as the answer to a later call: the same text, media and flags. What goes on in the background has none yet. */
export function resultOf(subject: Subject): RespondResult | undefined {
  const result = ownObject(subject, 'result');
  if (result === undefined || typeof own(result, 'for_llm') !== 'string' || own(result, 'async') === true)
    return undefined;
  const kept: JsonObject = Object.fromEntries(
    ANSWERED.flatMap((key) => {
      const value = own(result, key);
      return value === undefined || value === null ? [] : [[key, value]];
    }),
  );
  return kept as unknown as RespondResult;
}
