import { isJsonObject, type Json } from '../../../lib/json.ts';
import { atPath, mapChildren, mapStrings, withAtPath } from '../../../lib/json-path.ts';
import { checkTime } from '../../../lib/time-limit.ts';
import type { Subject } from '../../../model/event.ts';
import type { RewriteInput } from '../action-spec.ts';
import { hostPath, RewriteError, withRoot } from './paths.ts';

/** A piece of a text and its replacement. Offsets count UTF-16 units, `end` excluded; equal ones insert. */
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

/** The subject with each of the event's texts changed; the same object if none changed. */
export function mapTexts(
  subject: Subject,
  paths: RewriteInput['textPaths'],
  change: (text: string) => string,
): Subject {
  let changed: Json = subject;
  for (const path of paths) {
    checkTime();
    const text = atPath(changed, path);
    if (typeof text === 'string') changed = withAtPath(changed, path, change(text));
  }
  return isJsonObject(changed) ? changed : subject;
}

/** The subject with every string changed that a path of a policy leads to, at any depth below it. */
export function mapTextsAt(
  subject: Subject,
  path: string,
  { kind, aliases }: RewriteInput,
  change: (text: string) => string,
): Subject {
  return withRoot(subject, kind, (root) => mapAt(root, hostPath(path, aliases, root), change));
}

function mapAt(value: Json, path: readonly string[], change: (text: string) => string): Json {
  const [segment, ...rest] = path;
  if (segment === undefined) return mapStrings(value, change);
  if (segment === '*' && rest.length === 0) return mapStrings(value, change);
  if (segment === '*') return mapChildren(value, (child) => mapAt(child, rest, change));
  const key = keyOf(value, segment);
  const child = key === undefined ? undefined : atPath(value, [key]);
  return key === undefined || child === undefined
    ? value
    : withAtPath(value, [key], mapAt(child, rest, change));
}

function keyOf(value: Json, segment: string): string | number | undefined {
  if (!Array.isArray(value)) return segment;
  return /^(?:0|[1-9]\d{0,8})$/.test(segment) ? Number(segment) : undefined;
}
