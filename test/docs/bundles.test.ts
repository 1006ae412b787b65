import { expect, test } from 'bun:test';
import { parsePolicyFile } from '../../src/language/policy/parse/parse.ts';
import { managedSchema } from '../../src/language/policy/schema/managed-schema.ts';
import { codeBlocks, tableRows } from './markdown.ts';
import { code, propertiesOf } from './tables.ts';

const PAGE = 'docs/bundles.md';

test('explains every key of "managed"', () => {
  const keys = Object.keys(propertiesOf(managedSchema()) ?? {}).map(code);
  expect(
    tableRows(PAGE, 'managed')
      .map(([first]) => first ?? '')
      .toSorted(),
  ).toEqual(keys.toSorted());
});

test('shows files that are sound', () => {
  const blocks = codeBlocks(PAGE).filter(({ language }) => language === 'yaml');
  expect(blocks.length).toBeGreaterThan(0);
  for (const { text } of blocks) expect(parsePolicyFile(text, PAGE, 'example').diagnostics).toEqual([]);
});
