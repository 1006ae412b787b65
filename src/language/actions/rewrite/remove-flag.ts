import type { Flag, ReadCommand } from '../../../reader/reading/reading.ts';
import {
  flagsByWord,
  flagTest,
  flagWord,
  lettersOf,
  notWritten,
  spellingsOf,
  withoutWord,
} from './flag-word.ts';
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
  // What follows may be further letters: `-f$X`.
  if (valued === undefined && word.length > 1) throw notWritten(command, flag.name);
  return [whole];
}

/** A letter of a bundle and what takes its place. */
export function letterEdit(at: number, text: string): TextEdit {
  return { start: at, end: at + 1, text };
}
