import { RewriteError } from './rewrite-error.ts';

/** A piece of a text and what takes its place. Offsets count UTF-16 units, `end` excluded; equal ones insert. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The text with its pieces replaced, every other character as it was. An edit may be given several times: a function's
 * body is read at every call. One inside a piece that goes as a whole is settled by that: `tail -n $(grep -n x)`.
 *
 * @throws RewriteError if two edits disagree about a piece
 */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const inOrder = [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
  const pieces: string[] = [];
  let before: TextEdit | undefined;
  let from = 0;
  for (const edit of inOrder) {
    if (before !== undefined && (isSame(before, edit) || isInside(edit, before))) continue;
    if (edit.start < from || (before?.start === edit.start && before.end === edit.end))
      throw new RewriteError('Cannot rewrite the command: one of its words would become two different ones');
    pieces.push(text.slice(from, edit.start), edit.text);
    from = edit.end;
    before = edit;
  }
  return pieces.join('') + text.slice(from);
}

function isSame(a: TextEdit, b: TextEdit): boolean {
  return a.start === b.start && a.end === b.end && a.text === b.text;
}

function isInside(edit: TextEdit, removed: TextEdit): boolean {
  return removed.text === '' && edit.start > removed.start && edit.end < removed.end;
}
