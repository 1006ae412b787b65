import type { Truth } from '../../model/truth.ts';

/** A run of characters that is known. */
export interface TextPart {
  readonly type: 'text';
  readonly text: string;
  /** Of an absolute path: how it was written, if a `..` in it comes after a name, which may be a link to elsewhere. */
  readonly roundabout?: string;
}

/** An unquoted wildcard. It matches file names, never a `/`; one that matches nothing stays as written. */
export interface GlobPart {
  readonly type: 'glob';
  /** `*`, `?`, a bracket expression or an extended glob, as written; `**` for everything below, slashes included. */
  readonly pattern: string;
}

/** The source of a text that cannot be known: data that flows through the script. */
export interface Origin {
  /** `network`: fetched; `file`: a file's content; `decoder`: put out by base64, openssl, gunzip and the like. */
  readonly type: 'network' | 'file' | 'decoder';
  /** The URL or host, or the path as `resolvePath` gives it; the empty word where it is unknown. */
  readonly source: Word;
}

/** Characters that cannot be known: any string, the empty one included. */
export interface UnknownPart {
  readonly type: 'unknown';
  /** As written: `$X`, `$(date)`. */
  readonly source: string;
  /** The variable's name where it is one that comes from outside. */
  readonly variable: string | undefined;
  /** True if it may be no word or several words: an unquoted expansion, the input of xargs. */
  readonly splits: boolean;
  /** The data that the text was made from; empty if that is unknown. */
  readonly origins: readonly Origin[];
  /** Index of the command that printed it, if one did. */
  readonly printer?: number;
  /** It has some or all of these texts. */
  readonly texts?: readonly Word[];
  /** The key of a command's outcome, if this is its status. */
  readonly status?: object;
}

/** The source of the unknown parts for the files that find and xargs come upon. */
export const FOUND_FILES = '{}';

export type WordPart = TextPart | GlobPart | UnknownPart;

/** One word of a command after expansion. Neighbouring texts are joined; the empty word has no parts. */
export type Word = readonly WordPart[];

export const EMPTY_WORD: Word = [];

/** A word that is known. */
export function textWord(text: string): Word {
  return text === '' ? EMPTY_WORD : [{ type: 'text', text }];
}

/** Nothing is known about where a text comes from. */
export const NO_ORIGINS: readonly Origin[] = [];

/** A word of which nothing is known but perhaps its origins. */
export function unknownWord(source: string, origins: readonly Origin[] = NO_ORIGINS): Word {
  return [{ type: 'unknown', source, variable: undefined, splits: false, origins: boundedOrigins(origins) }];
}

/** How many origins of one text are kept. */
const MAX_ORIGINS = 64;

/** Some of many origins: data from elsewhere matters more than the files here. */
export function boundedOrigins(origins: readonly Origin[]): readonly Origin[] {
  if (origins.length <= MAX_ORIGINS) return origins;
  const foreign = origins.filter(({ type }) => type !== 'file').slice(0, MAX_ORIGINS);
  const files = origins.filter(({ type }) => type === 'file').slice(0, MAX_ORIGINS - foreign.length);
  return [...foreign, ...files];
}

/** The value of a variable that comes from outside. */
export function outsideVariable(name: string, source = `$${name}`): Word {
  return [{ type: 'unknown', source, variable: name, splits: false, origins: NO_ORIGINS }];
}

/** The data that the unknown parts of a word were made from. */
export function originsOf(word: Word): readonly Origin[] {
  const origins: Origin[] = [];
  for (const part of word) if (part.type === 'unknown') origins.push(...part.origins);
  return origins.length === 0 ? NO_ORIGINS : boundedOrigins(origins);
}

/** Some or all of several texts, nobody knows which. */
export function mixedWord(source: string, words: readonly Word[]): Word {
  const [first] = words;
  if (first !== undefined && words.every((word) => word.length === 0)) return first;
  const origins = words.flatMap(originsOf);
  const mixed = unknownWord(source, origins).map((part) => ({ ...part, texts: words }));
  // If one of the texts is in the script, it has more than the content of files.
  const isOwn = origins.length > 0 && words.some((word) => word.length > 0 && originsOf(word).length === 0);
  return isOwn ? [...mixed, ...unknownWord(source)] : mixed;
}

/** True if the same is known of both words, and their unknown parts were made from the same. */
export function isSameWord(a: Word, b: Word): boolean {
  return a.length === b.length && a.every((part, index) => isSamePart(part, b[index]));
}

function isSamePart(a: WordPart, b: WordPart | undefined): boolean {
  if (a === b) return true;
  if (a.type === 'text') return b?.type === 'text' && a.text === b.text;
  if (a.type === 'glob') return b?.type === 'glob' && a.pattern === b.pattern;
  if (b?.type !== 'unknown' || a.source !== b.source || a.variable !== b.variable) return false;
  const showOrigins = (part: WordPart) =>
    originsOf([part]).map(({ type, source }) => `${type} ${showWord(source)}`);
  return a.splits === b.splits && showOrigins(a).join('\n') === showOrigins(b).join('\n');
}

/** A word whose unknown parts may be no word or several. */
export function splittingWord(word: Word): Word {
  return word.every(({ type }) => type === 'text')
    ? word
    : word.map((part) => (part.type === 'unknown' ? { ...part, splits: true } : part));
}

/** A shell keeps no zero bytes. */
export function withoutZeros(word: Word): Word {
  if (word.every((part) => part.type !== 'text' || !part.text.includes('\0'))) return word;
  return word.map((part) =>
    part.type === 'text' ? { ...part, text: part.text.replaceAll('\0', '') } : part,
  );
}

