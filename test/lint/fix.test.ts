import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { HOSTS } from '../../src/hosts/registry.ts';
import { namesIn, patternCovers } from '../../src/language/keys/types/name-pattern.ts';
import { lint } from '../../src/language/lint/lint.ts';
import { withFixes } from '../../src/language/policy/format/with-fixes.ts';
import { parsePolicyFile } from '../../src/language/policy/parse/parse.ts';
import type { Rule } from '../../src/model/policy.ts';
import { program } from '../support/builders.ts';

function rulesIn(text: string): readonly Rule[] {
  const { draft, diagnostics } = parsePolicyFile(text, 'a.yaml', 'a');
  expect(diagnostics).toEqual([]);
  return (draft?.rules ?? []).map(
    ({ judge: _judge, ...rest }): Rule => ({ ...rest, layer: 'named', order: 0, trust: 'active' }),
  );
}

function fixed(text: string): string {
  const found = lint({
    program: program(rulesIn(text)),
    texts: new Map([['a.yaml', text]]),
    isOwn: () => true,
    hosts: HOSTS,
    isTested: () => true,
  });
  return withFixes(
    text,
    found.flatMap(({ fix }) => fix ?? []),
  ).text;
}

const classes = fc.array(fc.constantFrom('shell', 'read', 'write', 'edit'), { minLength: 1, maxLength: 6 });
const prefixes = fc.array(fc.constantFrom('gpt-', 'gpt-4', 'gpt-4o', 'claude-'), {
  minLength: 1,
  maxLength: 5,
});
const names = fc.array(fc.constantFrom('exec', 'mcp_*', 'mcp_a_*', 'mcp_a_b', 'read_file'), {
  minLength: 1,
  maxLength: 5,
});

function written(key: string, items: readonly string[], isBlock: boolean): string {
  return isBlock
    ? `${key}:\n${items.map((item) => `      - ${item}\n`).join('')}`
    : `${key}: [${items.join(',  ')}]\n`;
}

describe('check --fix', () => {
  test('takes out alternatives that change nothing, all of them, and nothing else', () => {
    fc.assert(
      fc.property(classes, prefixes, names, fc.boolean(), fc.boolean(), (tool, prefix, matcher, a, b) => {
        const text = `version: 1\npolicies:\n  - id: x\n    ${written('tool', tool, a)}    ${written('model_prefix', prefix, b)}    tool_matcher: '${matcher.join('|')}'\n    action: deny\n    reason: no # why\n`;
        // Neighbours share a comma, so one round need not be enough.
        let result = text;
        for (let round = 0; round < 6; round++) result = fixed(result);
        const when = rulesIn(result)[0]?.when ?? {};
        expect(when['tool']).toEqual([...new Set(tool)]);
        const kept = [...new Set(prefix)].filter(
          (each) => !prefix.some((other) => other !== each && each.startsWith(other)),
        );
        expect(when['model_prefix']).toEqual(kept);
        const left = namesIn(String(when['tool_matcher']));
        expect(left).toEqual([...new Set(left)]);
        for (const name of matcher) expect(left.some((other) => patternCovers(other, name))).toBe(true);
        expect(result).toEndWith('    action: deny\n    reason: no # why\n');
        expect(fixed(result)).toBe(result);
      }),
      { numRuns: 20 },
    );
  });

  test('leaves an item alone that a comment stands beside', () => {
    const text =
      'version: 1\npolicies:\n  - id: x\n    tool:\n      - read\n      - read # again\n    action: deny\n    reason: no\n';
    expect(fixed(text)).toBe(text);
  });
});
