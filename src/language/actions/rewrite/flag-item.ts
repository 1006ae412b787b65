import { isJsonObject, type JsonObject, own } from '../../../lib/json.ts';

/** The flags that an item of `flags` takes out. */
export function removedFlags(item: JsonObject): readonly string[] {
  return listOf(item, 'remove');
}

/** Old and new names. */
export function renamedFlags(item: JsonObject): readonly (readonly [from: string, to: string])[] {
  const renames = own(item, 'rename');
  return isJsonObject(renames)
    ? Object.entries(renames).map(([from, to]) => [from, String(to)] as const)
    : [];
}

/** The flags that have to be there, as written. */
export function addedFlags(item: JsonObject): readonly string[] {
  return listOf(item, 'add');
}

function listOf(item: JsonObject, key: string): readonly string[] {
  const list = own(item, key);
  return Array.isArray(list) ? list.map(String) : [];
}
