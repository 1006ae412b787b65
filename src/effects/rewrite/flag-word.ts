import type { Flag, ReadCommand, Span } from '../../reading/reading.ts';
import { EMPTY_WORD, knownText, leadingText, type Word } from '../../reading/word.ts';
import { RewriteError } from './rewrite-error.ts';
import type { TextEdit } from './text-edits.ts';

/** A word of a command that holds one or more flags, and where it stands. */
export interface FlagWord {
  readonly word: Word;
  /** The text it begins with; where it is known as a whole, all of it. */
  readonly lead: string;
  /** Offset at which `lead` stands in the text. */
  readonly start: number;
  /** Where its value ends, a closing quote left out. */
  readonly end: number;
  /** With its quotes. */
  readonly span: Span;
  /** True for `--force`, `--depth=1` and `-name` of find: the word is one flag. False for bundles such as `-rf`. */
  readonly isWhole: boolean;
  /** The next word where it is the value of a flag in this one. */
  readonly next: Span | undefined;
}

/** A flag's name and, where the tables know one, its other spelling: `-f` and `--force`. */
export function spellingsOf(command: ReadCommand, name: string): readonly string[] {
  const other = loadSpellings().otherSpelling(command, name);
  return other === undefined ? [name] : [name, other];
}

/** Is this the flag of that name, in any spelling? `--forc` is one too, where it is short for `--force`. */
export function isFlag(command: ReadCommand, found: Flag, name: string): boolean {
  if (found.name.length > 2 && found.written === name) return true;
  return spellingsOf(command, name).includes(found.name);
}

/**
 * Finds the word that a flag came from.
 *
 * @throws RewriteError if it does not stand in the text as it is: a variable's value, an escaped character
 */
export function flagWord(text: string, command: ReadCommand, flag: Flag): FlagWord {
  const word = command.args[flag.arg] ?? EMPTY_WORD;
  const place = command.argPlaces[flag.arg];
  const lead = leadingText(word);
  const isWhole = flag.name.length > 2 || knownText(word) === flag.name || lead.startsWith(`${flag.name}=`);
  const start = place?.at ?? place?.span.start ?? 0;
  const isThere = text.startsWith(isWhole ? flag.written : lead, start);
  if (place === undefined || !isThere || !isOwnWord(command, flag.arg)) throw notWritten(command, flag.name);
  const { span } = place;
  const end = place.at === undefined ? span.end : place.at + lead.length;
  return { word, lead, start, end, span, isWhole, next: nextValue(text, command, flag, span.end) };
}

/** Where a flag's letter stands in a bundle. What follows a letter that takes a value is no letter. */
export function lettersOf({ lead }: FlagWord, command: ReadCommand, { name, arg }: Flag): readonly number[] {
  const valued = command.flags.find((flag) => flag.arg === arg && flag.value !== undefined)?.name;
  const found: number[] = [];
  for (let index = 1; index < lead.length; index++) {
    const letter = `-${lead[index] ?? ''}`;
    if (letter === name) found.push(index);
    if (letter === valued) break;
  }
  return found;
}

/** The word after a word of flags where it belongs to the last of them. */
function nextValue(text: string, command: ReadCommand, { arg, name }: Flag, end: number): Span | undefined {
  const value = command.args[arg + 1];
  const takes = command.flags.some(
    (flag) => flag.arg === arg && flag.value !== undefined && flag.value === value,
  );
  if (!takes || leadingText(command.args[arg] ?? EMPTY_WORD).endsWith('=')) return undefined;
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
    `Cannot change flag "${name}" of "${command.name ?? ''}": it does not stand in the command as it is; write it plainly`,
  );
}

/** The tables of programs are large; they are there already when a command has been read. */
function loadSpellings(): typeof import('../../reading/same-flag.ts') {
  return require('../../reading/same-flag.ts') as typeof import('../../reading/same-flag.ts');
}
