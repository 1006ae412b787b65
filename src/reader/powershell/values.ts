import { boundedWord, LIMITS } from '../reading/bounds.ts';
import {
  EMPTY_WORD,
  FOUND_FILES,
  joinAll,
  joinList,
  joinWords,
  knownText,
  mixedWord,
  showWord,
  textWord,
  unknownWord,
  type Word,
} from '../reading/word.ts';
import type { Variable } from '../shell/scope/scope.ts';
import type { Value } from './state.ts';

/** Different words of a value, of which only so many are followed. */
export function boundedValue(value: Value): Value {
  if (value.length < 2) return value;
  const distinct = new Map(value.map((word) => [showWord(word), word]));
  const words = [...distinct.values()];
  return words.length > LIMITS.alternatives ? [mixedWord('one of many', words)] : words;
}

/** The items of a list, of which only so many are followed one by one. */
export function listValue(words: Value): Value {
  return words.length > LIMITS.alternatives ? [mixedWord('a list', words)] : words;
}

/** One word for a value: the items of a list are parted by blanks. */
export function wordOf(value: Value): Word {
  const [only] = value;
  return only !== undefined && value.length === 1 ? only : boundedWord(joinList(value));
}

/** Values written without a blank between them, each word of the one with each of the other. */
export function joinedValues(values: readonly Value[]): Value {
  let made: Word[][] = [[]];
  for (const value of values) {
    const words = value.length === 0 ? [EMPTY_WORD] : value;
    if (made.length * words.length > LIMITS.alternatives) return [derived('a text', values.flat())];
    if (words.length > 1) made = made.flatMap((start) => words.map((word) => [...start, word]));
    else for (const start of made) start.push(...words);
  }
  return made.map((words) => boundedWord(joinAll(words)));
}

/** A word of which nothing is known but its origins, and the command that printed those. */
export function derived(source: string, from: Value): Word {
  const made = mixedWord(source, from);
  const word = made.length === 0 ? unknownWord(source) : made;
  for (const part of from.flat())
    if (part.type === 'unknown' && part.printer !== undefined) {
      const { printer } = part;
      return word.map((each) => (each.type === 'unknown' ? { ...each, printer } : each));
    }
  // A value made from variables of the outside is known by them.
  const outside = from.flat().find((part) => part.type === 'unknown' && part.variable !== undefined);
  if (outside === undefined) return word;
  return [...word, outside];
}

export function unknownValue(source: string): Value {
  return [unknownWord(source)];
}

export function textValue(text: string): Value {
  return [textWord(text)];
}

export function knownTexts(value: Value): readonly string[] | undefined {
  const texts = value.map(knownText);
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

export function knownValue(value: Value): string | undefined {
  const [only] = value;
  return only !== undefined && value.length === 1 ? knownText(only) : undefined;
}

/** True for a path rather than the content of a file. */
export function isPathLike(word: Word): boolean {
  return word.every(
    (part) => part.type !== 'unknown' || part.source === FOUND_FILES || part.variable !== undefined,
  );
}

export function below(folder: Word, name: Word): Word {
  return folder.length === 0 ? name : joinWords(folder, joinWords(textWord('/'), name));
}

/** A variable with a value: a list has its items as elements. */
export function variableFor(value: Value, exported = false): Variable {
  const [only] = value;
  if (only !== undefined && value.length === 1) return { values: [only], elements: undefined, exported };
  return { values: value.length === 0 ? [EMPTY_WORD] : value, elements: value, exported };
}
