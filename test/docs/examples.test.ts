import { describe, expect, test } from 'bun:test';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import { parsePolicyFile } from '../../src/policy/parse.ts';
import { exampleProblems } from '../../src/suite/examples.ts';
import { codeBlocks } from './markdown.ts';

const PAGES = ['docs/policy.md', 'docs/baseline.md'];

/** A policy file, or policies that stand for one. */
function asFile(text: string): string {
  if (!text.startsWith('- id:')) return text;
  const policies = text.replace(/^(?=.)/gm, '  ');
  return `version: 1\nname: example\npolicies:\n${policies}`;
}

function said({ position, message }: Diagnostic): string {
  return `${position.line}: ${message}`;
}

for (const page of PAGES) {
  const blocks = codeBlocks(page).filter(({ language }) => language === 'yaml');

  describe(page, () => {
    test('has examples', () => {
      expect(blocks.length).toBeGreaterThan(0);
    });

    for (const { text } of blocks) {
      const [title = ''] = text.split('\n').filter((line) => /name:|id:/.test(line));
      test(`shows policies that do what they say: ${title.trim()}`, () => {
        const { draft, diagnostics } = parsePolicyFile(asFile(text), page, 'example');
        expect(diagnostics.map(said)).toEqual([]);
        if (draft === undefined) throw new Error('no policies');
        expect(exampleProblems(draft.rules, draft.examples).map(said)).toEqual([]);
      });
    }
  });
}
