import { isJsonObject, type Json } from '../../../lib/json.ts';
import { atPath, mapChildren, withAtPath } from '../../../lib/json-path.ts';
import { checkTime } from '../../../lib/time-limit.ts';
import type { Subject } from '../../../model/event.ts';
import type { RewriteInput } from '../action-spec.ts';
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
