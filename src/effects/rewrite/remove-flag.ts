import type { Flag, ReadCommand } from '../../reading/reading.ts';
import { flagWord, isFlag, lettersOf, notWritten, withoutWord } from './flag-word.ts';
import type { TextEdit } from './text-edits.ts';

/**
 * The edits that take a flag out wherever it is given, its value included: a word, or a letter of a bundle.
 *
 * @throws RewriteError if it is given in a way that cannot be edited
 */
export function removeFlag(
  text: string,
  command: ReadCommand,
  name: string,
  isUnwanted: (found: Flag) => boolean,
): readonly TextEdit[] {
  const found = new Map(
    command.flags
      .filter((flag) => isFlag(command, flag, name) && isUnwanted(flag))
      .map((flag) => [`${flag.arg} ${flag.name}`, flag]),
  );
  return [...found.values()].flatMap((flag) => removeOne(text, command, flag));
}

function removeOne(text: string, command: ReadCommand, flag: Flag): readonly TextEdit[] {
  const found = flagWord(text, command, flag);
  const { word, lead, start, end, span, isWhole, next } = found;
  const whole = withoutWord(text, { start: span.start, end: next?.end ?? span.end });
  if (isWhole) return [whole];
  const letters = lettersOf(found, command, flag);
  const [first = 1] = letters;
  if (flag.value !== undefined) {
    if (first === 1) return [whole];
    if (next === undefined) return [{ start: start + first, end, text: '' }];
    return [letterEdit(start + first, ''), withoutWord(text, next)];
  }
  if (letters.length < lead.length - 1) return letters.map((index) => letterEdit(start + index, ''));
  // What follows may be further letters: `-f$X`.
  if (word.length > 1) throw notWritten(command, flag.name);
  return [whole];
}

/** A letter of a bundle and what takes its place. */
export function letterEdit(at: number, text: string): TextEdit {
  return { start: at, end: at + 1, text };
}
