import { isJsonObject, type Json, type JsonObject, own, ownObject, ownString } from '../lib/json.ts';
import { policySchema } from './schema.ts';
import type { YamlPath } from './yaml.ts';

/** The keys that a mapping at a path of a policy file may have, with their descriptions. For error messages. */
export function keysAt(path: YamlPath): ReadonlyMap<string, string | undefined> {
  const root = policySchema();
  let schemas = expand(root, root);
  for (const step of path) schemas = schemas.flatMap((schema) => stepInto(schema, step, root));
  const keys = new Map<string, string | undefined>();
  for (const schema of schemas) {
    for (const [key, value] of Object.entries(ownObject(schema, 'properties') ?? {})) {
      keys.set(key, keys.get(key) ?? descriptionOf(value, root));
    }
  }
  return keys;
}

function descriptionOf(schema: Json, root: JsonObject): string | undefined {
  for (const candidate of expand(schema, root)) {
    const description = ownString(candidate, 'description');
    if (description !== undefined) return description;
  }
  return undefined;
}

/** A schema, what it refers to, and its alternatives. */
function expand(schema: Json | undefined, root: JsonObject): readonly JsonObject[] {
  if (!isJsonObject(schema)) return [];
  const reference = ownString(schema, '$ref');
  const target = reference === undefined ? [] : expand(resolve(reference, root), root);
  const alternatives = [own(schema, 'anyOf'), own(schema, 'oneOf')].flatMap((list) =>
    Array.isArray(list) ? list.flatMap((item: Json) => expand(item, root)) : [],
  );
  return [schema, ...target, ...alternatives];
}

function resolve(reference: string, root: JsonObject): Json | undefined {
  let value: Json | undefined = root;
  for (const part of reference.split('/').slice(1))
    value = isJsonObject(value) ? own(value, part) : undefined;
  return value;
}

function stepInto(schema: JsonObject, step: string | number, root: JsonObject): readonly JsonObject[] {
  if (typeof step === 'number') return expand(own(schema, 'items'), root);
  const property = own(ownObject(schema, 'properties') ?? {}, step);
  return expand(property ?? own(schema, 'additionalProperties'), root);
}
