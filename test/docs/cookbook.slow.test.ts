import { describe, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCli } from '../cli/test-io.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { codeBlocks, pageText } from './markdown.ts';

const PAGE = 'docs/cookbook.md';
const MAX_RULE_LINES = 15;

/** The files that the page shows, by their names in the first line. */
const FILES = new Map(
  codeBlocks(PAGE).map(({ text }) => [/^# (\S+)\n/.exec(text)?.[1] ?? 'unnamed', text] as const),
);
const POLICIES = [...FILES.keys()].filter((name) => !name.endsWith('.test.yaml'));

describe('docs/cookbook.md', () => {
  test('has a recipe under each heading, and each heading in its list', () => {
    const headings = [...pageText(PAGE).matchAll(/^## (.+)$/gm)].map(([, title = '']) => title);
    const listed = [...pageText(PAGE).matchAll(/^- \[(.+)\]\(#(.+)\)$/gm)];
    expect(listed.map(([, title]) => title ?? '')).toEqual(headings);
    expect(POLICIES).toHaveLength(headings.length);
    expect(FILES.size).toBe(2 * POLICIES.length);
  });

  test.each(POLICIES)('%s is short, has nothing odd, and every part of it is tested', async (name) => {
    const cwd = temporaryFolder();
    const tests = name.replace(/\.yaml$/, '.test.yaml');
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, 'package.json'), '{"scripts": {"build": "tsc", "test": "bun test"}}');
    for (const each of [name, tests]) writeFileSync(join(cwd, each), FILES.get(each) ?? '');
    const lines = (FILES.get(name) ?? '').trimEnd().split('\n');
    expect(lines.filter((line) => !/^(?:#|version:|policies:)/.test(line)).length).toBeLessThanOrEqual(
      MAX_RULE_LINES,
    );
    const run = { cwd, env: { HOME: '/nonexistent' } };
    // Where a test fails, nothing is mutated.
    const mutated = await runCli(['test', '--mutate', '.policy'], run);
    expect(mutated.stdout).toMatch(/mutants?, all noticed/);
    const checked = await runCli(['check', '--json', '.policy'], run);
    const said: readonly { severity: string; message: string }[] = JSON.parse(checked.stdout).diagnostics;
    expect(said.filter(({ severity }) => severity !== 'note').map(({ message }) => message)).toEqual([]);
  });
});
