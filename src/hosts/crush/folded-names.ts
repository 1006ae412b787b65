import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts';

/** Arguments by the names that Go decodes, ignoring letter case. Undefined if one has two names. */
export function foldedNames(args: JsonObject): JsonObject | undefined {
  const folded = fold(args);
  return isJsonObject(folded) ? folded : undefined;
}

function fold(value: Json): Json | undefined {
  if (Array.isArray(value)) {
    const items = value.map(fold);
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  if (!isJsonObject(value)) return value;
  const made: Record<string, Json> = Object.create(null);
  for (const [name, inside] of Object.entries(value)) {
    const plain = foldName(name);
    const read = fold(inside);
    if (plain in made || read === undefined) return undefined;
    made[plain] = read;
  }
  return { ...made };
}

/** Two letters outside of ASCII fold into one within. */
function foldName(name: string): string {
  return name.replaceAll('\u212A', 'k').replaceAll('\u017F', 's').toLowerCase();
}
