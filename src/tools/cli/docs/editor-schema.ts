import { FIXED_KEYS, REFERENCE } from '../../../language/policy/schema/fill-parameters.ts';
import { policySchema } from '../../../language/policy/schema/schema.ts';
import { isJsonObject, type Json, type JsonObject, ownObject } from '../../../lib/json.ts';
import { CLOSED } from '../../../lib/schema-parts.ts';

const REFERENCE_NAME = 'parameter_reference';

/** The schema of policy files as written: a parameter may replace any value. `policySchema` sees them filled in. */
export function editorSchema(): JsonObject {
  const schema = policySchema();
  const definitions = ownObject(schema, '$defs') ?? {};
  const written = Object.fromEntries(
    Object.entries(definitions).map(([name, definition]) => [
      name,
      // Of tools and programs nothing is a parameter.
      isJsonObject(definition) && !/^(?:tool|program)/.test(name)
        ? inside(definition, name === 'policy')
        : definition,
    ]),
  );
  const reference: JsonObject = {
    description: 'A parameter of this file instead of its value',
    ...CLOSED,
    required: [REFERENCE],
    properties: { [REFERENCE]: { description: 'The name of a parameter of this file', type: 'string' } },
  };
  return { ...schema, $defs: { ...written, [REFERENCE_NAME]: reference } };
}

/** The same schema with a parameter among the values of its keys and items. */
function inside(schema: JsonObject, isPolicy = false): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]): [string, Json] => {
      if (keyword === 'properties' && isJsonObject(value)) {
        const entries = Object.entries(value).map(([key, each]): [string, Json] => [
          key,
          isPolicy && FIXED_KEYS.has(key) ? each : orParameter(each),
        ]);
        return [keyword, Object.fromEntries(entries)];
      }
      if (keyword === 'items' || keyword === 'additionalProperties') return [keyword, orParameter(value)];
      if (keyword === 'anyOf' && Array.isArray(value))
        return [keyword, value.map((each: Json) => (isJsonObject(each) ? inside(each) : each))];
      return [keyword, value];
    }),
  );
}

function orParameter(schema: Json): Json {
  if (!isJsonObject(schema)) return schema;
  const { description, ...rest } = schema;
  const anyOf = [inside(rest), { $ref: `#/$defs/${REFERENCE_NAME}` }];
  return description === undefined ? { anyOf } : { description, anyOf };
}
