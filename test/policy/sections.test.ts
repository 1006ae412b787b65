import { describe, expect, test } from 'bun:test';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SECTIONS } from '../../src/language/policy/schema/sections.ts';
import { runCli } from '../cli/test-io.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A section that a file may hold alone, badly formatted. */
const ALONE: Readonly<Record<string, string>> = {
  extends: 'extends:   [builtin:secrets]\n',
  disable: 'disable:   [builtin:secrets]\n',
  settings: 'settings:   {team/hosts: [a.example]}\n',
  defaults: 'defaults:   {mode: monitor}\n',
  managed: 'managed:   {bundle: a.tar}\n',
  judges: 'judges:   {small: {provider: anthropic}}\n',
  programs: 'programs:   {mytool: {operands: [read]}}\n',
  facts: 'facts:   {seen: {tool: read}}\n',
  policies: 'policies:   [{id: a, command: ls, action: continue}]\n',
  exceptions: 'exceptions:   []\n',
  tools: 'tools:   []\n',
};

describe('sections of a policy file', () => {
  const alone = SECTIONS.filter((section) => 'alone' in section).map(({ key }) => key);

  test.each(alone)('policy fmt finds a file in a folder that holds %s alone', async (key) => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, '.policy'));
    writeFileSync(join(cwd, '.policy/a.yaml'), `version: 1\n${ALONE[key]}`);
    const { stdout, exitCode } = await runCli(['fmt', '--check', '.policy'], { cwd, env: {} });
    expect(stdout).toContain('1 file not formatted');
    expect(exitCode).toBe(1);
  });

  test('policy fmt puts every section in its place', async () => {
    const cwd = temporaryFolder();
    const file = join(cwd, 'a.yaml');
    const keys = SECTIONS.map(({ key }) => key);
    writeFileSync(
      file,
      keys
        .toReversed()
        .map((key) => `${key}: x\n`)
        .join(''),
    );
    await runCli(['fmt', file], { cwd, env: {} });
    const written = readFileSync(file, 'utf8').matchAll(/^(\w+):/gm);
    expect([...written].map(([, key]) => key ?? '')).toEqual(keys);
  });
});
