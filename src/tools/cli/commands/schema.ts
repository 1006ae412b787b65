import { editorSchema } from '../../../language/policy/editor-schema.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { testSchema } from '../../suite/case-keys.ts';
import type { Command } from '../command.ts';
import { EXIT_CODE } from '../exit-code.ts';
import { printJson } from '../print.ts';
import { UsageError } from '../usage-error.ts';

const SCHEMAS: Readonly<Record<string, () => JsonObject>> = { policy: editorSchema, test: testSchema };

export const schema = {
  operands: '[policy|test]',
  options: [],
  details: [
    'Prints the schema of policy files, or with "test" that of test files. Editors with a YAML language server use it to\ncomplete and check files.',
  ],
  example: [
    '$ policy schema > .policy/policy.schema.json',
    '$ head -1 .policy/git.yaml',
    '# yaml-language-server: $schema=./policy.schema.json',
  ],
  async run({ operands }, io) {
    const [what = 'policy', ...others] = operands;
    if (others.length > 0) throw new UsageError(`Cannot print "${others[0]}" as well: give policy or test`);
    const schemaOf = Object.hasOwn(SCHEMAS, what) ? SCHEMAS[what] : undefined;
    if (schemaOf === undefined)
      throw new UsageError(`Cannot print the schema of "${what}": give policy or test`);
    printJson(io.stdout, schemaOf());
    return EXIT_CODE.ok;
  },
} satisfies Command;
