import { isJsonObject, type Json, type JsonObject, own, ownObject, ownString } from '../../../lib/json.ts';
import type { YamlPath } from '../yaml/yaml.ts';
import { policySchema } from './schema.ts';

/** The keys that a mapping at a path of a policy file may have, with their descriptions. */
export type KeyLookup = (path: YamlPath) => ReadonlyMap<string, string | undefined>;

/** For error messages: the keys that the schema knows. Composes the schema when first asked. */
export function keyLookup(schema: () => JsonObject = policySchema): KeyLookup {
  let root: JsonObject | undefined;
  const known = new Map<string, ReturnType<KeyLookup>>();
  return (path) => {
    root ??= schema();
    // All items of a list have the same keys.
    const name = path.map((step) => (typeof step === 'number' ? '#' : step)).join('\0');
    const keys = known.get(name) ?? keysAt(path, root);
    known.set(name, keys);
    return keys;
  };
}

/** The schemas that a value at a path of a file may have, references and alternatives resolved. */
export function schemasAt(path: YamlPath, root: JsonObject): readonly JsonObject[] {
  let schemas = expand(root, root);
  for (const step of path) schemas = schemas.flatMap((schema) => stepInto(schema, step, root));
  return schemas;
}

/** The keys that a mapping at a path may have, with their descriptions. */
export function keysAt(path: YamlPath, root: JsonObject): ReturnType<KeyLookup> {
  const keys = new Map<string, string | undefined>();
  for (const schema of schemasAt(path, root)) {
    for (const [key, value] of Object.entries(ownObject(schema, 'properties') ?? {})) {
      keys.set(key, keys.get(key) ?? descriptionOf(value, root));
    }
  }
  return keys;
}

/** True if the mapping around a path must have the key at its end, in one of its forms at least. */
export function isNeeded(path: YamlPath, root: JsonObject): boolean {
  const key = path.at(-1);
  return typeof key === 'string' && schemasAt(path.slice(0, -1), root).some((each) => requires(each, key));
}

function requires(schema: Json | undefined, key: string): boolean {
  if (Array.isArray(schema)) return schema.some((each: Json) => requires(each, key));
  if (!isJsonObject(schema)) return false;
  const keys = own(schema, 'required');
  return (
    (Array.isArray(keys) && keys.includes(key)) ||
    ['allOf', 'then', 'else'].some((part) => requires(own(schema, part), key))
  );
}

function descriptionOf(schema: Json, root: JsonObject): string | undefined {
  for (const candidate of expand(schema, root)) {
    const description = ownString(candidate, 'description');
    if (description !== undefined) return description;
  }
  return undefined;
}

/** A schema, the schemas that it refers to, and its alternatives. */
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
