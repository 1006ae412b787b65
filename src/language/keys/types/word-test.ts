import { isJsonObject, type Json } from '../../../lib/json.ts';
import type { Truth } from '../../../model/truth.ts';
import { leadingText, type Word, withoutWildcards, wordPasses } from '../../../reader/reading/word.ts';
import { compileValueTest } from './value-test.ts';

export type WordTest = (word: Word) => Truth;

/** A value test for words: unknown if the word is not fully known, unless its known beginning is enough. */
export function compileWordTest(spec: Json): WordTest {
  const test = compileValueTest(spec);
  const grows = matchesGrow(spec);
  // Wildcards in a pattern are rarely the beginning of any file's name: then they stay as they are written.
  const isPattern = isJsonObject(spec) && Object.hasOwn(spec, 'finds');
  return (given) => {
    const word = isPattern ? withoutWildcards(given) : given;
    const truth = wordPasses(word, (text) => test([text]));
    if (truth !== 'unknown' || !grows) return truth;
    const lead = leadingText(word);
    return lead !== '' && test([lead]) === true ? true : 'unknown';
  };
}

/** True if a text that passes still passes with more behind it: the pattern says nothing of the end of the text. */
function matchesGrow(spec: Json): boolean {
  const regex = isJsonObject(spec) && Object.keys(spec).length === 1 ? spec['regex'] : spec;
  return typeof regex === 'string' && !/\$|\\[bBzZ]/.test(regex);
}
