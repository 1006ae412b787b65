import { isJsonObject, type Json } from '../../lib/json.ts';
import { atPath, withAtPath } from '../../lib/json-path.ts';
import type { Subject } from '../../model/event.ts';
import type { RewriteInput } from '../effect.ts';
import { hostPath } from './host-path.ts';
import { mapStrings } from './map-strings.ts';
import { withRoot } from './root.ts';

/** The subject with each of the event's texts changed; the same object if none changed. */
export function mapTexts(
  subject: Subject,
  paths: RewriteInput['textPaths'],
  change: (text: string) => string,
): Subject {
  let changed: Json = subject;
  for (const path of paths) {
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
  let changed = value;
  for (const key of keysAt(value, segment)) {
    const child = atPath(value, [key]);
    if (child !== undefined) changed = withAtPath(changed, [key], mapAt(child, rest, change));
  }
  return changed;
}

function keysAt(value: Json, segment: string): readonly (string | number)[] {
  if (Array.isArray(value)) {
    if (segment === '*') return [...value.keys()];
    return /^(?:0|[1-9]\d{0,8})$/.test(segment) ? [Number(segment)] : [];
  }
  if (!isJsonObject(value)) return [];
  return segment === '*' ? Object.keys(value) : [segment];
}
