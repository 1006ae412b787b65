import { LIMITS } from './bounds.ts';
import { originsOf, unknownWord, type Word } from './word.ts';

/** A word that is not followed any further if it is too large. */
export function boundedWord(word: Word): Word {
  let chars = 0;
  for (const part of word) chars += part.type === 'text' ? part.text.length : 1;
  if (chars <= LIMITS.wordChars && word.length <= LIMITS.wordParts) return word;
  return unknownWord('a long text', originsOf(word));
}
