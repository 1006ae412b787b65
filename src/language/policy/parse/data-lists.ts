import { isJsonObject, type Json, type JsonObject, parseJson } from '../../../lib/json.ts';
import { atPath, parsePath, valuesAt, withAtPath } from '../../../lib/json-path.ts';
import { dataListOf } from '../../keys/types/data-list.ts';
import { parseYaml, type YamlPath } from '../yaml/yaml.ts';

/** Most values that one list may have. */
export const MAX_DATA_VALUES = 10_000;

/** The values in a data file, or why there are none. */
export type FoundValues =
  | { readonly values: readonly Json[] }
  | {
      readonly cause: string /** True if the file is sound and `at` leads nowhere. */;
      readonly inside: boolean;
    };

/** Keys below which names are the author's, and no keys of the language. */
const NAMED = new Set(['arguments', 'event', 'context', 'environment', 'values']);
/** Keys that hold values of any form. */
const VALUES = new Set(['equals', 'contains', 'arguments_match', 'arguments_violate']);

/** The paths of lists from data files in the matching keys of a policy. */
export function dataListPaths(when: Json, at: YamlPath = []): readonly YamlPath[] {
  if (Array.isArray(when)) return when.flatMap((item: Json, index) => dataListPaths(item, [...at, index]));
  if (!isJsonObject(when)) return [];
  const isNamed = NAMED.has(String(at.at(-1)));
  return Object.entries(when).flatMap(([key, value]): readonly YamlPath[] => {
    const here = [...at, key];
    if (!isNamed && VALUES.has(key)) return [];
    return !isNamed && key === 'one_of' && isJsonObject(value) ? [here] : dataListPaths(value, here);
  });
}

/** A copy with another mapping at a path that exists. */
export function withListAt(value: Json, path: YamlPath, change: (list: JsonObject) => JsonObject): Json {
  const list = atPath(value, path);
  return isJsonObject(list) ? withAtPath(value, path, change(list)) : value;
}

export function parseData(text: string, file: string): { readonly data: Json } | { readonly cause: string } {
  if (!file.endsWith('.json')) {
    const { document, diagnostics } = parseYaml(text, file);
    return document === undefined || diagnostics.length > 0
      ? { cause: 'it is not YAML' }
      : { data: document.value };
  }
  const data = parseJson(text);
  return data === undefined ? { cause: 'it is not JSON' } : { data };
}

/** The values that a list names in a file: texts, numbers, true and false. */
export function findValues(data: Json, spec: JsonObject): FoundValues {
  const { at = '', keys = false } = dataListOf(spec) ?? {};
  const found = valuesAt(data, parsePath(at));
  const where = at === '' ? 'it' : `"${at}"`;
  if (found.length === 0) return { cause: `there is no ${where}`, inside: true };
  if (keys && !found.every(isJsonObject))
    return { cause: `${where} is no mapping, so that it has no keys`, inside: true };
  const values = found.flatMap((value) => (keys ? Object.keys(value as JsonObject) : value));
  if (values.some((value) => typeof value === 'object')) {
    const cause = isJsonObject(found[0] ?? null)
      ? `${where} is a mapping; write keys: true for its names`
      : `${where} holds other things than texts, numbers, true and false`;
    return { cause, inside: true };
  }
  return values.length > MAX_DATA_VALUES
    ? { cause: `${where} has more than ${MAX_DATA_VALUES} values`, inside: true }
    : { values };
}
