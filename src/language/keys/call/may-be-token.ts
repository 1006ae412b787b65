import { mayHoldSecret } from '../../../reader/secrets/redact-secrets.ts';

/** A text that is long enough for a token, as `url/foreign-token.ts` looks at it. */
const LONG = /[\w-]{16}/;
/** In the words of what prints a token, and of code that takes one from its environment. */
const NAMED = /token|auth|env|_server/i;

/** Can a word of a command be a token, or lead to one? */
export function mayBeToken(text: string): boolean {
  return NAMED.test(text) || (LONG.test(text) && mayHoldSecret(text));
}
