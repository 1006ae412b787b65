import { expect, test } from 'bun:test';
import { chmodSync, copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BINARY } from '../../support/binary.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writeFiles } from '../../support/write-files.ts';
import { CONFIGURATIONS, environmentOf, homeWith as homeIn, policy, type Tree, treeOf } from './program.ts';

const SETTINGS = '.gemini/settings.json';

const homeWith = (files?: Tree) => homeIn(temporaryFolder(), files);

function textOf(home: string, path = SETTINGS): string {
  return readFileSync(join(home, path), 'utf8');
}

test('policy install puts options of the hook into its line, and keeps them when it runs again', () => {
  const home = homeWith();
  const hosts = ['gemini', 'jcli', 'picoclaw', 'claude', 'cline', 'opencode', 'kiro'].flatMap((name) => [
    '--host',
    name,
  ]);
  const given = ['--log-input', '--interactive', '--log-days', '7'];
  expect(policy(home, ['install', '--yes', ...hosts, ...given])).toMatchObject({ exitCode: 0, stderr: '' });
  const before = treeOf(home);
  const paths = [
    SETTINGS,
    '.jdata/agent/hooks/policy/HOOK.yaml',
    '.picoclaw/config.json',
    '.claude/settings.json',
    '.cline/hooks/PreToolUse.sh',
    '.config/opencode/plugins/policy.js',
    '.kiro/hooks/policy.json',
  ];
  for (const path of paths)
    for (const option of given)
      expect([path, option, textOf(home, path).includes(option)]).toEqual([path, option, true]);
  expect(policy(home, ['doctor', ...hosts]).exitCode).toBe(0);
  const again = policy(home, ['install', '--yes', ...hosts]);
  expect([again.exitCode, again.stderr, again.stdout.match(/already runs this hook/g)?.length]).toEqual([
    0,
    '',
    7,
  ]);
  expect(treeOf(home)).toEqual(before);
  // One that is given anew takes the place of the old one; others stay.
  expect(policy(home, ['install', '--yes', ...hosts, '--log-days', '9']).exitCode).toBe(0);
  for (const path of paths) {
    expect(textOf(home, path)).toMatch(/--log-days[\s",]+9/);
    expect(textOf(home, path)).not.toMatch(/--log-days[\s",]+7/);
    expect(textOf(home, path)).toContain('--log-input');
  }
}, 60_000);

test('an option that a person has written by hand survives an install, one that is wrong is refused', () => {
  const home = homeWith();
  expect(policy(home, ['install', '--yes', '--host', 'gemini']).exitCode).toBe(0);
  writeFiles(home, {
    [SETTINGS]: textOf(home).replaceAll('--host gemini', '--host gemini --policies builtin:baseline'),
  });
  expect(policy(home, ['install', '--yes', '--host', 'gemini', '--log-input']).exitCode).toBe(0);
  expect(textOf(home)).toContain('--host gemini --policies builtin:baseline --log-input');
  const { exitCode, stderr } = policy(home, ['install', '--yes', '--host', 'gemini', '--log-days', 'x']);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('Cannot use --log-days "x"')]);
});

test.each([
  ['broken', '{"hooks": ['],
  ['too deep', '['.repeat(200_000)],
  ['too deep in a key', `{"a": ${'{"a":'.repeat(100_000)}`],
  ['no text', '\u0000\uFFFE'],
])(
  'settings of one agent that are %s stop neither the others nor the uninstall',
  (_what, text) => {
    const home = homeWith({ ...CONFIGURATIONS, '.claude/settings.json': text });
    const startMs = performance.now();
    const hosts = ['gemini', 'claude', 'jcli'].flatMap((name) => ['--host', name]);
    const installed = policy(home, ['install', '--yes', ...hosts]);
    expect(installed.exitCode).toBe(1);
    expect(installed.stderr).toContain(`Cannot use "${home}/.claude/settings.json": it `);
    for (const path of [SETTINGS, '.jdata/agent/hooks/policy/HOOK.yaml'])
      expect(textOf(home, path)).toContain('hook --host');
    expect(textOf(home, '.claude/settings.json')).toBe(text);
    const { exitCode, stdout } = policy(home, ['doctor', ...hosts]);
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('settings.json')]);
    const removed = policy(home, ['uninstall', '--yes']);
    expect([removed.exitCode, removed.stderr]).toEqual([1, expect.stringContaining('.claude/settings.json')]);
    expect(textOf(home)).not.toContain('hook --host');
    expect(performance.now() - startMs).toBeLessThan(30_000);
  },
  60_000,
);

