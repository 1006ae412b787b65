import { isDataName } from '../../../lib/data-name.ts';
import { isJsonObject, type Json, type JsonObject, own } from '../../../lib/json.ts';
import { CLOSED, TEXT } from '../../../lib/schema-parts.ts';
import type { SpecProblem } from '../../../model/diagnostic.ts';

/** JSON Schema of values that are in a data file beside the policies. */
export const DATA_LIST_SCHEMA: JsonObject = {
  ...CLOSED,
  required: ['file'],
  properties: {
    file: {
      ...TEXT,
      description:
        'A JSON or YAML file, from the folder on that holds .policy, else from that of the policy file',
    },
    at: { ...TEXT, description: 'Where the values are in the file: dotted names, * for any name or index' },
    keys: { type: 'boolean', description: 'true: use the names of a mapping, not its values' },
  },
};

/** The data file that a list names; undefined if its values are written out. */
export function dataListOf(
  spec: Json,
): { readonly file: string; readonly at: string; readonly keys: boolean } | undefined {
  if (!isJsonObject(spec)) return undefined;
  return {
    file: String(own(spec, 'file')),
    at: String(own(spec, 'at') ?? ''),
    keys: own(spec, 'keys') === true,
  };
}

/** The problems of a list that its schema cannot express. */
export function dataListProblems(spec: Json): readonly SpecProblem[] {
  const list = dataListOf(spec);
  if (list === undefined || isDataName(list.file)) return [];
  const message = `Cannot read "${list.file}" as data: it is neither JSON nor YAML`;
  return [{ code: 'bad-value', path: ['file'], message, hint: 'name a *.json, *.yaml or *.yml file' }];
}

/** The values of a list, written out or out of its file; undefined if the file could not be read. */
export function valuesIn(spec: Json): readonly Json[] | undefined {
  const values = isJsonObject(spec) ? own(spec, 'values') : spec;
  return Array.isArray(values) ? values : undefined;
}
