import type { AnySchema, Options } from 'ajv/dist/2020.js';
import { canonicalJson } from '../canonical-json.ts';
import { isJsonObject, type Json } from '../json.ts';
import { compileRegex } from '../regex/regex.ts';
import { expandedSize, shapeProblems } from './json-schema-shape.ts';
import { type SchemaViolation, violationOf } from './json-schema-violation.ts';

export type { SchemaViolation } from './json-schema-violation.ts';

const MAX_VIOLATIONS = 20;
/** Values in the schema times values in the checked one; a text counts one more for every 16 characters. */
const MAX_COST = 5_000_000;
const MAX_VALUE_DEPTH = 200;
/** How many tests that take as long as one may take the patterns of a schema do on one value. */
const MAX_PATTERN_LOAD = 3;

/** Thrown through Ajv's generated code when a pattern cannot judge a text. */
class CannotTell extends Error {}

/**
 * Compiles a JSON Schema 2020-12. Its `pattern`s run on the linear-time engine; formats are not checked; references
 * reach only into the schema itself. The check lists at most 20 violations, none if the value fits; where the value is
 * too large for the schema, one that says so and has `unknown` set.
 * @param schema one that `jsonSchemaProblems` has nothing to say about; wrong types of a keyword's value go unnoticed here
 * @throws {Error} if the schema refers outside itself, recurs, is too large, or has unknown keywords or broken patterns.
 */
export function compileJsonSchema(schema: Json): (value: Json) => readonly SchemaViolation[] {
  const [problem] = shapeProblems(schema);
  if (problem !== undefined) throw new Error(`Cannot compile JSON Schema: ${problem.message}`);
  const load = { spent: 0 };
  const validate = bareAjv((source) => linearRegExp(source, load)).compile(asSchema(schema));
  const size = expandedSize(schema);
  return (value) => {
    if (size * sizeOf(value, MAX_COST / size) > MAX_COST) {
      return [unknown('cannot be judged: it is too large or nests too deeply for this schema')];
    }
    load.spent = 0;
    try {
      if (validate(value)) return [];
    } catch (error) {
      if (error instanceof CannotTell) return [unknown('cannot be judged: a text is too long for a pattern')];
      throw error;
    }
    return (validate.errors ?? []).slice(0, MAX_VIOLATIONS).map((error) => violationOf(error, value));
  };
}

/** Knows the schema of schemas, which takes longer to compile than most others. Compiles nothing else. */
let metaAjv: ReturnType<typeof newAjv> | undefined;
const metaLoad = { spent: 0 };

/** The faults of a JSON Schema, with paths into it; empty if it can be compiled. At most 20. */
export function jsonSchemaProblems(schema: Json): readonly SchemaViolation[] {
  const problems = [...shapeProblems(schema)];
  if (problems.length === 0) {
    metaAjv ??= newAjv({}, (source) => linearRegExp(source, metaLoad));
    metaLoad.spent = 0;
    if (metaAjv.validateSchema(asSchema(schema)) === true) {
      try {
        // Its patterns have been looked at.
        bareAjv((source) => ({ toString: () => source, test: () => true })).compile(asSchema(schema));
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        problems.push({ path: [], message: error.message, unknown: false });
      }
    } else {
      problems.push(...(metaAjv.errors ?? []).map((error) => violationOf(error, schema)));
    }
  }
  return onePerPath(problems).slice(0, MAX_VIOLATIONS);
}

/** Without the schema of schemas: for values that are known to be schemas. */
function bareAjv(regExp: MakeRegExp) {
  return newAjv({ meta: false, validateSchema: false }, regExp);
}

function newAjv(options: Options, regExp: MakeRegExp) {
  const { Ajv2020 } = require('./ajv-module.ts') as typeof import('./ajv-module.ts');
  const ajv = new Ajv2020({
    ...options,
    allErrors: true,
    // Unknown keywords are found with their place beforehand; the rest of strict mode is advice.
    strict: false,
    ownProperties: true,
    validateFormats: false,
    logger: false,
    code: { regExp: Object.assign(regExp, { code: 'linearRegExp' }) },
  });
  // The built-in one compares each item with each other.
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (wanted: boolean, items: readonly Json[]) =>
      !wanted || new Set(items.map(canonicalJson)).size === items.length,
  });
  return ajv;
}

/** Makes a regular expression as Ajv's code wants it: its `toString` tells it from others. */
type MakeRegExp = (source: string) => { toString: () => string; test: (text: string) => boolean };

/** Under a `not` as elsewhere, a text that cannot be judged must not pass. */
function linearRegExp(source: string, load: { spent: number }): ReturnType<MakeRegExp> {
  const regex = compileRegex(source);
  return {
    toString: () => source,
    test: (text) => {
      load.spent += regex.loadOf(text);
      const truth = load.spent > MAX_PATTERN_LOAD ? 'unknown' : regex.test(text);
      if (truth === 'unknown') throw new CannotTell();
      return truth;
    },
  };
}

/** Counts values until it is clear that there are more than `max`; nesting over 200 levels counts as more. */
function sizeOf(root: Json, max: number): number {
  let size = 0;
  const open: { readonly value: Json; readonly depth: number }[] = [{ value: root, depth: 0 }];
  for (let next = open.pop(); next !== undefined && size <= max; next = open.pop()) {
    const { value, depth } = next;
    if (depth > MAX_VALUE_DEPTH) return Number.POSITIVE_INFINITY;
    size += typeof value === 'string' ? 1 + value.length / 16 : 1;
    if (typeof value !== 'object' || value === null) continue;
    for (const child of Array.isArray(value) ? value : Object.values(value)) {
      open.push({ value: child, depth: depth + 1 });
    }
  }
  return size;
}

function onePerPath(problems: readonly SchemaViolation[]): readonly SchemaViolation[] {
  const byPath = new Map<string, SchemaViolation>();
  for (const problem of problems) {
    const key = JSON.stringify(problem.path);
    if (!byPath.has(key)) byPath.set(key, problem);
  }
  return [...byPath.values()];
}

/** Anything that is no schema has been reported or is reported by the meta-schema. */
function asSchema(schema: Json): AnySchema {
  if (typeof schema === 'boolean') return schema;
  if (isJsonObject(schema)) return schema;
  throw new Error('Cannot compile JSON Schema: it must be an object or a boolean');
}

function unknown(message: string): SchemaViolation {
  return { path: [], message, unknown: true };
}
