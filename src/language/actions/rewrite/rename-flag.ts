import type { Flag, ReadCommand } from '../../../reader/reading/reading.ts';
import {
  type FlagWord,
  flagsByWord,
  flagTest,
  flagWord,
  lettersOf,
  notWritten,
  spellingsOf,
} from './flag-word.ts';
import { letterEdit } from './remove-flag.ts';
import { RewriteError } from './rewrite-error.ts';
import type { TextEdit } from './text-edits.ts';

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
