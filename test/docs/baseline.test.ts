import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsePolicyFile } from '../../src/language/policy/parse/parse.ts';
import { ownString } from '../../src/lib/json.ts';
import { expectMarkedText, tableRows } from './markdown.ts';

const PAGE = 'docs/baseline.md';
const TEXT = readFileSync(join(import.meta.dir, '../../policies/baseline/policy.yaml'), 'utf8');
const RULES = parsePolicyFile(TEXT, 'baseline', 'baseline').draft?.rules ?? [];
const IDS = RULES.map(({ id }) => id.replace('baseline/', ''));

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

describe('docs/baseline.md', () => {
  test('lists every policy with what it guards and what to do instead', () => {
    const descriptions = [...TEXT.matchAll(/^ {2}- id: (\S+)\n {4}description: (.+)$/gm)].map(
      ([, id = '', description = '']) => [id, description],
    );
    expect(descriptions.map(([id]) => id)).toEqual(IDS);
    const rows = descriptions.map(([id = '', description = ''], index) => {
      const instead = ownString(RULES[index]?.params ?? {}, 'instead') ?? '';
      return `| \`${id}\` | ${cell(description)} | ${cell(instead)} |`;
    });
    expectMarkedText(
      PAGE,
      'policies',
      ['| policy | guards | instead |', '|---|---|---|', ...rows].join('\n'),
    );
  });

  test('has every policy in one family', () => {
    const listed = tableRows(PAGE, 'families').flatMap(([, ids = '']) =>
      [...ids.matchAll(/`([^`]+)`/g)].map(([, id]) => id),
    );
    expect(listed).toEqual(IDS);
  });
});
