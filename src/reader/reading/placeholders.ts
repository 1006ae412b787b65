import { joinAll, knownText, textWord, type Word, type WordPart } from './word.ts';

/** Private-use characters for the unknown parts of a word in a text. In other texts they count as unknown parts, too. */
const FIRST_PLACEHOLDER = 0xf0000;
const MAX_PLACEHOLDERS = 4096;
const PLACEHOLDER = /[\u{F0000}-\u{F0FFF}]/u;

/** A word as text, with a placeholder for every part that is not text. */
export interface TextWithPlaceholders {
  readonly text: string;
  readonly placeholders: readonly WordPart[];
}

/** Puts placeholders into a word. Parts beyond the first 4,096 share one. */
export function withPlaceholders(word: Word): TextWithPlaceholders {
  const known = knownText(word);
  if (known !== undefined) return { text: known, placeholders: [] };
  const placeholders: WordPart[] = [];
  let text = '';
  for (const part of word) {
    if (part.type === 'text') {
      text += part.text;
      continue;
    }
    if (placeholders.length < MAX_PLACEHOLDERS) placeholders.push(part);
    text += String.fromCodePoint(FIRST_PLACEHOLDER + placeholders.length - 1);
  }
  return { text, placeholders };
}

/** Turns text with placeholders back into a word. */
export function fillPlaceholders(text: string, placeholders: readonly WordPart[]): Word {
  if (placeholders.length === 0 || !PLACEHOLDER.test(text)) return textWord(text);
  const words: Word[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at) ?? 0;
    const placeholder = placeholders[code - FIRST_PLACEHOLDER];
    if (placeholder === undefined) continue;
    words.push(textWord(text.slice(start, at)), [placeholder]);
    start = ++at + 1;
  }
  return joinAll([...words, textWord(text.slice(start))]);
}

export function hasPlaceholder(text: string, placeholders: readonly WordPart[]): boolean {
  return placeholders.length > 0 && PLACEHOLDER.test(text);
}
