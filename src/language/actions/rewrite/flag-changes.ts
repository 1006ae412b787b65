import type { Flag, ReadCommand } from '../../../reader/reading/reading.ts';
import { knownText } from '../../../reader/reading/word.ts';
import {
  type FlagWord,
  flagsByWord,
  flagTest,
  flagWord,
  isOwnWord,
  lettersOf,
  notWritten,
  spellingsOf,
  withoutWord,
} from './flag-word.ts';
import { RewriteError, unwritableReason } from './paths.ts';
import type { TextEdit } from './texts.ts';

interface AddedFlag {
  /** As it is written: `--depth=1`. */
  readonly text: string;
  readonly name: string;
  readonly value: string | undefined;
}

export function addedFlag(text: string): AddedFlag {
  const equals = text.indexOf('=');
  return equals < 0
    ? { text, name: text, value: undefined }
    : { text, name: text.slice(0, equals), value: text.slice(equals + 1) };
}

/** Whether a flag is the one that has to be there, with its value. */
export function addedFlagTest(command: ReadCommand, { name, value }: AddedFlag): (found: Flag) => boolean {
  const fits = flagTest(spellingsOf(command, name));
  return (found) => {
    const known = found.value === undefined ? undefined : (knownText(found.value) ?? null);
    return known === value && fits(found);
  };
}

/**
 * The edit that puts a flag into a command, none if it is there. Where it is given with another value or is undone
 * (`--no-x`), it goes after that: the last one counts.
 *
 * @param after how many words after the program belong to the subcommand, behind which it goes otherwise
 * @throws RewriteError if the place is not in the text as it is
 */
export function addFlag(
  text: string,
  command: ReadCommand,
  added: AddedFlag,
  after: number,
): readonly TextEdit[] {
  const names = spellingsOf(command, added.name).flatMap((each) => [each, opposite(each)]);
  const last = command.flags.findLast(flagTest(names.flatMap((each) => spellingsOf(command, each))));
  if (last !== undefined && addedFlagTest(command, added)(last)) return [];
  const at = last === undefined ? endOfName(text, command, after) : endOfFlag(text, command, last);
  if (at === undefined)
    throw new RewriteError(
      `Cannot add flag "${added.text}" to "${command.name ?? ''}": ${unwritableReason(command, after > 0 ? 'the subcommand' : 'the program')}; write it plainly`,
    );
  return [{ start: at, end: at, text: ` ${added.text}` }];
}

function opposite(name: string): string {
  return name.startsWith('--no-') ? `--${name.slice(5)}` : `--no-${name.replace(/^-+/, '')}`;
}

function endOfFlag(text: string, command: ReadCommand, flag: Flag): number {
  const { span, next } = flagWord(text, command, flagsByWord(command).get(flag.arg) ?? [flag], flag);
  return next?.end ?? span.end;
}

/** The end of the last word of the program and its subcommand, a closing quote included. */
function endOfName(text: string, command: ReadCommand, after: number): number | undefined {
  let arg = -1;
  for (const word of command.operands.slice(0, after)) arg = command.args.indexOf(word, arg + 1);
  const isProgram = after === 0;
  const word = knownText((isProgram ? command.program : command.args[arg]) ?? []);
  const place = isProgram ? command.programPlace : command.argPlaces[arg];
  const isOwn = isProgram ? command.argPlaces[0]?.span.start !== place?.span.start : isOwnWord(command, arg);
  if (word === undefined || place?.at === undefined || !isOwn) return undefined;
  return text.startsWith(word, place.at) ? place.span.end : undefined;
}

/**
 * The edits that take a flag out wherever it is given, its value included: a word, or a letter of a bundle. A bundle
 * may be named as it is written, too.
 *
 * @throws RewriteError if it is given in a way that cannot be edited
 */
export function removeFlag(
  text: string,
  command: ReadCommand,
  name: string,
  isUnwanted: (found: Flag) => boolean,
): readonly TextEdit[] {
  const fits = flagTest(spellingsOf(command, name));
  return [...flagsByWord(command).values()].flatMap((flags) => {
    const gone = flags.filter((flag) => (flag.written === name || fits(flag)) && isUnwanted(flag));
    return removeFrom(text, command, flags, gone);
  });
}

