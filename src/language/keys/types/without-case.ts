import { isJsonObject, type Json } from '../../../lib/json.ts';

/** A value test for texts in lower case that takes its own words, whatever their case, for the same. */
export function withoutCase(test: Json): Json {
  if (!isJsonObject(test)) return lowered(test);
  return Object.fromEntries(
    Object.entries(test).map(([key, value]) => [
      key,
      key === 'regex' || key === 'not_regex' ? `(?i)${value}` : lowered(value),
    ]),
  );
}

function lowered(value: Json): Json {
  if (Array.isArray(value)) return value.map(lowered);
  return typeof value === 'string' ? value.toLowerCase() : value;
}
