import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts';
import { textAsYaml } from './scalar-text.ts';

/** A JSON value as YAML in one line. */
export function jsonAsYaml(value: Json): string {
  if (typeof value === 'string') return textAsYaml(value);
  if (Array.isArray(value)) return `[${value.map(jsonAsYaml).join(', ')}]`;
  if (isJsonObject(value)) {
    const pairs = Object.entries(value).map(([key, item]) => `${textAsYaml(key)}: ${jsonAsYaml(item)}`);
    return `{${pairs.join(', ')}}`;
  }
  return JSON.stringify(value);
}

/** A mapping as YAML, a line for each of its keys. */
export function mappingLines(mapping: JsonObject): readonly string[] {
  return Object.entries(mapping).map(([key, value]) => `${textAsYaml(key)}: ${jsonAsYaml(value)}`);
}
