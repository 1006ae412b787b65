import type { ReadCommand } from '../../../reader/reading/reading.ts';
import type { Word } from '../../../reader/reading/word.ts';
import { mayHoldSecret } from '../../../reader/secrets/redact-secrets.ts';

/** What is long enough for a token, as `url/foreign-token.ts` looks at it. */
const LONG = /[\w-]{16}/;
/** In the words of what prints a token, and of code that takes one from its environment. */
const NAMED = /token|auth|env|_server/i;

/** False if no word of a command, and nothing that it prints, can be a token. */
export function mayHoldToken(command: ReadCommand): boolean {
  const { args, operands, flags, input, effects, openEnded } = command;
  if (openEnded) return true;
  const values = flags.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const targets = effects.flatMap((effect) => (effect.type === 'network' ? [effect.target] : []));
  const words = [...args, ...operands, ...values, ...targets, ...(input === undefined ? [] : [input])];
  return words.some(wordMay);
}

function wordMay(word: Word): boolean {
  return word.some((part) => {
    if (part.type === 'unknown') return true;
    if (part.type !== 'text') return false;
    return NAMED.test(part.text) || (LONG.test(part.text) && mayHoldSecret(part.text));
  });
}