/** Two texts of which either may be the one that is read, one after the other so that both are read. */
export function eitherText(first: Word, second: Word): Word {
  return joinWords(joinWords(first, textWord('\n')), second);
}

/** The word's value if it is fully known. */
export function knownText(word: Word): string | undefined {
  if (word.length === 0) return '';
  const first = word[0];
  return word.length === 1 && first?.type === 'text' ? first.text : undefined;
}

/** True if the word has no unknown part; wildcards count as known. */
export function isDetermined(word: Word): boolean {
  return word.every((part) => part.type !== 'unknown');
}

/** The word as a person would write it: known text as it is, wildcards and unknown parts as written. */
export function showWord(word: Word): string {
  let shown = '';
  for (const part of word) {
    if (part.type === 'text') shown += part.text;
    else shown += part.type === 'glob' ? part.pattern : part.source;
  }
  return shown;
}

/** The word with its wildcards as they are written: its value if no file has a name that they match. */
export function withoutWildcards(word: Word): Word {
  if (word.every((part) => part.type !== 'glob')) return word;
  return joinAll(word.map((part) => (part.type === 'glob' ? textWord(part.pattern) : [part])));
}

/** Known text at the start of the word. */
export function leadingText(word: Word): string {
  const first = word[0];
  return first?.type === 'text' ? first.text : '';
}

/** How many characters of it are known. */
export function knownChars(word: Word): number {
  let chars = 0;
  for (const part of word) if (part.type === 'text') chars += part.text.length;
  return chars;
}

/** Two words written without a space between them. */
export function joinWords(a: Word, b: Word): Word {
  const last = a.at(-1);
  const first = b[0];
  if (last === undefined) return b;
  if (first === undefined) return a;
  if (last.type !== 'text' || first.type !== 'text') return [...a, ...b];
  return [...a.slice(0, -1), { type: 'text', text: last.text + first.text }, ...b.slice(1)];
}

/** The word behind its first characters, all of them known. */
export function wordFrom(word: Word, start: number): Word {
  return start === 0 ? word : joinWords(textWord(leadingText(word).slice(start)), word.slice(1));
}

/** Any number of words written without spaces between them. Time: linear. */
export function joinAll(words: readonly Word[]): Word {
  const [only] = words;
  if (only !== undefined && words.length === 1) return only;
  const parts: WordPart[] = [];
  for (const part of words.flat()) {
    const last = parts.at(-1);
    if (last?.type !== 'text' || part.type !== 'text') parts.push(part);
    else parts[parts.length - 1] = { type: 'text', text: last.text + part.text };
  }
  return parts;
}

/** Words as one, separated by spaces. */
export function joinList(words: readonly Word[]): Word {
  return joinAll(words.flatMap((word, index) => (index > 0 ? [textWord(' '), word] : [word])));
}

/** True if a word is known and holds nothing but blanks. */
export function isBlank(word: Word): boolean {
  return word.every((part) => part.type === 'text' && part.text.trim() === '');
}

/** Tests if a word is the given text. Unknown only if the unknown parts could make it so. */
export function wordEquals(word: Word, text: string): Truth {
  const known = knownText(word);
  if (known !== undefined) return known === text;
  return couldBe(word, text, 'all') ? 'unknown' : false;
}

/** Tests if a word starts with the given text. Unknown only if the unknown parts could make it so. */
export function wordStartsWith(word: Word, prefix: string): Truth {
  if (leadingText(word).startsWith(prefix)) return true;
  if (knownText(word) !== undefined) return false;
  return couldBe(word, prefix, 'prefix') ? 'unknown' : false;
}

/** Tests if a word contains the given text. Unknown if there are unknown parts and the known ones do not. */
export function wordContains(word: Word, text: string): Truth {
  if (text === '' || word.some((part) => part.type === 'text' && part.text.includes(text))) return true;
  return knownText(word) !== undefined ? false : 'unknown';
}

/** Tests the whole text of a word; unknown if a part is unknown. For globs `wordMatchesGlob` knows more. */
export function wordPasses(word: Word, test: (text: string) => Truth): Truth {
  const known = knownText(word);
  return known === undefined ? 'unknown' : test(known);
}

/** True if the word, read as a pattern in which unknown parts are any text, could be (or begin with) this text. */
function couldBe(word: Word, text: string, how: 'all' | 'prefix'): boolean {
  let ends = new Set([0]);
  for (const part of word) {
    const next = new Set<number>();
    for (const at of ends) {
      if (how === 'prefix' && at === text.length) return true;
      step(part, text, at, how, next);
    }
    if (next.size === 0) return false;
    ends = next;
  }
  return ends.has(text.length);
}

function step(part: WordPart, text: string, at: number, how: 'all' | 'prefix', next: Set<number>): void {
  switch (part.type) {
    case 'text': {
      if (text.startsWith(part.text, at)) next.add(at + part.text.length);
      else if (how === 'prefix' && part.text.startsWith(text.slice(at))) next.add(text.length);
      return;
    }
    case 'unknown': {
      for (let end = at; end <= text.length; end++) next.add(end);
      return;
    }
    case 'glob': {
      if (part.pattern === '?' || part.pattern.startsWith('[')) {
        if (at < text.length && text[at] !== '/') next.add(at + 1);
        return;
      }
      for (let end = at; end <= text.length; end++) {
        next.add(end);
        if (text[end] === '/' && part.pattern !== '**') break;
      }
      return;
    }
    default:
      part satisfies never;
  }
}
