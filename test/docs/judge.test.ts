import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsePolicyFile } from '../../src/language/policy/parse/parse.ts';
import {
  ENDPOINT_SETTINGS,
  JUDGE_SETTINGS,
  TRUSTED_SETTINGS,
} from '../../src/language/policy/schema/judge-schema.ts';
import { readLabelledLines } from '../../src/tools/suite/judge-eval/labelled-calls.ts';

const DOC = readFileSync(join(import.meta.dir, '../../docs/judge.md'), 'utf8');
const BLOCKS = [...DOC.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
  language,
  text,
}));

describe('docs/judge.md', () => {
  const files = BLOCKS.filter(({ language }) => language === 'yaml').map(({ text }): [string, string] => [
    /^# (\S+)\n/.exec(text)?.[1] ?? 'unnamed',
    text,
  ]);

  test.each(files)('shows a sound file %s', (name, text) => {
    const { draft, diagnostics } = parsePolicyFile(text, name, name.replace('.yaml', ''));
    expect(diagnostics).toEqual([]);
    expect((draft?.rules.length ?? 0) + (draft?.judges?.length ?? 0)).toBeGreaterThan(0);
  });

  test('shows labelled calls that can be read', () => {
    const lines = BLOCKS.filter(({ language }) => language === 'json').map(({ text }) => text);
    expect(lines).toHaveLength(1);
    expect(readLabelledLines(lines.join('')).ok).toBe(true);
  });

  test('lists every setting, and whose files have a say in it', () => {
    const table = DOC.slice(DOC.indexOf('<!-- settings -->'), DOC.indexOf('<!-- /settings -->'));
    const rows = [...table.matchAll(/^\| `(\w+)` \|.*\| (\w+) \|$/gm)].map(([, key, whose]) => [key, whose]);
    const isYours = (key: string) =>
      Object.hasOwn(ENDPOINT_SETTINGS, key) || Object.hasOwn(TRUSTED_SETTINGS, key);
    expect(rows).toEqual(Object.keys(JUDGE_SETTINGS).map((key) => [key, isYours(key) ? 'yours' : 'any']));
  });
});
