import { type JsonObject, ownString } from '../lib/json.ts';

export function namesEvent(
  message: JsonObject,
  events: Readonly<Record<string, unknown>>,
  field = 'hook_event_name',
): boolean {
  const name = ownString(message, field);
  return name !== undefined && Object.hasOwn(events, name);
}

/** True if a field of a message is a text with this in it. */
export function fieldContains(message: JsonObject, field: string, part: string): boolean {
  return ownString(message, field)?.includes(part) === true;
}
