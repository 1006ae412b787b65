import {
  type SchemaDiagnostic,
  schemaDiagnostics,
} from '../../../language/policy/schema/schema-diagnostics.ts';
import { MAX_SCHEMA_ERRORS } from '../../../language/policy/schema/schema-errors.ts';
import type { YamlDocument, YamlPath } from '../../../language/policy/yaml/yaml.ts';
import { isJsonObject, type Json } from '../../../lib/json.ts';
import { atPath } from '../../../lib/json-path.ts';
import { stepsSchema, testSchema } from './case-keys.ts';

/** The schemas with the keys that somebody could have meant. */
const SCHEMAS = { file: testSchema, steps: stepsSchema, cell: testSchema } as const;

/** The places in which a test file, or a file of steps, breaks its schema, in its author's words. */
export function shapeProblems(
  document: YamlDocument,
  what: keyof typeof SCHEMAS,
): readonly SchemaDiagnostic[] {
  const validate = (
    require('../../generated/test-validator.js') as typeof import('../../generated/test-validator.js')
  )[what];
  if (validate(document.value)) return [];
  return schemaDiagnostics((validate.errors ?? []).slice(0, MAX_SCHEMA_ERRORS), document, SCHEMAS[what]);
}

/** The places in which the expectation in a cell of a matrix breaks the schema of a case. */
export function cellProblems(
  document: YamlDocument,
  expect: Json,
  path: YamlPath,
): readonly SchemaDiagnostic[] {
  const cases = atPath(document.value, ['cases']);
  const index = path[1];
  const withCell = (Array.isArray(cases) ? cases : []).map((each: Json, at) =>
    at === index && isJsonObject(each) ? { ...each, expect } : null,
  );
  const positionOf: YamlDocument['positionOf'] = (at, part) =>
    document.positionOf([...path, ...at.slice(3)], part);
  return shapeProblems({ ...document, value: { cases: withCell }, positionOf }, 'cell');
}
