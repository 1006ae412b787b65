import { isJsonObject, type JsonObject, own } from '../lib/json.ts';

/** A copy with another object laid over it: objects are merged key by key, everything else is replaced. */
export function overlay(base: JsonObject, over: JsonObject | undefined): JsonObject {
  if (over === undefined) return base;
  const merged = Object.entries(over).map(([key, value]) => {
    const below = own(base, key);
    return [key, isJsonObject(below) && isJsonObject(value) ? overlay(below, value) : value] as const;
  });
  return { ...base, ...Object.fromEntries(merged) };
}
