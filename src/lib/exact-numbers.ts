import { isJsonObject, type Json, type JsonObject } from './json.ts';
import { stringEnd } from './string-end.ts';

declare global {
  interface JSON {
    rawJSON(text: string): ExactNumber;
    isRawJSON(value: unknown): boolean;
  }
}

/** The reason why a text with long numbers is not written again. */
export const TOO_MANY_DIGITS = 'its numbers have more digits than can be kept';

/** Only text like this can hold a number that JavaScript does not keep as it is. */
const MAY_LOSE = /\d[\d.]{15}|\d[eE][-+]?\d{3}/;
/** A string begins, or a number of so many digits. */
const NEXT = /"|\d[\d.]{15,}(?:[eE][-+]?\d+)?|\d[\d.]*[eE][-+]?\d{3,}/g;

/** True if JSON text holds a number of which JavaScript keeps less than is there. Time: linear. */
export function losesDigits(text: string): boolean {
  if (!MAY_LOSE.test(text)) return false;
  NEXT.lastIndex = 0;
  for (let found = NEXT.exec(text); found !== null; found = NEXT.exec(text)) {
    const [token] = found;
    if (token === '"') NEXT.lastIndex = stringEnd(text, found.index);
    else if (significant(token) !== significant(String(Number(token)))) return true;
  }
  return false;
}

/** The same for two decimals that are the same number; empty for any other text. */
function significant(decimal: string): string {
  const parts = /^(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(decimal);
  if (parts === null) return '';
  const [, whole = '', fraction = '', exponent = '0'] = parts;
  const digits = (whole + fraction).replace(/^0+/, '');
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  const power = Number(exponent) - fraction.length + digits.length - end;
  return end === 0 ? '0' : `${digits.slice(0, end)}e${power}`;
}

/**
 * Parses a JSON text. A number under `id` on top that JavaScript cannot keep is written again as it is there.
 *
 * @throws SyntaxError if it is not JSON
 */
export function parseWithExactId(text: string): Json {
  const value = JSON.parse(text) as Json;
  if (!isJsonObject(value) || typeof value['id'] !== 'number' || Number.isSafeInteger(value['id']))
    return value;
  const sources = new Map<unknown, string>();
  function keepSource(this: unknown, key: string, member: unknown, { source }: { readonly source: string }) {
    if (key === 'id' && typeof member === 'number') sources.set(this, source);
    return member;
  }
  const whole: unknown = JSON.parse(text, keepSource as (key: string, member: unknown) => unknown);
  return { ...value, id: exactNumber(sources.get(whole) ?? '') };
}

/** A message whose id JavaScript can represent: a longer number becomes the largest, which is only echoed. */
export function withSafeId(message: Json): Json {
  if (!isJsonObject(message) || typeof message['id'] !== 'number' || !isInexact(message['id']))
    return message;
  return { ...message, id: Number.MAX_SAFE_INTEGER };
}

/** True if a number that was read may differ from the written one. */
export function isInexact(value: number): boolean {
  return Number.isInteger(value) ? !Number.isSafeInteger(value) : !Number.isFinite(value);
}

/** A number that is written as it was: no value to look into. */
export type ExactNumber = JsonObject & { readonly rawJSON: string };

/** A number that is written as it was; one that JavaScript keeps is itself. */
export function exactNumber(source: string): number | ExactNumber {
  const value = Number(source);
  return Number.isSafeInteger(value) && String(value) === source ? value : JSON.rawJSON(source);
}

/** True for the form in which `exactNumber` keeps a number that JavaScript cannot. */
export function isExactNumber(value: unknown): value is ExactNumber {
  return JSON.isRawJSON(value);
}
