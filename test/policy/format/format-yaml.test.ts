import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import fc from 'fast-check';
import { commentsIn } from '../../../src/language/policy/format/comments.ts';
import { formatYaml } from '../../../src/language/policy/format/format-yaml.ts';
import { policyLayout } from '../../../src/language/policy/format/policy-layout.ts';
import { parsePolicyFile } from '../../../src/language/policy/parse/parse.ts';
import { parseYaml } from '../../../src/language/policy/yaml/yaml.ts';
import { isJsonObject } from '../../../src/lib/json.ts';
import { TEST_LAYOUT } from '../../../src/tools/suite/cases/test-layout.ts';
import { expectGolden } from '../../support/golden.ts';
import { looseYaml } from './loose-yaml.ts';

const GOLDEN = join(import.meta.dir, 'golden');
const PACKS = join(import.meta.dir, '../../../policies');
const layoutFor = (file: string) => (file.includes('.test.') ? TEST_LAYOUT : policyLayout());

function formatted(text: string, file = 'a.yaml'): string {
  const result = formatYaml(text, file, layoutFor(file));
  return result.type === 'formatted' ? result.text : `${result.type}: ${JSON.stringify(result)}\n`;
}

/** What a file compiles to, wherever its parts stand. */
function meaning(text: string): unknown {
  const { draft, diagnostics } = parsePolicyFile(text, 'a.yaml', 'a');
  const withoutPlaces = (_key: string, value: unknown) =>
    isJsonObject(value) && 'column' in value
      ? null
      : isJsonObject(value) && !Object.keys(value).every((key) => key === 'arguments')
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value;
  return JSON.parse(
    JSON.stringify({ draft, problems: diagnostics.map(({ message }) => message).sort() }, withoutPlaces),
  );
}

function comments(text: string): readonly string[] {
  return commentsIn(text).map((comment) => comment.text);
}

describe('formatYaml', () => {
  test.each(readdirSync(GOLDEN).filter((name) => /(?<!\.out)\.yaml$/.test(name)))(
    'writes golden/%s in its canonical form',
    (name) => {
      const result = formatted(readFileSync(join(GOLDEN, name), 'utf8'), name);
      expectGolden(import.meta.dir, name.replace('.yaml', '.out.yaml'), result);
      if (!result.startsWith('left')) expect(formatted(result, name)).toBe(result);
    },
  );

  test.each([...new Glob('*/*.yaml').scanSync(PACKS)])('leaves %s of the packs alone', (name) => {
    const text = readFileSync(join(PACKS, name), 'utf8');
    expect(formatted(text, name)).toBe(text);
  });

  test.each([
    ["a: 'plain words'", 'a: plain words'],
    ["a: 'no'", "a: 'no'"],
    ["a: '1'", "a: '1'"],
    ['a: "^git\\\\b"', "a: '^git\\b'"],
    ['a: "it\'s"', 'a: "it\'s"'],
    [`a: 'say "it''s"'`, `a: 'say "it''s"'`],
    ['a: "tab\\t"', 'a: "tab\\t"'],
    ['a: "null"', "a: 'null'"],
    ["a: ''", "a: ''"],
    ["a: 'x: y'", "a: 'x: y'"],
    ["a: 'x #y'", "a: 'x #y'"],
    ['a:    {b:  c,   "d" : [ 1,2 ] }', 'a: {b: c, d: [1, 2]}'],
    ['a: [\n  1,\n  2\n  ]', 'a: [1, 2]'],
    ['a:\n- 1\n-   2', 'a:\n  - 1\n  - 2'],
    ['a:\n\n\n  b: 1\n\n\n\n  c: 2', 'a:\n  b: 1\n\n  c: 2'],
    ['a: # one\n    b: 1 # two\n    # three', 'a: # one\n  b: 1   # two\n  # three'],
    ['a: |+\n   x\n\n\nb: 1', 'a: |+\n  x\n\n\nb: 1'],
    ['a: {}\nb: []\nc:', 'a: {}\nb: []\nc:'],
    ['a: !!str 12', 'a: !!str "12"'],
    ['? a\n: b', 'a: b'],
    [`1: {a: ${'b'.repeat(120)}, c: d}`, `1: {a: ${'b'.repeat(120)}, c: d}`],
    ['a: |2\n    x', 'a: |2\n    x'],
    ['a: "not\\u0435s"', 'a: "not\\u0435s"'],
    [`a: >-\n   ${'long '.repeat(40)}\n   words`, `a: >-\n  ${'long '.repeat(40)}\n  words`],
    [`- {a: ${'long '.repeat(40).trim()}}`, `- {a: ${'long '.repeat(40).trim()}}`],
    [
      `a: &b [${'word, '.repeat(30)}]`,
      `a: &b\n  [\n    ${`${'word, '.repeat(19).trim()}\n    ${'word, '.repeat(11).trim()}`}\n  ]`,
    ],
    [
      `- [${'word, '.repeat(30)}b]`,
      `- [\n    ${'word, '.repeat(19).trim()}\n    ${'word, '.repeat(11)}b,\n  ]`,
    ],
    [`a: ${'long '.repeat(40)}`, `a: ${'long '.repeat(40).trim()}`],
  ])('writes %j as %j', (text, wanted) => {
    expect(formatYaml(`${text}\n`, 'a.yaml', { keysAt: () => undefined, isSpaced: () => false })).toEqual({
      type: 'formatted',
      text: `${wanted}\n`,
    });
  });

  test('says where a file is no YAML', () => {
    expect(formatYaml('a: [', 'a.yaml', policyLayout())).toMatchObject({
      type: 'broken',
      diagnostics: [{ code: 'yaml' }],
    });
  });

  test('keeps the values and comments of any file and changes nothing the second time', () => {
    fc.assert(
      fc.property(looseYaml(), (text) => {
        const result = formatYaml(text, 'a.yaml', policyLayout());
        if (result.type !== 'formatted') throw new Error(JSON.stringify(result));
        const again = formatYaml(result.text, 'a.yaml', policyLayout());
        expect(again).toEqual(result);
        expect([...comments(result.text)].sort()).toEqual([...comments(text)].sort());
        expect(parseYaml(result.text, 'a').document?.value).toEqual(parseYaml(text, 'a').document?.value);
        expect(meaning(result.text)).toEqual(meaning(text));
        expect(result.text).not.toMatch(/[ \t]+\n|\n\n\n|^\n/);
      }),
      { numRuns: 20 },
    );
  });
});
