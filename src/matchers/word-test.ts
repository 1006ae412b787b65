import type { Json } from '../lib/json.ts';
import type { Truth } from '../model/truth.ts';
import { type Word, wordPasses } from '../reading/word.ts';
import { compileValueTest } from './value-test.ts';

/** Judges one word of a command. */
export type WordTest = (word: Word) => Truth;

/** A value test for words: unknown if the word is not fully known. */
export function compileWordTest(spec: Json): WordTest {
  const test = compileValueTest(spec);
  return (word) => wordPasses(word, (text) => test([text]));
}
