import { isJsonObject, type Json } from './json.ts';

/** The JSON text of a value with the keys of every object in order, so that equal values have equal texts. */
export function canonicalJson(value: Json): string {
  return JSON.stringify(value, (_key, part: Json) =>
    isJsonObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}
