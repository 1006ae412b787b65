import type { Json } from '../../lib/json.ts';
import type { Event } from '../../model/event.ts';

/** Unreadable text could contain anything. */
export function isUnreadable({ tool }: Event): boolean {
  return tool !== undefined && tool.arguments === undefined;
}

/** The arguments that tests look at: those that the host gives in their place count as well. */
export function testedArguments({ tool }: Event): Json {
  const { arguments: args = {}, extraArguments } = tool ?? {};
  return extraArguments === undefined ? args : [args, extraArguments];
}

/** True if this may be the text of a number that lost digits. A string that looks the same costs a look at the policies. */
export function mayBeRounded(scalar: string): boolean {
  const first = scalar.charCodeAt(scalar.startsWith('-') ? 1 : 0);
  const isNumber = (first >= 48 && first <= 57) || first === 73;
  return isNumber && ROUNDED.test(scalar);
}

const ROUNDED = /^-?(?:[0-9]{16,}|[0-9.]+e\+[0-9]+|Infinity)$/;
