import { isJsonObject, type Json, type JsonObject, own } from '../../lib/json.ts';

/** The JSON types of an object's known fields. */
export type FieldTypes = Readonly<
  Record<string, 'string' | 'number' | 'boolean' | 'object' | 'list' | 'strings'>
>;

/**
 * The first field whose type is not what the protocol says, as a clause such as `"tool" is a number`. Absent fields
 * and null pass, as in PicoClaw's own decoder.
 */
export function wrongField(object: JsonObject, types: FieldTypes): string | undefined {
  for (const name in types) {
    const value = own(object, name);
    if (value === undefined || value === null) continue;
    if (!fits(value, types[name])) return `"${name}" is ${nameOf(value)}`;
  }
  return undefined;
}

function fits(value: Json, type: FieldTypes[string] | undefined): boolean {
  switch (type) {
    case 'object':
      return isJsonObject(value);
    case 'list':
      return Array.isArray(value);
    case 'strings':
      return Array.isArray(value) && value.every((item) => typeof item === 'string');
    default:
      return typeof value === type;
  }
}

function nameOf(value: Json): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
