import { describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CompletionItem } from 'vscode-languageserver';
import { BINARY } from '../../support/binary.ts';
import { projects } from './project.ts';

const { projectWith, editorIn } = projects();

/** An odd number, so that every other question is asked at even places. */
const STEP = 7;

const FILE = `version: 1
extends: [base.yaml]
policies:
  - id: scripts
    # what may run
    command: {subcommand: [[npm, pnpm], run], args: {first: {one_of: {file: names.json, at: a}}}}
    any:
      - path: {match: ['*.pem', "a\\nb"], set: [secrets]}
      - arguments: {command: >-
          folded
          text}
    action: modify
    rewrite: {replace: [{at: command, regex: '^npm ', with: 'pnpm '}]}
    reason: |
      Two
      lines
    examples: {hit: [{command: npm run x}]}
  - &a {id: b, tool: [shell, read], action: deny}
  - *a
`;

describe('half a file', () => {
  test('at every seventh character: findings are those of policy check, and everything that is asked is answered', async () => {
    const folder = projectWith({
      '.policy/house.yaml': '',
      '.policy/base.yaml': 'version: 1\n',
      'names.json': '{"a": []}',
    });
    const path = join(folder, '.policy/house.yaml');
    const editor = await editorIn(folder);
    await editor.open(path, '');
    for (let length = 0; length <= FILE.length; length += STEP) {
      const text = FILE.slice(0, length);
      const [left, right] = [text, FILE.slice(length + 40)];
      // What follows may be there already, as where somebody types in the middle.
      await editor.at('textDocument/completion', path, `${left}|${length % 2 === 0 ? right : ''}`);
      if (length % 2 === 0) await editor.at('textDocument/hover', path, `${text}|`);
      else
        await editor.request('textDocument/formatting', path, {
          options: { tabSize: 2, insertSpaces: true },
        });
      if (length % (20 * STEP) !== 0) continue;
      await Promise.all([
        editor.at('textDocument/definition', path, `${text}|`),
        editor.request('textDocument/codeLens', path),
        editor.request('textDocument/codeAction', path, {
          range: { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } },
          context: { diagnostics: [] },
        }),
      ]);
      writeFileSync(path, text);
      const checked = Bun.spawnSync([BINARY, 'check', '--json'], { cwd: folder, env: { HOME: folder } });
      const expected = JSON.parse(checked.stdout.toString()).diagnostics as readonly {
        code: string;
        file: string;
      }[];
      const own = expected.filter(({ file }) => file === '.policy/house.yaml').map(({ code }) => code);
      await editor.change(path, text);
      const found = await editor.findings(path);
      expect([length, found.map(({ code }) => String(code)).sort()]).toEqual([length, own.sort()]);
    }
  }, 120_000);
});

describe('very many policies', () => {
  const files = (folder: string, count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, file) => [
        `${folder}/f${String(file).padStart(2, '0')}.yaml`,
        `version: 1\npolicies:\n${Array.from({ length: 100 }, (_, id) => `  - {id: p${id}, command: {run: tool-${file}-${id}, flags: {any: --force}}, action: deny, reason: Not here}\n`).join('')}`,
      ]),
    );

  test('are too many for a project: said where loading stopped and in files that were left out', async () => {
    const folder = projectWith(files('.policy', 100));
    const checked = Bun.spawnSync([BINARY, 'check', '--json'], { cwd: folder, env: { HOME: folder } });
    const [expected, ...others] = JSON.parse(checked.stdout.toString()).diagnostics;
    expect([expected.code, others]).toEqual(['limit', []]);
    const text = readFileSync(join(folder, '.policy/f99.yaml'), 'utf8');
    const editor = await editorIn(folder);
    const path = join(folder, '.policy/f99.yaml');
    await editor.open(path, text);
    expect(await editor.findings(path)).toMatchObject([{ code: 'limit', range: { start: { line: 0 } } }]);
    expect(await editor.until(join(folder, expected.file), (found) => found.length > 0)).toMatchObject([
      { code: 'limit' },
    ]);
  });

  test('of a user are checked, and words are there meanwhile', async () => {
    const folder = projectWith(files('.config/policy', 8));
    const path = join(folder, '.config/policy/f00.yaml');
    const text = readFileSync(path, 'utf8');
    const editor = await editorIn(folder);
    await editor.open(path, text);
    expect(await editor.findings(path)).toHaveLength(100);
    const items = await editor.at<readonly CompletionItem[]>(
      'textDocument/completion',
      path,
      `${text}  - {id: new, |`,
    );
    expect(items.map(({ label }) => label)).toContain('command');
  }, 120_000);
});
