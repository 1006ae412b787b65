import { type ExactNumber, isExactNumber } from '../../lib/exact-numbers.ts';
import { isJsonObject, type Json, type JsonObject, own } from '../../lib/json.ts';
import type { Reply } from '../host.ts';
import { type FieldType, findMisfit, misfitText } from './field-types.ts';

/** The longest line that PicoClaw reads, without its newline. After a longer one it never reads the hook again. */
export const MAX_LINE_BYTES = 1_048_575;
const MAX_REASON_LENGTH = 8192;
/** The limit of JSON text in UTF-16 units, each of at most three bytes. */
const MAX_ID_LENGTH = 1_024;
/** The size of an answer without its result, with room for the longest id. */
const ENVELOPE_BYTES = 64 + MAX_ID_LENGTH * 3;

/** The reply to a message that gets no answer. */
export const NO_ANSWER: Reply = { stdout: '', stderr: '', exitCode: 0 };

/** The id of a request. PicoClaw counts from 1. */
export type RequestId = string | number | ExactNumber;

/**
 * The id of a request that waits for an answer, of any type, because no answer counts as a yes; undefined for notifications.
 */
export function requestIdOf(message: Json | undefined): RequestId | undefined {
  if (!isJsonObject(message)) return undefined;
  const id = own(message, 'id');
  return isRequestId(id) ? id : undefined;
}

function isRequestId(id: Json | undefined): id is RequestId {
  // A larger integer may have been rounded to the id of another request.
  if (typeof id === 'number') return Number.isInteger(id) ? Number.isSafeInteger(id) : Number.isFinite(id);
  return (typeof id === 'string' || isExactNumber(id)) && JSON.stringify(id).length <= MAX_ID_LENGTH;
}

/** One line that answers a request with a result in JSON text; empty if nobody waits for it. */
export function answer(id: Json | undefined, result: string): Reply {
  if (!isRequestId(id)) return NO_ANSWER;
  const text = typeof id === 'number' ? id : JSON.stringify(id);
  return { stdout: `{"jsonrpc":"2.0","id":${text},"result":${result}}\n`, stderr: '', exitCode: 0 };
}

/**
 * An answer with values for PicoClaw as JSON text, or why it could not read them. A single value of a wrong type makes it
 * ignore the whole answer, and the call goes on.
 *
 * @param what `the rewritten call`
 */
export function write(
  what: string,
  answer: JsonObject,
  type: FieldType,
): { text: string } | { cause: string } {
  const misfit = findMisfit(answer, type);
  if (misfit !== undefined) {
    // The first step belongs to the answer, the others to the path in a policy.
    const clause = misfitText({ ...misfit, path: misfit.path.slice(1) });
    return { cause: `PicoClaw could not read ${what}: ${clause}` };
  }
  const text = JSON.stringify(answer);
  return fitsLine(text) ? { text } : { cause: `${what} is longer than PicoClaw reads` };
}

/** True if a line with this result in JSON text is short enough. */
function fitsLine(text: string): boolean {
  const room = MAX_LINE_BYTES - ENVELOPE_BYTES;
  // A UTF-16 unit takes at most three bytes.
  return text.length * 3 <= room || new TextEncoder().encode(text).length <= room;
}

/** A reason that fits into any answer, cut between characters. */
export function capReason(reason: string): string {
  if (reason.length <= MAX_REASON_LENGTH) return reason;
  const cut = reason.slice(0, MAX_REASON_LENGTH - 1);
  const last = cut.charCodeAt(cut.length - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return `${splitsPair ? cut.slice(0, -1) : cut}…`;
}

export const CONTINUE = '{"action":"continue"}';

/** An answer that ends the turn or the run. PicoClaw only logs the reason. */
export function ending(action: 'abort_turn' | 'hard_abort', reason: string | undefined): string {
  return JSON.stringify(reason === undefined ? { action } : { action, reason: capReason(reason) });
}
