import { expect, test } from 'bun:test';
import { HOSTS } from '../../src/hosts/registry.ts';
import { withoutIgnored } from '../../src/language/lint/ignores.ts';
import { lint } from '../../src/language/lint/lint.ts';
import { parsePolicyFile } from '../../src/language/policy/parse/parse.ts';
import type { Rule } from '../../src/model/policy.ts';
import { program } from '../support/builders.ts';
import { withinProcessorTime } from '../support/processor-time.ts';

const MANY = Array.from({ length: 5_000 }, (_, index) => `{command: {run: a${index}}}, `).join('');
const KEYS: readonly ((n: number) => string)[] = [
  (n) => `command: {run: program${n}, flags: {any: [-f, --force]}}`,
  (n) => `arguments: {command: '\\bprogram${n}\\s'}`,
  (n) => `path: {match: ['**/folder${n}/**', '*.x${n}'], uses: [write, delete]}`,
  (n) =>
    `any: [${n === 3 ? MANY : ''}{command: {subcommand: [git, sub${n}]}}, {tool: write, arguments: {path: 'file${n}'}}]`,
];

test('lint does not compare all policies with all others', () => {
  const policies = Array.from(
    { length: 400 },
    (_, n) =>
      `  - {id: p${n}, ${KEYS[n % KEYS.length]?.(n)}, action: deny, reason: no} # policy-ignore no-test: x\n`,
  );
  const text = `version: 1\npolicies:\n${policies.join('')}`;
  const { draft } = parsePolicyFile(text, 'a.yaml', 'a');
  const rules = (draft?.rules ?? []).map(
    ({ judge: _judge, ...rest }, order): Rule => ({ ...rest, layer: 'named', order, trust: 'active' }),
  );
  const texts = new Map([['a.yaml', text]]);
  // Far more than it takes, and far less than comparing all with all.
  const { found, left } = withinProcessorTime(7_000, () => {
    const found = lint({
      program: program(rules),
      texts,
      isOwn: () => true,
      hosts: HOSTS,
      isTested: () => false,
    });
    return { found, left: withoutIgnored(found, texts, true) };
  });
  expect(found).toHaveLength(400);
  expect(left).toEqual([]);
});
