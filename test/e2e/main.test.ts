import { describe, expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { gemini } from '../../src/hosts/gemini/gemini.ts';
import { STARTER_TEXTS } from '../../src/tools/generated/starter-texts.ts';
import { BINARY } from '../support/binary.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeFiles } from '../support/write-files.ts';
import { callText } from './hook/messages.ts';

/** Runs the program as a process of its own. */
async function runMain(args: readonly string[], stdin: string, files: Readonly<Record<string, string>> = {}) {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, '.policy'));
  writeFiles(join(cwd, '.policy'), files);
  const child = Bun.spawn([BINARY, ...args], {
    cwd,
    stdin: Buffer.from(stdin),
    stdout: 'pipe',
    stderr: 'pipe',
    env: { HOME: cwd, PATH: process.env['PATH'] ?? '' },
  });
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { stdout, stderr, exitCode };
}

const FILES = { 'first.yaml': STARTER_TEXTS['first']?.policy ?? '' };

describe('the program', () => {
  test('ends with the exit code of its command', async () => {
    expect((await runMain(['--version'], '')).exitCode).toBe(0);
    expect((await runMain(['nonsense'], '')).exitCode).toBe(2);
    expect((await runMain(['check'], '', { 'a.yaml': 'version: 2' })).exitCode).toBe(3);
  });

  test('writes data to stdout and messages to stderr', async () => {
    const { stdout, stderr } = await runMain(['docs', 'schema', 'nonsense'], '');
    expect(stdout).toBe('');
    expect(stderr).toStartWith('policy docs: Cannot print the schema of "nonsense"');
    expect((await runMain(['docs', 'schema'], '')).stderr).toBe('');
  });

  test('shows no colours where nobody looks', async () => {
    expect((await runMain(['docs', 'hosts', 'gemini'], '')).stdout).not.toContain('\u001b');
  });

  test('does not mind a reader that leaves early', async () => {
    const child = Bun.spawnSync(['sh', '-c', '"$0" docs schema | head -c 1', BINARY]);
    expect(child.stderr.toString()).toBe('');
    expect(child.stdout.toString()).toBe('{');
  });

  test('ends with 0 when the reader has left', () => {
    const script = '{ "$0" docs schema; echo $? >&2; } | head -c 1';
    const child = Bun.spawnSync(['sh', '-c', script, BINARY]);
    expect(child.stderr.toString()).toBe('0\n');
  });

  test.each([
    ['policy docs', 'docs'],
    ['policy', '--version'],
    ['policy', '--help'],
    ['policy report', 'report'],
  ])('says in the name of %s that its data cannot be written', (program, argument) => {
    const script = 'exec "$0" "$1" > /dev/full';
    const child = Bun.spawnSync(['sh', '-c', script, BINARY, argument], {
      env: { HOME: temporaryFolder(), PATH: process.env['PATH'] ?? '' },
    });
    expect(child.stderr.toString()).toBe(`${program}: Cannot write to standard output: it takes no more\n`);
    expect(child.exitCode).toBe(4);
  });
});

describe('policy hook', () => {
  test('judges by the policies that are named', async () => {
    const args = ['hook', '--host', 'gemini', '--policies', '.policy'];
    const refused = await runMain(args, callText(gemini, 'git push origin main', '/tmp'), FILES);
    expect(JSON.parse(refused.stdout)).toMatchObject({ decision: 'deny' });
    expect(refused.stdout).toContain('Refused by first/main-by-pull-request: changes reach the main branch');
    const passed = await runMain(args, callText(gemini, 'git status', '/tmp'), FILES);
    expect(passed.exitCode).toBe(0);
    expect(passed.stdout).not.toContain('deny');
  });

  test('shows its help to who asks for it', async () => {
    const { stdout, exitCode } = await runMain(['hook', '--help'], '');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('policy hook [--host NAME]');
  });
});
