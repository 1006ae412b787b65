import { MAX_SCHEMA_ERRORS, type SchemaError } from './schema-errors.ts';

/** The errors of a value by the schema of policy files, the first of them if there are too many. */
export function validatePolicyFile(value: unknown): readonly SchemaError[] {
  // Only files that changed since the last run are validated.
  const { validate } =
    require('../../generated/policy-validator.js') as typeof import('../../generated/policy-validator.js');
  return validate(value) ? [] : (validate.errors ?? []).slice(0, MAX_SCHEMA_ERRORS);
}