test('settings that are read-only stop no other agent', () => {
  const home = homeWith({ ...CONFIGURATIONS, '.claude/settings.json': '{}' });
  chmodSync(join(home, '.claude/settings.json'), 0o444);
  const { exitCode, stderr } = policy(home, ['install', '--yes', '--host', 'gemini', '--host', 'claude']);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('it is read-only')]);
  expect(textOf(home)).toContain('hook --host gemini');
});

test.each(["l'été à 张三"])(
  'a program in a folder called %s guards',
  (name) => {
    const home = homeWith();
    const program = join(home, name, 'bin/policy');
    mkdirSync(join(home, name, 'bin'), { recursive: true });
    copyFileSync(BINARY, program);
    const hosts = ['gemini', 'jcli', 'picoclaw', 'claude', 'cline', 'opencode', 'kiro'].flatMap((host) => [
      '--host',
      host,
    ]);
    const run = (...args: readonly string[]) => {
      const { exitCode, stdout, stderr } = Bun.spawnSync([program, ...args], {
        cwd: home,
        env: environmentOf(home),
        stdin: 'ignore',
      });
      return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
    };
    const before = treeOf(home);
    expect(run('install', '--yes', ...hosts)).toMatchObject({ exitCode: 0, stderr: '' });
    // The line itself, as an agent's shell starts it.
    const { hooks } = JSON.parse(textOf(home, '.claude/settings.json'));
    const input = JSON.stringify({
      hook_event_name: 'PreToolUse',
      session_id: 's',
      transcript_path: '',
      cwd: home,
      effort: {},
      tool_name: 'Bash',
      tool_input: { command: 'rm -rf ~' },
    });
    const { exitCode, stderr } = Bun.spawnSync(['sh', '-c', hooks.PreToolUse[0].hooks[0].command], {
      cwd: home,
      env: environmentOf(home),
      stdin: Buffer.from(input),
    });
    expect([exitCode, stderr.toString()]).toEqual([2, expect.not.stringContaining('has failed')]);
    const { stdout, exitCode: found } = run('doctor', ...hosts);
    expect([found, stdout]).toEqual([0, expect.stringContaining('No findings')]);
    expect(run('install', '--yes', ...hosts).stdout.match(/already runs this hook/g)?.length).toBe(7);
    expect(run('uninstall', '--yes')).toMatchObject({ exitCode: 0 });
    expect(treeOf(home)).toEqual(before);
  },
  60_000,
);

test("Droid's hooks in its settings survive a file of hooks beside them", () => {
  const mine = { PreToolUse: [{ matcher: 'Edit', hooks: [{ type: 'command', command: '/opt/mine' }] }] };
  const home = homeWith({ '.factory/settings.json': `// mine\n${JSON.stringify({ hooks: mine })}` });
  const before = treeOf(home);
  expect(policy(home, ['install', '--yes', '--host', 'droid']).exitCode).toBe(0);
  const installed = JSON.parse(textOf(home, '.factory/hooks.json'));
  expect(installed.PreToolUse).toHaveLength(2);
  expect(installed.PreToolUse[0]).toEqual(mine.PreToolUse[0]);
  expect(policy(home, ['doctor', '--host', 'droid'])).toMatchObject({
    exitCode: 0,
    stdout: expect.not.stringContaining('does not read'),
  });
  writeFiles(home, { '.factory/settings.json': JSON.stringify({ hooks: { Stop: mine.PreToolUse } }) });
  expect(policy(home, ['doctor', '--host', 'droid']).stdout).toContain('does not read beside');
  writeFiles(home, { '.factory/settings.json': `// mine\n${JSON.stringify({ hooks: mine })}` });
  expect(policy(home, ['uninstall', '--yes', '--host', 'droid']).exitCode).toBe(0);
  expect(treeOf(home)).toEqual(before);
});
