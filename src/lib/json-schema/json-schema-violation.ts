import type { ErrorObject } from 'ajv/dist/2020.js';
import { isJsonObject, type Json, own } from '../json.ts';

/** One way in which a value breaks a schema, or in which a schema is wrong. */
export interface SchemaViolation {
  /** Keys and indexes that lead to the culprit. */
  readonly path: readonly (string | number)[];
  /** In plain words, naming the field: `"city" is missing`. */
  readonly message: string;
  /** True if it was unknown whether the value fits, because it is too large for this schema. */
  readonly unknown: boolean;
}

/** Puts an error that Ajv found in a value into plain words. */
export function violationOf(error: ErrorObject, value: Json): SchemaViolation {
  const path = pathOf(error.instancePath, value);
  const culprit = culpritOf(error);
  if (culprit !== undefined)
    return { path: [...path, culprit.key], message: culprit.message, unknown: false };
  const field = path.at(-1);
  const subject = field === undefined ? '' : `${typeof field === 'number' ? `item ${field}` : `"${field}"`} `;
  return { path, message: `${subject}${demandOf(error)}`, unknown: false };
}

/** For an error that is reported for an object but concerns one of its keys. */
function culpritOf(error: ErrorObject): { readonly key: string; readonly message: string } | undefined {
  const params: Record<string, unknown> = error.params;
  const key = params['missingProperty'] ?? params['additionalProperty'] ?? params['unevaluatedProperty'];
  if (typeof key !== 'string') return undefined;
  const isMissing = params['missingProperty'] !== undefined;
  return { key, message: isMissing ? `"${key}" is missing` : `"${key}" is not a field that is known here` };
}

function demandOf(error: ErrorObject): string {
  const params: Record<string, unknown> = error.params;
  switch (error.keyword) {
    case 'type':
      return `must be ${listOf(params['type'])}`;
    case 'enum':
      return `must be one of ${JSON.stringify(params['allowedValues']).slice(1, -1).replaceAll(',', ', ')}`;
    case 'const':
      return `must be ${JSON.stringify(params['allowedValue'])}`;
    case 'false schema':
      return 'is not allowed';
    case 'uniqueItems':
      return 'must not hold the same item twice';
    default:
      return (error.message ?? 'does not fit').replaceAll('NOT', 'not');
  }
}

function listOf(types: unknown): string {
  return Array.isArray(types) ? types.join(' or ') : String(types).replaceAll(',', ' or ');
}

/** A JSON pointer as keys and indexes; the value says which is which. */
function pathOf(pointer: string, value: Json): readonly (string | number)[] {
  let here: Json | undefined = value;
  return pointer
    .split('/')
    .slice(1)
    .map((part) => {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
      if (Array.isArray(here)) {
        here = here[Number(key)];
        return Number(key);
      }
      here = isJsonObject(here) ? own(here, key) : undefined;
      return key;
    });
}
