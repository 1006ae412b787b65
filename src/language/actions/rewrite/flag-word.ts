import { otherSpellings } from '../../../reader/programs/spec/row-table.ts';
import type { Flag, ReadCommand, Span } from '../../../reader/reading/reading.ts';
import { EMPTY_WORD, knownText, leadingText, type Word } from '../../../reader/reading/word.ts';
import { RewriteError, unwritableReason } from './paths.ts';
import type { TextEdit } from './texts.ts';

/** A word of a command that holds one or more flags, and its place. */
export interface FlagWord {
  readonly word: Word;
  /** The text it begins with; where it is known as a whole, all of it. */
  readonly lead: string;
  /** Offset at which `lead` is in the text. */
  readonly start: number;
  /** The end of its value, a closing quote left out. */
  readonly end: number;
  /** With its quotes. */
  readonly span: Span;
  /** True for `--force`, `--depth=1` and `-name` of find: the word is one flag. False for bundles such as `-rf`. */
  readonly isWhole: boolean;
  /** The flag in it that has a value; it is the last one. */
  readonly valued: Flag | undefined;
  /** The next word where it is that value. */
  readonly next: Span | undefined;
}

/** A flag's name and, where a row knows any, its other spellings: `-f` and `--force`. */
export function spellingsOf(command: ReadCommand, name: string): readonly string[] {
  return [name, ...otherSpellings(command, name)];
}

/** Whether a flag has one of these names. `--forc` is `--force` where it is short for it, and has both. */
export function flagTest(names: readonly string[]): (found: Flag) => boolean {
  const wanted = new Set(names);
  return ({ name, written }) => wanted.has(name) || (name.length > 2 && wanted.has(written));
}

/** The flags of a command by the index of the word that they came from. */
export function flagsByWord({ flags }: ReadCommand): ReadonlyMap<number, readonly Flag[]> {
  const words = new Map<number, Flag[]>();
  for (const flag of flags) {
    const word = words.get(flag.arg);
    if (word === undefined) words.set(flag.arg, [flag]);
    else word.push(flag);
  }
  return words;
}

/**
 * Finds the word that flags came from.
 *
 * @param flags all flags of that word
 * @param flag the one of them that is asked for
 * @throws RewriteError if it is not in the text as it is: a variable's value, an escaped character
 */
export function flagWord(text: string, command: ReadCommand, flags: readonly Flag[], flag: Flag): FlagWord {
  const { name, arg, written } = flag;
  const word = command.args[arg] ?? EMPTY_WORD;
  const place = command.argPlaces[arg];
  const lead = leadingText(word);
  const isWhole = name.length > 2 || knownText(word) === name || lead.startsWith(`${name}=`);
  const start = place?.at ?? place?.span.start ?? 0;
  const isThere = text.startsWith(isWhole ? written : lead, start);
  if (place === undefined || !isThere || !isOwnWord(command, arg)) throw notWritten(command, name);
  const { span } = place;
  const end = place.at === undefined ? span.end : place.at + lead.length;
  const valued = flags.find(({ value }) => value !== undefined);
  const next = valued === undefined ? undefined : nextValue(text, command, valued, span.end);
  return { word, lead, start, end, span, isWhole, valued, next };
}

/** The positions of a flag's letter in a bundle. The text behind a letter that takes a value has no letters. */
export function lettersOf({ lead, valued }: FlagWord, name: string): readonly number[] {
  const found: number[] = [];
  for (let index = 1; index < lead.length; index++) {
    const letter = `-${lead[index] ?? ''}`;
    if (letter === name) found.push(index);
    if (letter === valued?.name) break;
  }
  return found;
}

/** The word after a word of flags where it is the value of the last of them. */
function nextValue(text: string, command: ReadCommand, valued: Flag, end: number): Span | undefined {
  const { arg, name, value } = valued;
  if (value !== command.args[arg + 1] || leadingText(command.args[arg] ?? EMPTY_WORD).endsWith('='))
    return undefined;
  const span = command.argPlaces[arg + 1]?.span;
  const isNext = span !== undefined && isOwnWord(command, arg + 1) && isBlank(text.slice(end, span.start));
  if (!isNext) throw notWritten(command, name);
  return span;
}

/** False where several words came out of one: `{--force,--all}`, `"$@"`. */
export function isOwnWord({ argPlaces, programPlace }: ReadCommand, arg: number): boolean {
  const start = argPlaces[arg]?.span.start;
  const before = arg === 0 ? programPlace : argPlaces[arg - 1];
  return start !== undefined && before?.span.start !== start && argPlaces[arg + 1]?.span.start !== start;
}

const BLANK = /^(?:[ \t]|\\\n)+$/;

function isBlank(text: string): boolean {
  return BLANK.test(text);
}

/** Takes a word out, and the blanks before it. */
export function withoutWord(text: string, { start, end }: Span): TextEdit {
  let from = start;
  for (;;) {
    const before = text[from - 1];
    if (before === ' ' || before === '\t') from--;
    else if (before === '\n' && text[from - 2] === '\\') from -= 2;
    else return { start: from, end, text: '' };
  }
}

export function notWritten(command: ReadCommand, name: string): RewriteError {
  return new RewriteError(
    `Cannot change flag "${name}" of "${command.name ?? ''}": ${unwritableReason(command, 'it')}; write it plainly`,
  );
}
