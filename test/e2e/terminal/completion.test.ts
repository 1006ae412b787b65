import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOSTS } from '../../../src/hosts/registry.ts';
import { commandWords } from '../../../src/tools/cli/completion/words.ts';
import { COMMANDS } from '../../../src/tools/cli/table.ts';
import { runCli } from '../../cli/test-io.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const NAMES = COMMANDS.map(({ name }) => name);

/** A folder with the script and two files. */
async function folderWith(shell: string): Promise<string> {
  const folder = temporaryFolder();
  const { exitCode, stdout } = await runCli(['completion', shell]);
  expect(exitCode).toBe(0);
  writeFileSync(join(folder, `script.${shell}`), stdout);
  for (const name of ['one file.yaml', 'other.yaml']) writeFileSync(join(folder, name), '');
  return folder;
}

/** What a real bash offers for the last of these words. */
async function offered(...words: readonly string[]): Promise<readonly string[]> {
  const cwd = await folderWith('bash');
  const ask = `source ./script.bash
    complete -p policy > /dev/null || exit 9
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _policy
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { exitCode, stdout, stderr } = Bun.spawnSync(
    ['bash', '--norc', '-c', ask, 'bash', 'policy', ...words],
    { cwd },
  );
  expect([exitCode, stderr.toString()]).toEqual([0, '']);
  return stdout.toString().trim().split('\n').filter(Boolean);
}

test('bash completes commands, options, hosts and files', async () => {
  expect(await offered('')).toEqual([...NAMES, '--help', '--version']);
  expect(await offered('un')).toEqual(['uninstall']);
  expect(await offered('install', '--host', '')).toEqual(HOSTS.map(({ name }) => name));
  expect(await offered('install', '--host', 'g')).toEqual(['gemini', 'goose', 'grok']);
  expect(await offered('check', 'o')).toEqual(expect.arrayContaining(['one file.yaml', 'other.yaml']));
  expect(await offered('explain', '--policies', 'one')).toEqual(['one file.yaml']);
  expect(await offered('init', '--for', 'p')).toEqual(['python']);
  expect(await offered('docs', 'te')).toEqual(['testing']);
  expect(await offered('docs', 'builtin:m')).toEqual(['builtin:model-guard']);
  expect(await offered('unknown', '--')).toEqual([]);
});

test('bash completes the words that operands begin with, as the help shows them, and files behind them', async () => {
  expect(await offered('bundle', '')).toEqual(['keygen', 'build', 'verify', 'inspect', 'push', 'pull']);
  expect(await offered('bundle', 'verify', 'one')).toEqual(['one file.yaml']);
  expect(await offered('allow', '')).toEqual(['list', 'revoke']);
  expect(await offered('judge', 'c')).toEqual(['cache']);
  expect(await offered('diff', '--calls', '')).toEqual(['tests', 'log', 'sessions']);
  expect(await offered('log', '')).toEqual(['verify']);
  expect(await offered('explain', 'one')).toEqual(['one file.yaml']);
  expect(await offered('check', '--format', 'sa')).toEqual(['sarif']);
  expect(await offered('export', '--only', '')).toEqual(['logs', 'metrics']);
});

test('bash completes every option of every command', async () => {
  for (const { name, options } of await commandWords())
    expect(await offered(name, '--')).toEqual(options.map((option) => `--${option.name}`));
}, 60_000);

test.if(Bun.which('fish') !== null)('fish completes commands, options and hosts', async () => {
  const cwd = await folderWith('fish');
  const asked = (line: string) => {
    const { stdout, stderr } = Bun.spawnSync(
      ['fish', '--no-config', '-c', 'source script.fish; complete -C "$argv"', line],
      { cwd, env: { PATH: process.env['PATH'] ?? '', HOME: cwd } },
    );
    expect(stderr.toString()).toBe('');
    return stdout
      .toString()
      .trim()
      .split('\n')
      .map((each) => each.split('\t')[0]);
  };
  expect(asked('policy ').sort()).toEqual(NAMES.toSorted());
  expect(asked('policy install --dry')).toEqual(['--dry-run']);
  expect(asked('policy install --host ').sort()).toEqual(HOSTS.map(({ name }) => name).toSorted());
  expect(asked('policy check ot')).toEqual(['other.yaml']);
  expect(asked('policy docs te')).toEqual(['testing']);
  expect(asked('policy docs builtin:m')).toEqual(['builtin:model-guard']);
  expect(asked('policy bundle v')).toEqual(['verify']);
  expect(asked('policy bundle verify ot')).toEqual(['other.yaml']);
});

test.if(Bun.which('zsh') !== null)(
  'zsh completes commands, options and hosts',
  async () => {
    const cwd = await folderWith('zsh');
    const setup =
      'autoload -U compinit; compinit -u -D; source script.zsh; policy() { print "ran:$*:" }; print ready\n';
    writeFileSync(join(cwd, 'setup.zsh'), setup);
    const typed = async (line: string) => {
      let said = '';
      const child = Bun.spawn(['zsh', '-f', '-i'], {
        cwd,
        env: { PATH: process.env['PATH'] ?? '', HOME: cwd, TERM: 'dumb', PS1: '> ' },
        terminal: {
          cols: 200,
          rows: 30,
          data(_terminal, data) {
            said += data.toString();
          },
        },
      });
      const says = async (text: string) => {
        for (let tries = 0; !said.includes(text) && tries < 400; tries++) await Bun.sleep(25);
      };
      child.terminal?.write('source setup.zsh\n');
      await says('ready');
      child.terminal?.write(`${line}\t\n`);
      await says('ran:');
      child.terminal?.write('exit\n');
      await child.exited;
      return /ran:(.*?):/.exec(said)?.[1]?.trim();
    };
    expect(await typed('policy uninst')).toBe('uninstall');
    expect(await typed('policy install --dry')).toBe('install --dry-run');
    expect(await typed('policy install --host gem')).toBe('install --host gemini');
    expect(await typed('policy check oth')).toBe('check other.yaml');
    expect(await typed('policy docs testi')).toBe('docs testing');
    expect(await typed('policy bundle ver')).toBe('bundle verify');
    expect(await typed('policy bundle verify oth')).toBe('bundle verify other.yaml');
  },
  60_000,
);

test.if(Bun.which('shellcheck') !== null)('shellcheck finds nothing in the script for bash', async () => {
  const cwd = await folderWith('bash');
  const { stdout } = Bun.spawnSync(['shellcheck', '--shell=bash', 'script.bash'], { cwd });
  expect(stdout.toString()).toBe('');
});

test('a shell that is not known is refused', async () => {
  const { exitCode, stderr } = await runCli(['completion', 'tcsh']);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('give one of bash, zsh, fish')]);
});
