import { expect, test } from 'bun:test';
import { HOSTS } from '../../src/hosts/registry.ts';
import { withoutIgnored } from '../../src/lint/ignores.ts';
import { lint } from '../../src/lint/lint.ts';
import type { Rule } from '../../src/model/policy.ts';
import { parsePolicyFile } from '../../src/policy/parse.ts';
import { program } from '../support/builders.ts';
import { withinProcessorTime } from '../support/processor-time.ts';

const KEYS: readonly ((n: number) => string)[] = [
  (n) => `command: {run: program${n}, flags: {any: [-f, --force]}}`,
  (n) => `arguments: {command: '\\bprogram${n}\\s'}`,
  (n) => `path: {match: ['**/folder${n}/**', '*.x${n}'], uses: [write, delete]}`,
  (n) => `any: [{command: {subcommand: [git, sub${n}]}}, {tool: write, arguments: {path: 'file${n}'}}]`,
];

test('lint looks at 1,000 policies in about a second', () => {
  const policies = Array.from(
    { length: 1_000 },
    (_, n) =>
      `  - {id: p${n}, ${KEYS[n % KEYS.length]?.(n)}, action: deny, reason: no} # policy-ignore no-test: x\n`,
  );
  const text = `version: 1\npolicies:\n${policies.join('')}`;
  const { draft } = parsePolicyFile(text, 'a.yaml', 'a');
  const rules = (draft?.rules ?? []).map(
    ({ judge: _judge, ...rest }, order): Rule => ({
      ...rest,
      layer: 'named',
      order,
      trust: 'active',
    }),
  );
  expect(rules).toHaveLength(1_000);
  const texts = new Map([['a.yaml', text]]);
  // Far more than it takes, and far less than comparing all with all.
  const { found, left } = withinProcessorTime(5_000, () => {
    const found = lint({
      program: program(rules),
      texts,
      isOwn: () => true,
      hosts: HOSTS,
      isTested: () => false,
    });
    return { found, left: withoutIgnored(found, texts, true) };
  });
  expect(found).toHaveLength(1_000);
  expect(left).toEqual([]);
});
