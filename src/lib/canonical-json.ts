import { isJsonObject, type Json, type JsonObject } from './json.ts';

/** The JSON text of a value with the keys of every object in order, so that equal values have equal texts. */
export function canonicalJson(value: Json): string {
  // Each call that is logged comes by here, and most have few keys.
  if (isInOrder(value)) return JSON.stringify(value);
  return JSON.stringify(value, (_key, part: Json) =>
    isJsonObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}

function isInOrder(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isInOrder);
  let last = '';
  for (const key of Object.keys(value)) {
    if (key < last || !isInOrder((value as JsonObject)[key] ?? null)) return false;
    last = key;
  }
  return true;
}
