import { type Budget, LIMITS } from '../../reading/bounds.ts';
import { globPieces } from '../../reading/glob-pieces.ts';
import { textWord, unknownWord, type Word, type WordPart } from '../../reading/word.ts';

/** The words that expansion makes of one, while they are put together. */
export interface Fields {
  readonly done: Word[];
  readonly budget: Budget;
  parts: WordPart[];
  text: string;
  /** True if there is a word, even if it is empty so far: after a quotation. */
  started: boolean;
}

export function newFields(budget: Budget): Fields {
  return { done: [], budget, parts: [], text: '', started: false };
}

/** Closes the word that is being put together, if there is one. */
export function endField(fields: Fields): void {
  if (!fields.started) return;
  flush(fields);
  fields.done.push(fields.parts);
  fields.parts = [];
  fields.started = false;
}

/** Text as it is. */
export function addText(fields: Fields, text: string): void {
  fields.text += text;
  fields.started = true;
}

/** A value in quotes: it stays in one word. */
export function addWhole(fields: Fields, word: Word): void {
  fields.started = true;
  for (const part of limited(fields, word)) {
    if (part.type === 'text') fields.text += part.text;
    else addPart(fields, part);
  }
}

/** A value without quotes: it is split at the characters of `separators`, and wildcards in it count. */
export function addSplit(fields: Fields, word: Word, separators: string): void {
  for (const part of limited(fields, word)) {
    if (part.type === 'text') addSplitText(fields, part.text, separators);
    else addPart(fields, part.type === 'unknown' ? { ...part, splits: true } : part);
  }
}

/** Stands for all that follows in a word with too many parts. */
const REST: WordPart = { type: 'unknown', source: '…', variable: undefined, splits: true, origins: [] };

/** A wildcard or an unknown part. */
export function addPart(fields: Fields, part: WordPart): void {
  fields.started = true;
  const { parts } = fields;
  if (parts.length > LIMITS.wordParts) {
    fields.text = '';
    return;
  }
  flush(fields);
  if (parts.length >= LIMITS.wordParts) part = REST;
  fields.parts.push(part);
  fields.started = true;
}

/** All words of a list, each one a word of its own: `"$@"`. */
export function addList(fields: Fields, words: readonly Word[]): void {
  words.forEach((word, index) => {
    if (index > 0) endField(fields);
    addWhole(fields, word);
  });
}

const WILDCARD = /[*?[]/;

function addSplitText(fields: Fields, text: string, separators: string): void {
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    if (!separators.includes(char)) continue;
    addGlobText(fields, text.slice(start, at));
    endField(fields);
    start = at + 1;
  }
  addGlobText(fields, text.slice(start));
}

/** Adds text that came out of an expansion: its wildcards match file names. */
export function addGlobText(fields: Fields, text: string): void {
  if (text === '') return;
  if (!WILDCARD.test(text)) {
    addText(fields, text);
    return;
  }
  for (const part of globPieces(text, { escapes: false, stopsAtSlash: true })) {
    if (part.type === 'text') addText(fields, part.text);
    else addPart(fields, part);
  }
}

/** A value that may be added; an unknown one in its stead if the reading has become too large. */
function limited(fields: Fields, word: Word): Word {
  for (const part of word) if (part.type === 'text') fields.budget.readChars -= part.text.length;
  if (fields.budget.readChars >= 0 && fields.parts.length < LIMITS.wordParts) return word;
  return word.length === 0 ? textWord('') : unknownWord('a long text');
}

function flush(fields: Fields): void {
  if (fields.text !== '') fields.parts.push({ type: 'text', text: fields.text });
  fields.text = '';
}
