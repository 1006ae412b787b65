import { isJsonObject, type Json, type JsonObject, own } from '../../lib/json.ts';

/** Policies find the keys of a structured result here, beside the result: as texts that can be read and redacted. */
const KEYS = 'policy.keys';
const STRUCTURED = 'structuredContent';

/** A result with the keys of its structured part as texts; the result itself if it has none. */
export function withKeys(result: Json | null): Json | null {
  const keys = isJsonObject(result) ? keysOf(result) : [];
  return isJsonObject(result) && keys.length > 0 ? { ...result, [KEYS]: keys } : result;
}

/** A result as policies have left it, its keys among it; undefined if these cannot be put back. */
export function withoutKeys(before: Json | undefined, changed: Json): Json | undefined {
  if (!isJsonObject(before)) return changed;
  const keys = keysOf(before);
  if (keys.length === 0) return changed;
  if (!isJsonObject(changed)) return changed;
  const { [KEYS]: left, ...result } = changed;
  if (!Array.isArray(left) || left.length !== keys.length) return undefined;
  const names = new Map(keys.map((key, index) => [key, String(left[index])]));
  const structured = own(result, STRUCTURED);
  if (structured === undefined || keys.every((key) => names.get(key) === key)) return result;
  return { ...result, [STRUCTURED]: renamed(structured, names) };
}

function keysOf(result: JsonObject): readonly string[] {
  const keys = new Set<string>();
  const waiting: Json[] = [own(result, STRUCTURED) ?? null];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inside] of Object.entries(value)) {
      if (!Array.isArray(value)) keys.add(key);
      waiting.push(inside);
    }
  }
  return [...keys];
}

/** Two keys may be the same afterwards: then both stay, and the later one is numbered. */
function renamed(value: Json, names: ReadonlyMap<string, string>): Json {
  if (Array.isArray(value)) return value.map((item) => renamed(item, names));
  if (!isJsonObject(value) || JSON.isRawJSON(value)) return value;
  const made: Record<string, Json> = Object.create(null);
  for (const [key, inside] of Object.entries(value)) {
    const name = names.get(key) ?? key;
    let free = name;
    for (let count = 2; free in made; count++) free = `${name} (${count})`;
    made[free] = renamed(inside, names);
  }
  return made;
}
