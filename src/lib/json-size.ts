import { type Json, parseJson } from './json.ts';
import { stringEnd } from './string-end.ts';

/** About the most values of a host's message. Real ones are far below; more would take longer than hosts wait. */
export const MAX_MESSAGE_VALUES = 500_000;

/** A value takes two characters at least: itself, and its separator from the next. */
const SURELY_FEW_CHARS = 2 * MAX_MESSAGE_VALUES;

/** True if JSON text has more values than a message may have. Looks at most at so many of them, and at no string. */
export function hasTooManyValues(text: string): boolean {
  if (text.length <= SURELY_FEW_CHARS) return false;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 34) at = stringEnd(text, at) - 1;
    // A comma, an opening bracket or brace: each begins another value.
    else if ((unit === 44 || unit === 91 || unit === 123) && ++values > MAX_MESSAGE_VALUES) return true;
  }
  return false;
}

/** The value of a JSON text inside a message; undefined if it is none, or has too many values. */
export function parseInner(text: string): Json | undefined {
  return hasTooManyValues(text) ? undefined : parseJson(text);
}

/** The value of a text of JSON; anything else stays as it is. */
export function innerValue(value: Json): Json {
  return typeof value === 'string' ? (parseInner(value) ?? value) : value;
}
