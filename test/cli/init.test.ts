import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { init, STARTERS } from '../../src/tools/cli/commands/init.ts';
import { STARTER_TEXTS } from '../../src/tools/generated/starter-texts.ts';
import { codeBlocks } from '../docs/markdown.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runCli, stable } from './test-io.ts';

async function initIn(cwd: string, ...args: readonly string[]) {
  return runCli(['init', ...args], {
    cwd,
    env: { HOME: join(cwd, 'home'), XDG_STATE_HOME: join(cwd, 'state') },
  });
}

describe('policy init', () => {
  test('prints what its help shows', async () => {
    const { exitCode, stdout } = await initIn(temporaryFolder());
    expect(exitCode).toBe(0);
    const shown = stable(`$ policy init\n${stdout}`);
    expect(shown).toBe(stable(`${init.example.join('\n')}\n`));
    expect(codeBlocks('docs/tutorial.md').map(({ text }) => stable(text))).toContain(shown);
  });

  test.each(Object.keys(STARTER_TEXTS))(
    'writes policies of %s that are sound, tested, and seen next to the packs',
    async (name) => {
      const cwd = temporaryFolder();
      const { exitCode, stdout } = await initIn(cwd, ...(name === 'first' ? [] : ['--for', name]));
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(new RegExp(`reads:\\n  Refused by ${name}/.*Instead: `));
      const env = { HOME: cwd, XDG_STATE_HOME: join(cwd, 'state') };
      expect((await runCli(['check', '.policy'], { cwd, env })).stdout).toStartWith('No problems in ');
      expect((await runCli(['test', '--mutate'], { cwd, env })).stdout).toMatch(/^\d+ mutants, all noticed/);
      expect((await runCli(['fmt', '--check'], { cwd, env })).exitCode).toBe(0);
    },
  );

  test('takes what fits the files that are there', async () => {
    const cwd = temporaryFolder();
    for (const name of ['package.json', 'main.tf', 'uv.lock']) writeFileSync(join(cwd, name), '');
    expect((await initIn(cwd)).exitCode).toBe(0);
    const expected = [
      'npm.test.yaml',
      'npm.yaml',
      'policy.schema.json',
      'terraform.test.yaml',
      'terraform.yaml',
    ];
    expect(readdirSync(join(cwd, '.policy')).sort()).toEqual(expected);
  });

  test('writes the schema that the first lines of its policies name', async () => {
    const cwd = temporaryFolder();
    for (const name of ['package.json', 'main.tf']) writeFileSync(join(cwd, name), '');
    await initIn(cwd);
    for (const name of ['npm.yaml', 'terraform.yaml']) {
      const text = readFileSync(join(cwd, '.policy', name), 'utf8');
      const [, path = ''] = /^# yaml-language-server: \$schema=(\S+)$/m.exec(text) ?? [];
      const schema = JSON.parse(readFileSync(join(cwd, '.policy', path), 'utf8'));
      const { stdout } = await runCli(['docs', 'schema'], { cwd });
      expect(schema).toEqual(JSON.parse(stdout));
    }
  });

  test('has a text for each kind, and no other', () => {
    expect(Object.keys(STARTER_TEXTS).sort()).toEqual(['first', ...STARTERS.map(({ name }) => name)].sort());
  });

  test('overwrites nothing', async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, '.policy'));
    const mine =
      'version: 1\npolicies: [{id: main-by-pull-request, command: git, action: deny, reason: no}]\n';
    writeFileSync(join(cwd, '.policy', 'first.yaml'), mine);
    const { exitCode, stdout } = await initIn(cwd);
    expect(stdout).toStartWith(
      'Left .policy/first.yaml as it is: it is there already\nWrote .policy/first.test.yaml\n',
    );
    expect(readFileSync(join(cwd, '.policy', 'first.yaml'), 'utf8')).toBe(mine);
    // The test is about other policies.
    expect(exitCode).toBe(1);
  });

  test('refuses kinds that there are not, and writes nothing then', async () => {
    const cwd = temporaryFolder();
    const { exitCode, stderr } = await initIn(cwd, '--for', 'cobol');
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining('give one of npm, python, terraform, k8s'),
    ]);
    expect(existsSync(join(cwd, '.policy'))).toBe(false);
  });

  test('says why it cannot write', async () => {
    const cwd = temporaryFolder({ '.policy': '' });
    const { exitCode, stderr } = await initIn(cwd);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Cannot write');
  });
});
