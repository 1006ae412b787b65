import { joinAll, knownText, textWord, type Word, type WordPart } from './word.ts';

/**
 * Private-use characters that stand for the parts of a word that are not text while it is handled as text. A text that
 * itself has one of them reads as an unknown part, which is safe.
 */
const FIRST_HOLE = 0xf0000;
const MAX_HOLES = 4096;
const HOLE = /[\u{F0000}-\u{F0FFF}]/u;

/** A word as text, with a stand-in for every part that is not text. */
export interface HoledText {
  readonly text: string;
  readonly holes: readonly WordPart[];
}

/** Puts stand-ins into a word. Parts beyond the first 4,096 share one. */
export function punchHoles(word: Word): HoledText {
  const known = knownText(word);
  if (known !== undefined) return { text: known, holes: [] };
  const holes: WordPart[] = [];
  let text = '';
  for (const part of word) {
    if (part.type === 'text') {
      text += part.text;
      continue;
    }
    if (holes.length < MAX_HOLES) holes.push(part);
    text += String.fromCodePoint(FIRST_HOLE + holes.length - 1);
  }
  return { text, holes };
}

/** Turns text with stand-ins back into a word. */
export function fillHoles(text: string, holes: readonly WordPart[]): Word {
  if (holes.length === 0 || !HOLE.test(text)) return textWord(text);
  const words: Word[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at) ?? 0;
    const hole = holes[code - FIRST_HOLE];
    if (hole === undefined) continue;
    words.push(textWord(text.slice(start, at)), [hole]);
    start = ++at + 1;
  }
  return joinAll([...words, textWord(text.slice(start))]);
}

/** True if a text has a stand-in. */
export function hasHole(text: string, holes: readonly WordPart[]): boolean {
  return holes.length > 0 && HOLE.test(text);
}
