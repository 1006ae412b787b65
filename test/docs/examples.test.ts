import { describe, expect, test } from 'bun:test';
import { exampleProblems } from '../../src/language/calls/examples.ts';
import type { FileDraft } from '../../src/language/policy/parse/file-draft.ts';
import { parsePolicyFile } from '../../src/language/policy/parse/parse.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import type { ProgramRows } from '../../src/model/policy.ts';
import { codeBlocks } from './markdown.ts';

/** The reference of the language loads its files as a whole: `policy.test.ts`. */
const PAGES = ['docs/baseline.md', 'docs/programs.md', 'docs/tutorial.md', 'docs/not-matching.md'];

/** A policy file, or policies that stand for one. */
function asFile(text: string): string {
  if (!text.startsWith('- id:')) return text;
  const policies = text.replace(/^(?=.)/gm, '  ');
  return `version: 1\nname: example\npolicies:\n${policies}`;
}

/** What the file says of programs, as a set of it alone has it. */
function rowsText({ programs }: FileDraft): ProgramRows | undefined {
  const lines = programs?.rows.map(({ name, row }) => `\n${name}\t${JSON.stringify(row)}`) ?? [];
  return lines.length === 0 ? undefined : { own: `${lines.join('')}\n`, added: '' };
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
        expect(exampleProblems(draft.rules, draft.examples, rowsText(draft)).map(said)).toEqual([]);
      });
    }
  });
}
