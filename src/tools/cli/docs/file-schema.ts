import type { JsonObject } from '../../../lib/json.ts';
import { testSchema } from '../../suite/cases/case-keys.ts';
import { UsageError } from '../io.ts';
import { editorSchema } from './editor-schema.ts';

const SCHEMAS: Readonly<Record<string, () => JsonObject>> = { policy: editorSchema, test: testSchema };

/** `policy docs schema [policy|test]`: the keys of files of this kind, for editors. */
export function fileSchema(operands: readonly string[]): JsonObject {
  const [what = 'policy', ...others] = operands;
  if (others.length > 0) throw new UsageError(`Cannot print "${others[0]}" as well: give policy or test`);
  const schemaOf = Object.hasOwn(SCHEMAS, what) ? SCHEMAS[what] : undefined;
  if (schemaOf === undefined)
    throw new UsageError(`Cannot print the schema of "${what}": give policy or test`);
  return schemaOf();
}
