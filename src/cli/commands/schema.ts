import { policySchema } from '../../policy/schema.ts';
import type { Command } from '../command.ts';
import { EXIT_CODE } from '../exit-code.ts';
import { printJson } from '../print.ts';
import { UsageError } from '../usage-error.ts';

export const schema = {
  operands: '[policy]',
  options: [],
  details: ['Editors with a YAML language server complete and check policy files by it.'],
  example: [
    '$ policy schema > .policy/policy.schema.json',
    '$ head -1 .policy/git.yaml',
    '# yaml-language-server: $schema=./policy.schema.json',
  ],
  async run({ operands }, io) {
    const [what = 'policy', ...others] = operands;
    const unknown = what === 'policy' ? others[0] : what;
    if (unknown !== undefined)
      throw new UsageError(`Cannot print the schema of "${unknown}": give "policy" or nothing`);
    printJson(io.stdout, policySchema());
    return EXIT_CODE.ok;
  },
} satisfies Command;
