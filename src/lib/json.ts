/** Any value that JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. Keys may be anything, `__proto__` included: read them with `Object.hasOwn`. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** An object that is printed as JSON: keys without a value are left out. */
export interface JsonData {
  readonly [key: string]: Json | JsonData | readonly JsonData[] | undefined;
}

/** True for a JSON object, false for arrays, null and scalars. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of an own key, or undefined: never something inherited. */
export function own<T>(object: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

export function ownString(object: JsonObject, key: string): string | undefined {
  const value = own(object, key);
  return typeof value === 'string' ? value : undefined;
}

export function ownObject(object: JsonObject, key: string): JsonObject | undefined {
  const value = own(object, key);
  return isJsonObject(value) ? value : undefined;
}

/** The items of a list under an own key; none if there is no list. */
export function ownItems(object: JsonObject, key: string): readonly Json[] {
  return itemsOf(own(object, key));
}

/** The texts among them. */
export function ownTexts(object: JsonObject, key: string): readonly string[] {
  return ownItems(object, key).filter((item) => typeof item === 'string');
}

/** A value that should be an object; an empty one if it is none. */
export function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The items of a list; none for any other value. */
export function itemsOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** A list, or the list of one value. */
export function asList(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : [value];
}

export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
