import { type ExactNumber, isExactNumber } from '../../lib/exact-numbers.ts';
import { isJsonObject, type Json, type JsonObject, own } from '../../lib/json.ts';
import type { Reply } from '../host.ts';
import { type FieldType, findMisfit, misfitText } from './field-types.ts';

/** The longest line PicoClaw reads, without its newline. After one byte more it never reads the hook again. */
export const MAX_LINE_BYTES = 1_048_575;
const MAX_REASON_LENGTH = 8192;
/** As JSON text, in UTF-16 units, each of at most three bytes. */
const MAX_ID_LENGTH = 1_024;
/** The bytes around a result in an answer, with room for the longest id. */
const ENVELOPE_BYTES = 64 + MAX_ID_LENGTH * 3;

/** The reply to a message that is not to be answered. */
export const NO_ANSWER: Reply = { stdout: '', stderr: '', exitCode: 0 };

/** The id of a request from PicoClaw and its kin. PicoClaw itself counts from 1. */
export type RequestId = string | number | ExactNumber;

/**
 * The id of a request that waits for an answer; undefined for notifications. Any id of JSON-RPC counts: an agent whose
 * requests are called something else would take no answer for a yes.
 */
export function requestIdOf(message: Json | undefined): RequestId | undefined {
  if (!isJsonObject(message)) return undefined;
  const id = own(message, 'id');
  return isRequestId(id) ? id : undefined;
}

function isRequestId(id: Json | undefined): id is RequestId {
  // Of a larger integer another one may have been read, and an answer to another request must not count for this.
  if (typeof id === 'number') return Number.isInteger(id) ? Number.isSafeInteger(id) : Number.isFinite(id);
  return (typeof id === 'string' || isExactNumber(id)) && JSON.stringify(id).length <= MAX_ID_LENGTH;
}

/** One line that answers a request with a result given as JSON text; nothing if nobody waits for it. */
export function answer(id: Json | undefined, result: string): Reply {
  if (!isRequestId(id)) return NO_ANSWER;
  const text = typeof id === 'number' ? id : JSON.stringify(id);
  return { stdout: `{"jsonrpc":"2.0","id":${text},"result":${result}}\n`, stderr: '', exitCode: 0 };
}

/**
 * An answer in which PicoClaw is to take something over, as JSON text, or why it could not read it: one misfit, and it
 * ignores the whole answer and goes on as if nothing had been said. Nothing that it takes over is written in another way.
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
    // The first step is the answer's, the others are those that a policy writes.
    const clause = misfitText({ ...misfit, path: misfit.path.slice(1) });
    return { cause: `PicoClaw could not read ${what}: ${clause}` };
  }
  const text = JSON.stringify(answer);
  return fitsLine(text) ? { text } : { cause: `${what} is longer than PicoClaw reads` };
}

/** True if a line with this result, as JSON text, is not too long. */
function fitsLine(text: string): boolean {
  const room = MAX_LINE_BYTES - ENVELOPE_BYTES;
  // A UTF-16 unit takes at most three bytes.
  return text.length * 3 <= room || new TextEncoder().encode(text).length <= room;
}

/** A reason short enough for any answer, cut between characters. */
export function capReason(reason: string): string {
  if (reason.length <= MAX_REASON_LENGTH) return reason;
  const cut = reason.slice(0, MAX_REASON_LENGTH - 1);
  const last = cut.charCodeAt(cut.length - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return `${splitsPair ? cut.slice(0, -1) : cut}…`;
}

export const CONTINUE = '{"action":"continue"}';

/** An answer that ends the turn or the run. PicoClaw shows the reason to nobody, its log aside. */
export function ending(action: 'abort_turn' | 'hard_abort', reason: string | undefined): string {
  return JSON.stringify(reason === undefined ? { action } : { action, reason: capReason(reason) });
}
