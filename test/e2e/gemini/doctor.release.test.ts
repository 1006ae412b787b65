import { expect, test } from 'bun:test';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BINARY } from '../../support/binary.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { environmentOf, treeOf } from '../install/program.ts';
import { BUNDLE } from './cli.ts';

const SETTINGS = '.gemini/settings.json';

/** What the doctor says with the real Gemini CLI on the path, after a change of what was installed. */
async function played(change: (settings: string) => string) {
  const home = temporaryFolder({
    [SETTINGS]: '{"mcpServers": {"x": {"command": "touch", "args": ["started"]}}}',
    'path/gemini': `#!/bin/sh\nGEMINI_CLI_NO_RELAUNCH=true exec node '${BUNDLE}' "$@"\n`,
  });
  mkdirSync(join(home, 'project'));
  chmodSync(join(home, 'path/gemini'), 0o755);
  const env = { ...environmentOf(home), PATH: `${join(home, 'path')}:${process.env['PATH']}` };
  const policy = async (...args: readonly string[]) => {
    const child = Bun.spawn([BINARY, ...args, '--host', 'gemini'], {
      cwd: join(home, 'project'),
      env,
      stdin: 'ignore',
      stdout: 'pipe',
    });
    return { stdout: await new Response(child.stdout).text(), exitCode: await child.exited };
  };
  expect((await policy('install', '--yes')).exitCode).toBe(0);
  const installed = readFileSync(join(home, SETTINGS), 'utf8');
  writeFileSync(join(home, SETTINGS), change(installed));
  const before = treeOf(home);
  const result = await policy('doctor', '--play', '--json');
  expect(treeOf(home)).toEqual(before);
  const { hosts } = JSON.parse(result.stdout);
  return {
    exitCode: result.exitCode,
    messages: hosts[0].findings.map(({ message }: { message: string }) => message),
  };
}

test('doctor --play lets the real Gemini CLI refuse and pass, and changes nothing of it', async () => {
  expect(await played((text) => text)).toEqual({ exitCode: 0, messages: [] });
}, 120_000);

test('doctor --play finds that the real Gemini CLI asks nobody before a call', async () => {
  const { exitCode, messages } = await played((text) => text.replace('"BeforeTool"', '"BeforeAgent"'));
  expect([exitCode, messages]).toEqual([
    1,
    expect.arrayContaining(['Gemini CLI itself lets an agent write a policy']),
  ]);
}, 120_000);
