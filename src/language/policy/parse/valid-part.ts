import { isJsonObject, type Json, type JsonObject } from '../../../lib/json.ts';
import type { YamlPath } from '../yaml/yaml.ts';

/** An object without refused entries, to check the rest. A list with a refused item is removed, as its other items would move. */
export function validPart(object: JsonObject, refused: readonly YamlPath[]): JsonObject {
  if (refused.length === 0) return object;
  const entries = Object.entries(object).flatMap(([key, value]): readonly [string, Json][] => {
    const below = refused.filter((path) => path[0] === key).map((path) => path.slice(1));
    if (below.length === 0) return [[key, value]];
    if (!isJsonObject(value) || below.some((path) => path.length === 0)) return [];
    return [[key, validPart(value, below)]];
  });
  return Object.fromEntries(entries);
}
