import { expect, test } from 'bun:test';
import { HOSTS } from '../../src/hosts/registry.ts';
import { withoutIgnored } from '../../src/lint/ignores.ts';
import { lint } from '../../src/lint/lint.ts';
import type { Rule } from '../../src/model/policy.ts';
import { parsePolicyFile } from '../../src/policy/parse.ts';
import { program } from '../support/builders.ts';

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
  const startMs = performance.now();
  const found = lint({
    program: program(rules),
    texts,
    isOwn: () => true,
    hosts: HOSTS,
    isTested: () => false,
  });
  const left = withoutIgnored(found, texts, true);
  const tookMs = performance.now() - startMs;
  expect(found).toHaveLength(1_000);
  expect(left).toEqual([]);
  // Far more than it takes, so that a busy machine does not fail it, and far less than comparing all with all.
  expect(tookMs).toBeLessThan(5_000);
});
