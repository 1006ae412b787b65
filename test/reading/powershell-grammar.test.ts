import { beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Language, type Node, Parser } from 'web-tree-sitter';
import { parsePowerShell } from '../../src/reader/powershell/parse.ts';
import type { PipelineStage } from '../../src/reader/powershell/syntax.ts';
import { powershellScript } from './oracles/powershell-scripts.ts';
import { Random } from './oracles/random.ts';

const CORPUS = readFileSync(new URL('oracles/powershell-corpus.txt', import.meta.url), 'utf8');
const ENTRIES = CORPUS.split(/^=== /m)
  .slice(1)
  .map((entry): [name: string, count: number, input: string] => {
    const [, count, name = '', input = ''] = /^(\d+) (.+)\n([\s\S]*)$/.exec(entry) ?? [];
    return [name, Number(count), input];
  });

/** The commands that a script is parsed to, by the text of their names. */
function commandsIn(text: string): { readonly names: readonly string[]; readonly error: string | undefined } {
  const { block, error } = parsePowerShell(text);
  const names: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { words = [], redirections } = node as Partial<PipelineStage>;
    const [head] = words;
    if (redirections !== undefined && head !== undefined) names.push(text.slice(head.start, head.end));
    for (const part of Object.values(node)) visit(part);
  };
  visit(block);
  return { names: names.sort(), error: error?.message };
}

test.each(ENTRIES)('finds the commands of %s', (_name, count, input) => {
  const { names, error } = commandsIn(input);
  expect({ count: names.length, error }).toEqual({ count, error: undefined });
});

describe('where a grammar of others reads a script', () => {
  let parser: Parser;
  beforeAll(async () => {
    await Parser.init();
    parser = new Parser();
    const path = createRequire(import.meta.url).resolve('tree-sitter-pwsh/tree-sitter-powershell.wasm');
    parser.setLanguage(await Language.load(path));
  });

  function commandsByGrammar(text: string): readonly string[] | undefined {
    const tree = parser.parse(text);
    if (tree === null || tree.rootNode.hasError) return undefined;
    const names: string[] = [];
    const visit = (node: Node): void => {
      const name = node.type === 'command' ? node.childForFieldName('command_name') : null;
      if (name !== null) names.push(name.text);
      for (const child of node.namedChildren) if (child !== null) visit(child);
    };
    visit(tree.rootNode);
    tree.delete();
    return names.sort();
  }

  test('ours finds the same commands', () => {
    const seed = Math.floor(Math.random() * 1_000_000);
    let compared = 0;
    for (let round = 0; round < 300; round++) {
      const text = powershellScript(new Random(seed, round));
      // The script is valid, whether the grammar can read it or not.
      const ours = commandsIn(text);
      expect({ text, error: ours.error }).toEqual({ text, error: undefined });
      const names = commandsByGrammar(text);
      if (names === undefined) continue;
      compared++;
      expect({ text, ...ours }).toEqual({ text, names, error: undefined });
    }
    // It reads most of them.
    expect(compared).toBeGreaterThan(100);
  });
});
