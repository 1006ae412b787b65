import type { ReadCommand, Reading } from '../../../reader/reading/reading.ts';
import { isRead, type Reader, refuseUnread } from './command-texts.ts';
import { RewriteError } from './rewrite-error.ts';
import { applyEdits, type TextEdit } from './text-edits.ts';

/** What takes the place of the words that name a command. */
export interface NameChange {
  /** `program "npm" by "pnpm"` */
  readonly what: string;
  /** The program that it is about. */
  readonly program: string;
  /**
   * The edits of a command; undefined if it is about another one, or nothing is left to do.
   *
   * @throws RewriteError if the words do not stand in the text as they are
   */
  readonly edits: (text: string, command: ReadCommand, reading: Reading) => readonly TextEdit[] | undefined;
  /** True for a command that reads as it shall in the end. */
  readonly isDone: (command: ReadCommand) => boolean;
}

/** Why a change cannot be made. */
export function cannotReplace(what: string, why: string): RewriteError {
  return new RewriteError(`Cannot replace ${what}: ${why}`);
}

/**
 * The text with the names of its commands changed.
 *
 * @throws RewriteError if that cannot be done, or if what is read then is not what was wanted
 */
export function changeNames(text: string, changes: readonly NameChange[], read: Reader): string {
  const reading = read(text);
  refuseUnread(
    text,
    reading,
    changes.map(({ program }) => program),
  );
  const found = findNames(text, reading, changes);
  if (found.length === 0) return text;
  const changed = applyEdits(
    text,
    found.flatMap(({ edits }) => edits),
  );
  const after = read(changed);
  const isWhole = isRead(after) || !isRead(reading);
  for (const change of changes) {
    const wanted = found.filter((each) => each.change === change).length;
    const count = ({ commands }: Reading) => commands.filter(change.isDone).length;
    // The words after a name may be lost to it: `bash -c npx` runs its first word only.
    if (!isWhole || count(after) < count(reading) + wanted)
      throw cannotReplace(change.what, 'the command would not run it in the same place');
  }
  const [left] = findNames(changed, after, changes);
  if (left !== undefined) throw cannotReplace(left.change.what, 'it would still run');
  return changed;
}

function findNames(text: string, reading: Reading, changes: readonly NameChange[]) {
  return reading.commands.flatMap((command) => {
    for (const change of changes) {
      const edits = change.edits(text, command, reading);
      if (edits !== undefined) return [{ change, edits }];
    }
    return [];
  });
}
