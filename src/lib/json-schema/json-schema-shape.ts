import { closest } from '../closest.ts';
import { isJsonObject, type Json, type JsonObject, own, ownString } from '../json.ts';
import { nestsDeeper } from '../json-depth.ts';
import { regexError } from '../regex/regex.ts';
import type { SchemaViolation } from './json-schema-violation.ts';

type Path = readonly (string | number)[];

/** How a keyword's value holds further schemas. `data` holds none. */
const KEYWORDS: Readonly<Record<string, 'data' | 'schema' | 'map' | 'list'>> = {
  $schema: 'data',
  $id: 'data',
  $ref: 'data',
  $comment: 'data',
  $defs: 'map',
  definitions: 'map',
  title: 'data',
  description: 'data',
  default: 'data',
  deprecated: 'data',
  readOnly: 'data',
  writeOnly: 'data',
  examples: 'data',
  format: 'data',
  contentEncoding: 'data',
  contentMediaType: 'data',
  type: 'data',
  enum: 'data',
  const: 'data',
  multipleOf: 'data',
  maximum: 'data',
  exclusiveMaximum: 'data',
  minimum: 'data',
  exclusiveMinimum: 'data',
  maxLength: 'data',
  minLength: 'data',
  pattern: 'data',
  maxItems: 'data',
  minItems: 'data',
  uniqueItems: 'data',
  maxContains: 'data',
  minContains: 'data',
  maxProperties: 'data',
  minProperties: 'data',
  required: 'data',
  dependentRequired: 'data',
  properties: 'map',
  patternProperties: 'map',
  dependentSchemas: 'map',
  additionalProperties: 'schema',
  unevaluatedProperties: 'schema',
  propertyNames: 'schema',
  items: 'schema',
  unevaluatedItems: 'schema',
  contains: 'schema',
  not: 'schema',
  if: 'schema',
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, in a table that is never awaited
  then: 'schema',
  else: 'schema',
  prefixItems: 'list',
  allOf: 'list',
  anyOf: 'list',
  oneOf: 'list',
};

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
const MAX_NODES = 10_000;
const MAX_DEPTH = 64;

/**
 * Finds faults that the meta-schema misses: unknown keywords, bad patterns and references, and more than 10,000 values or 64
 * levels.
 */
export function shapeProblems(schema: Json): readonly SchemaViolation[] {
  if (nestsDeeper(schema, MAX_DEPTH)) return [problem([], `nests more than ${MAX_DEPTH} levels deep`)];
  if (typeof schema !== 'boolean' && !isJsonObject(schema)) return [problem([], 'must be object or boolean')];
  const problems: SchemaViolation[] = [];
  checkSchema(schema, [], problems);
  if (problems.length === 0 && expandedSize(schema) > MAX_NODES) {
    problems.push(problem([], `has more than ${MAX_NODES} values when its references are followed`));
  }
  return problems;
}

/** How many values a schema holds, references followed. Only for schemas without shape problems. */
export function expandedSize(root: Json): number {
  const sizes = new Map<Json, number>();
  function sizeOf(value: Json): number {
    if (typeof value !== 'object' || value === null) return 1;
    const known = sizes.get(value);
    if (known !== undefined) return known;
    let size = 1;
    for (const child of Array.isArray(value) ? value : Object.values(value)) size += sizeOf(child);
    const ref = isJsonObject(value) ? ownString(value, '$ref') : undefined;
    const target = ref === undefined ? undefined : targetOf(root, ref);
    if (target !== undefined) size += sizeOf(target);
    sizes.set(value, size);
    return size;
  }
  return sizeOf(root);
}

function checkSchema(root: Json, at: Path, problems: SchemaViolation[]): void {
  visit(root, at);
  if (problems.length === 0 && hasCycle(root)) {
    problems.push(problem([], 'a "$ref" leads back to itself, write the levels out'));
  }

  function visit(schema: Json, path: Path): void {
    // The meta-schema reports a value that is no schema at all.
    if (!isJsonObject(schema)) return;
    for (const [key, value] of Object.entries(schema)) {
      const here = [...path, key];
      const kind = Object.hasOwn(KEYWORDS, key) ? KEYWORDS[key] : undefined;
      if (kind === undefined) {
        const near = closest(key, Object.keys(KEYWORDS));
        const hint = near === undefined ? '' : `, did you mean "${near}"?`;
        problems.push(problem(here, `unknown keyword "${key}"${hint}`));
      } else if (kind === 'schema') {
        visit(value, here);
      } else if (kind === 'list' && Array.isArray(value)) {
        for (const [i, item] of value.entries()) visit(item, [...here, i]);
      } else if (kind === 'map' && isJsonObject(value)) {
        for (const [name, item] of Object.entries(value)) {
          if (key === 'patternProperties') checkPattern(name, [...here, name]);
          if (name === '__proto__') problems.push(problem([...here, name], 'this name cannot be described'));
          visit(item, [...here, name]);
        }
      }
    }
    const pattern = own(schema, 'pattern');
    if (typeof pattern === 'string') checkPattern(pattern, [...path, 'pattern']);
    checkReference(schema, path);
  }

  function checkPattern(pattern: string, path: Path): void {
    const error = regexError(pattern);
    if (error === undefined) return;
    const place = error.index === undefined ? '' : ` at ${error.index + 1}`;
    problems.push(problem(path, `cannot compile regex "${pattern}": ${error.message}${place}`));
  }

  function checkReference(schema: JsonObject, path: Path): void {
    const ref = own(schema, '$ref');
    if (typeof ref === 'string' && targetOf(root, ref) === undefined) {
      const state = ref.startsWith('#') ? 'it leads nowhere' : 'only the schema itself can be referred to';
      problems.push(problem([...path, '$ref'], `cannot follow "${ref}": ${state}, write "#/$defs/name"`));
    }
    if (path.length > 0 && Object.hasOwn(schema, '$id')) {
      problems.push(problem([...path, '$id'], '"$id" is only allowed at the top'));
    }
    const dialect = own(schema, '$schema');
    if (typeof dialect === 'string' && dialect.replace(/#$/, '') !== DIALECT) {
      problems.push(
        problem([...path, '$schema'], `"${dialect}" is not supported, write "${DIALECT}" or leave it out`),
      );
    }
  }
}

function hasCycle(root: Json): boolean {
  const done = new Set<Json>();
  const open = new Set<Json>();
  function visit(value: Json): boolean {
    if (typeof value !== 'object' || value === null || done.has(value)) return false;
    if (open.has(value)) return true;
    open.add(value);
    const children: Json[] = Array.isArray(value) ? [...value] : Object.values(value);
    const ref = isJsonObject(value) ? ownString(value, '$ref') : undefined;
    const target = ref === undefined ? undefined : targetOf(root, ref);
    if (target !== undefined) children.push(target);
    const cyclic = children.some(visit);
    open.delete(value);
    done.add(value);
    return cyclic;
  }
  return visit(root);
}

/** The value that a reference of the form `#/a/b` leads to. */
function targetOf(root: Json, ref: string): Json | undefined {
  if (ref === '#') return root;
  if (!ref.startsWith('#/')) return undefined;
  let here: Json | undefined = root;
  for (const part of ref.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(here)) here = /^\d{1,9}$/.test(key) ? here[Number(key)] : undefined;
    else here = isJsonObject(here) ? own(here, key) : undefined;
    if (here === undefined) return undefined;
  }
  return here;
}

function problem(path: Path, message: string): SchemaViolation {
  return { path, message, unknown: false };
}
