import type { Flag, ReadCommand } from '../../reading/reading.ts';
import { flagWord, isFlag, lettersOf, notWritten, withoutWord } from './flag-word.ts';
import type { TextEdit } from './text-edits.ts';

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
  const byWord = new Map<number, Flag[]>();
  for (const flag of command.flags) {
    if (flag.written !== name && !isFlag(command, flag, name)) continue;
    if (isUnwanted(flag)) byWord.set(flag.arg, [...(byWord.get(flag.arg) ?? []), flag]);
  }
  return [...byWord.values()].flatMap((flags) => removeFrom(text, command, flags));
}

/** Takes flags out of the word that they share. */
function removeFrom(text: string, command: ReadCommand, flags: readonly Flag[]): readonly TextEdit[] {
  const [flag] = flags;
  if (flag === undefined) return [];
  const found = flagWord(text, command, flag);
  const { word, lead, start, end, span, isWhole, next } = found;
  const whole = withoutWord(text, { start: span.start, end: next?.end ?? span.end });
  if (isWhole) return [whole];
  const letters = new Set(flags.flatMap((each) => lettersOf(found, command, each)));
  const valued = flags.find(({ value }) => value !== undefined);
  const last = valued === undefined ? lead.length - 1 : (lettersOf(found, command, valued)[0] ?? 1);
  if (letters.size < last) {
    const edits = [...letters].map((index) => letterEdit(start + index, ''));
    if (valued === undefined) return edits;
    const value = next === undefined ? { start: start + last + 1, end, text: '' } : withoutWord(text, next);
    return [...edits, value];
  }
  // What follows may be further letters: `-f$X`.
  if (valued === undefined && word.length > 1) throw notWritten(command, flag.name);
  return [whole];
}

/** A letter of a bundle and what takes its place. */
export function letterEdit(at: number, text: string): TextEdit {
  return { start: at, end: at + 1, text };
}
