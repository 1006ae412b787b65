import { type Json, parseJson } from './json.ts';

/**
 * The command texts that an argument may mean: a list of commands or words, or a program with its words. Undefined if there are
 * too many.
 */
export function commandTextsOf(value: Json, words: readonly Json[]): readonly string[] | undefined {
  if (typeof value === 'string') {
    const list = listIn(value);
    if (list !== undefined) return listTexts(value, list, words);
    if (words.length === 0) return [value];
  }
  const wholes = wholesIn(value);
  const beside = [...words.flatMap(joinedWords), ...allBeside(words)];
  // A folder with a blank in its name, or a program with its first words.
  const programs = beside.length === 0 ? [] : wholes.flatMap((text) => [text, quotedWord(text)]);
  if (programs.length * beside.length > MAX_COMBINATIONS) return undefined;
  const withWords = programs.flatMap((text) => beside.map((rest) => `${text} ${rest}`));
  return [...new Set([...partsIn(value), ...wholes, ...withWords])];
}

/** A program has words in one place, or in a few. */
export const MAX_COMBINATIONS = 64;

/** A list of words that is written as a text: `"[\"ls\", \"-l\"]"`. */
function listIn(text: string): readonly string[] | undefined {
  if (!text.startsWith('["')) return undefined;
  const list = parseJson(text);
  return Array.isArray(list) && list.every((item) => typeof item === 'string') ? list : undefined;
}

function listTexts(
  text: string,
  list: readonly string[],
  words: readonly Json[],
): readonly string[] | undefined {
  const texts = commandTextsOf([...list], words);
  return texts === undefined ? undefined : [...new Set([text, ...texts])];
}

/** All the words beside a program, in order: a subcommand and its flags may be in arguments of their own. */
function allBeside(words: readonly Json[]): readonly string[] {
  if (words.length < 2) return [];
  const texts = words.map(textOfWords).filter((text) => text !== undefined);
  return texts.length < 2 ? [] : [texts.join(' ')];
}

export function runnerText(runner: string, code: string): string {
  return runner === '' ? code : `${runner} ${quotedWord(code)}`;
}

/** The words beside a program, as one text. A single one may be several: many tools put them together with blanks. */
function joinedWords(value: Json): readonly string[] {
  const text = textOfWords(value);
  if (text === undefined) return [];
  const [only] = Array.isArray(value) && value.length === 1 ? value : [];
  return typeof only === 'string' ? [text, only] : [text];
}

/** True if a shell takes the argument: a text, or the words of a command. Nothing at all is no command. */
export function isCommandArgument(value: Json): boolean {
  if (value === null || typeof value === 'string') return true;
  return Array.isArray(value) && (value.length === 0 || isWords(value));
}

/** A text as it is, and the words of a list as one command; undefined for any other value. */
function textOfWords(value: Json): string | undefined {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value) || value.length === 0 || value.some(isNested)) return undefined;
  return value.map((item) => quotedWord(typeof item === 'string' ? item : JSON.stringify(item))).join(' ');
}

function wholesIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value)) return [];
  if (!isWords(value)) return value.flatMap((item) => (Array.isArray(item) ? wholesIn(item) : []));
  const [only = ''] = value;
  if (value.length === 1) return [String(only)];
  const whole = textOfWords(value) ?? '';
  // Many tools put words together with blanks, so that one of them may be several.
  const isPlain = value.every((item) => typeof item === 'string' && /^[\w%+,./:=@ -]+$/.test(item));
  return isPlain ? [...new Set([whole, value.join(' ')])] : [whole];
}

/** The items of a list, each a text of its own. */
function partsIn(value: Json): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item) => (typeof item === 'string' ? [item] : partsIn(item)));
}

function isWords(list: readonly Json[]): boolean {
  return typeof list[0] === 'string' && !list.some(isNested);
}

function isNested(value: Json): boolean {
  return typeof value === 'object' && value !== null;
}

/** A word as a shell reads it as one. */
export function quotedWord(word: string): string {
  return /^[\w%+,./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
