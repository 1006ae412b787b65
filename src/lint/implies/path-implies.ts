import { deepEqual } from '../../lib/deep-equal.ts';
import { isJsonObject, type Json, type JsonObject, own } from '../../lib/json.ts';

/** True if a path that passes the narrow test passes the wide one for certain. Globs are compared as texts. */
export function pathImplies(narrow: Json, wide: Json): boolean {
  if (deepEqual(narrow, wide)) return true;
  const from = isJsonObject(narrow) ? narrow : { match: narrow };
  const to = isJsonObject(wide) ? wide : { match: wide };
  // A test for what cannot be told turns the others around.
  if (Object.hasOwn(from, 'unknown') || Object.hasOwn(to, 'unknown')) return false;
  return (
    placesCovered(from, to) &&
    ['outside', 'recursive'].every((key) => !Object.hasOwn(to, key) || own(from, key) === own(to, key)) &&
    usesCovered(own(from, 'uses'), own(to, 'uses')) &&
    listOf(to, 'except').every((glob) => listOf(from, 'except').includes(glob))
  );
}

/** `match` and `set` together are one list. */
function placesCovered(from: JsonObject, to: JsonObject): boolean {
  const wanted = [...listOf(to, 'match'), ...listOf(to, 'set').map((name) => `set ${name}`)];
  if (wanted.length === 0) return true;
  const given = [...listOf(from, 'match'), ...listOf(from, 'set').map((name) => `set ${name}`)];
  return given.length > 0 && given.every((place) => wanted.includes(place));
}

function usesCovered(narrow: Json | undefined, wide: Json | undefined): boolean {
  if (wide === undefined) return true;
  return narrow !== undefined && asList(narrow).every((use) => asList(wide).includes(use));
}

function listOf(test: JsonObject, key: string): readonly string[] {
  const value = own(test, key);
  return value === undefined ? [] : asList(value).map(String);
}

function asList(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : [value];
}