/** Takes some of the flags out of their word. */
function removeFrom(
  text: string,
  command: ReadCommand,
  flags: readonly Flag[],
  gone: readonly Flag[],
): readonly TextEdit[] {
  const [flag] = gone;
  if (flag === undefined) return [];
  const found = flagWord(text, command, flags, flag);
  const { word, lead, start, end, span, isWhole, next } = found;
  const whole = withoutWord(text, { start: span.start, end: next?.end ?? span.end });
  if (isWhole) return [whole];
  const letters = [...new Set(gone.map(({ name }) => name))].flatMap((name) => lettersOf(found, name));
  const valued = gone.find(({ value }) => value !== undefined);
  const last = valued === undefined ? lead.length - 1 : (lettersOf(found, valued.name)[0] ?? 1);
  if (letters.length < last) {
    const edits = letters.map((index) => letterEdit(start + index, ''));
    if (valued === undefined) return edits;
    const value = next === undefined ? { start: start + last + 1, end, text: '' } : withoutWord(text, next);
    return [...edits, value];
  }
  // The rest of the word may be further letters: `-f$X`.
  if (valued === undefined && word.length > 1) throw notWritten(command, flag.name);
  return [whole];
}

function letterEdit(at: number, text: string): TextEdit {
  return { start: at, end: at + 1, text };
}

/**
 * The edits that give a flag another name wherever it is given. Its value stays; a long name leaves the bundle.
 *
 * @throws RewriteError if it is given in a way that cannot be edited
 */
export function renameFlag(
  text: string,
  command: ReadCommand,
  from: string,
  to: string,
): readonly TextEdit[] {
  const fits = flagTest(spellingsOf(command, from));
  return [...flagsByWord(command).values()].flatMap((flags) => {
    // All flags that fit in one word are the same letter, or the word is one flag.
    const flag = flags.find((each) => fits(each) && each.name !== to && each.written !== to);
    return flag === undefined ? [] : renameOne(text, command, flags, flag, to);
  });
}

function renameOne(
  text: string,
  command: ReadCommand,
  flags: readonly Flag[],
  flag: Flag,
  to: string,
): readonly TextEdit[] {
  const found = flagWord(text, command, flags, flag);
  const { lead, start, isWhole } = found;
  const isLetter = to.length === 2;
  if (isWhole) {
    const end = flag.name.length > 2 ? flag.written.length : flag.name.length;
    if (isLetter && lead[end] === '=')
      throw new RewriteError(
        `Cannot rename flag "${flag.name}" to "${to}": its value is joined to it by "="`,
      );
    return [{ start, end: start + end, text: to }];
  }
  const letters = lettersOf(found, flag.name);
  if (isLetter) return letters.map((index) => letterEdit(start + index, to[1] ?? ''));
  return [leaveBundle(found, letters, command, flag, to)];
}

/** `-xfz` becomes `-x --force -z`, `-xn5` becomes `-x --lines=5`. */
function leaveBundle(
  { word, lead, start, span, next }: FlagWord,
  letters: readonly number[],
  command: ReadCommand,
  flag: Flag,
  to: string,
): TextEdit {
  const words: string[] = [];
  let from = 1;
  for (const index of letters) {
    if (index > from) words.push(`-${lead.slice(from, index)}`);
    words.push(to);
    from = index + 1;
  }
  const isJoined = flag.value !== undefined && next === undefined;
  const hasMore = !isJoined && from < lead.length;
  const text = words.join(' ') + (isJoined ? '=' : hasMore ? ' -' : '');
  const isQuoted = start !== span.start;
  const isOpen = word.length > 1 && flag.value === undefined;
  if (isOpen || (isQuoted && text.includes(' '))) throw notWritten(command, flag.name);
  return { start, end: start + from + (isJoined && lead[from] === '=' ? 1 : 0), text };
}
