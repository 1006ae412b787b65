import { beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Files } from '../../../src/hosts/installation.ts';
import { hostNamed } from '../../../src/hosts/registry.ts';
import { FILES } from '../../../src/tools/cli/install/machine.ts';
import { BINARY } from '../../support/binary.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';
import { writeFiles } from '../../support/write-files.ts';
import { environmentOf, policy } from './program.ts';

const CLAUDE = '.claude/settings.json';
const home = sharedFolder();
const project = join(home, 'project');

beforeAll(() => {
  writeFiles(project, { '.git/HEAD': '' });
  const hosts = AGENTS.flatMap((name) => ['--host', name]);
  expect(policy(home, ['install', '--yes', ...hosts])).toMatchObject({ exitCode: 0, stderr: '' });
});

/** Files below the home, as they are meanwhile: texts, or changes of what is there. */
type Meanwhile = Readonly<Record<string, string | ((text: string) => string)>>;

/** The codes of an agent's findings in the project, with these files. */
async function codesWith(host: string, files: Meanwhile) {
  return meanwhile(files, async () => (await codesOnMachine(host)).codes);
}

/** What is found while these files are there. */
async function meanwhile<T>(files: Meanwhile, find: () => T | Promise<T>): Promise<T> {
  const before = Object.keys(files).map((path) => [path, FILES.text(join(home, path))] as const);
  try {
    for (const [path, text] of Object.entries(files)) {
      const old = FILES.text(join(home, path)) ?? '';
      const now = typeof text === 'string' ? text : text(old);
      expect(now).not.toBe(old);
      writeFiles(home, { [path]: now });
    }
    return await find();
  } finally {
    for (const [path, text] of before) {
      if (text === undefined) rmSync(join(home, path));
      else writeFileSync(join(home, path), text);
    }
  }
}

/** What the doctor itself says of all agents at once. */
function doctor(env: Readonly<Record<string, string>> = {}): {
  readonly exitCode: number;
  readonly codes: Readonly<Record<string, readonly string[]>>;
} {
  const { stdout, exitCode } = Bun.spawnSync(
    [BINARY, 'doctor', '--json', ...AGENTS.flatMap((name) => ['--host', name])],
    { cwd: project, env: { ...environmentOf(home), ...env }, stdin: 'ignore' },
  );
  const hosts: readonly { host: string; findings: readonly { code: string; severity: string }[] }[] =
    JSON.parse(stdout.toString()).hosts;
  const faults = hosts.map(({ host, findings }) => [
    host,
    findings.filter(({ severity }) => severity === 'finding').map(({ code }) => code),
  ]);
  return { exitCode, codes: Object.fromEntries(faults) };
}

/** Puts a key beside the type of each hook. */
const beside = (key: string) => (text: string) => text.replaceAll('"type"', `${key}, "type"`);

/** What an agent lacks after an install whatever is done: Codex CLI and Hermes Agent want a person to trust the hook. */
const USUAL: Readonly<Record<string, readonly string[]>> = {
  codex: ['untrusted-hook'],
  hermes: ['untrusted-hook'],
};

const OFF: readonly (readonly [string, Meanwhile, string])[] = [
  [
    'claude',
    { '.claude/settings.json': (text) => text.replace('{', '{"disableAllHooks": true,') },
    'hooks-off',
  ],
  ['claude', { 'project/.claude/settings.json': '{"disableAllHooks": true}' }, 'hooks-off'],
  ['claude', { 'project/.claude/settings.local.json': '{"disableAllHooks": true}' }, 'hooks-off'],
  ['claude', { 'project/.claude/settings.json': '{"env": {"CLAUDE_CODE_SIMPLE": "1"}}' }, 'hooks-off'],
  ['claude', { [CLAUDE]: beside('"async": true') }, 'loose'],
  ['claude', { [CLAUDE]: beside('"asyncRewake": true') }, 'loose'],
  ['claude', { [CLAUDE]: beside('"if": "Bash(git *)"') }, 'loose'],
  ['claude', { [CLAUDE]: beside('"once": true') }, 'loose'],
  ['codex', { '.codex/config.toml': '[features]\nhooks = false\n' }, 'hooks-off'],
  ['codex', { '.codex/config.toml': '[features]\n"hooks" = false # off\n' }, 'hooks-off'],
  ['codex', { '.codex/config.toml': '[features]\ncodex_hooks = false\n' }, 'hooks-off'],
  ['codex', { '.codex/config.toml': 'features.hooks = false\n' }, 'hooks-off'],
  ['codex', { '.codex/config.toml': 'features = { web = true, hooks = false }\n' }, 'hooks-off'],
  ['codex', { 'project/.codex/config.toml': '[features]\nhooks = false\n' }, 'hooks-off'],
  [
    'codex',
    { '.codex/config.toml': 'profile = "fast"\n', '.codex/fast.config.toml': 'features.hooks = false\n' },
    'hooks-off',
  ],
  ['codex', { '.codex/hooks.json': (text) => text.replace('{', '{"note": "mine",') }, 'unknown-key'],
  ['copilot', { '.copilot/settings.json': '{"disableAllHooks": true}' }, 'hooks-off'],
  ['copilot', { '.copilot/config.json': '// mine\n{"disableAllHooks": true,}' }, 'hooks-off'],
  ['copilot', { 'project/.github/copilot/settings.json': '{"disableAllHooks": true}' }, 'hooks-off'],
  ['droid', { '.factory/settings.json': '{"hooksDisabled": true}' }, 'hooks-off'],
  ['droid', { 'project/.factory/settings.json': '{"hooksDisabled": true}' }, 'hooks-off'],
  ['droid', { '.factory/hooks.json': beside('"commandRegex": "^git"') }, 'loose'],
  ['goose', { '.config/goose/settings.json': '{"disabledPlugins": ["policy"]}' }, 'hook-disabled'],
  ['goose', { 'project/.config/goose/settings.json': '{"disabledPlugins": ["policy"]}' }, 'hook-disabled'],
  [
    'kiro',
    { '.kiro/hooks/policy.json': (text) => text.replaceAll('"enabled": true', '"enabled": "false"') },
    'hooks-off',
  ],
  [
    'devin',
    { '.config/devin/config.json': (text) => text.replace('"hooks": [', '"matcher": "exec", "hooks": [') },
    'matcher',
  ],
  [
    'hermes',
    { '.hermes/config.yaml': (text) => text.replace('- command', '- matcher: terminal\n      command') },
    'matcher',
  ],
  ['kimi', { '.kimi-code/config.toml': (text) => `${text}fail_mode = "closed"\n` }, 'unknown-key'],
  [
    'kimi',
    { '.kimi-code/config.toml': (text) => `${text}\n[[hooks]]\nevent = "PreTool"\ncommand = 'true'\n` },
    'unknown-key',
  ],
  ['kimi', { '.kimi-code/config.toml': (text) => `${text}matcher = "Bash"\n` }, 'matcher'],
  [
    'crush',
    { '.config/crush/crush.json': (text) => text.replace('"command"', '"matcher": "bash", "command"') },
    'matcher',
  ],
  ['grok', { '.grok/disabled-hooks': 'global/policy:pre_tool_use[0].hooks[0]\n' }, 'hooks-off'],
  ['grok', { '.grok/requirements.toml': 'allow_managed_hooks_only = true\n' }, 'hooks-off'],
  ['grok', { '.grok/managed_config.toml': 'allowManagedHooksOnly = "x"\n' }, 'hooks-off'],
  ['qwen', { 'project/.qwen/settings.json': '{"disableAllHooks": true}' }, 'hooks-off'],
  ['gemini', { 'project/.gemini/settings.json': '{"hooksConfig": {"enabled": false}}' }, 'hooks-off'],
];

const ON: readonly (readonly [string, Meanwhile])[] = [
  ['claude', { 'project/.claude/settings.json': '{"disableAllHooks": false}' }],
  ['claude', { [CLAUDE]: beside('"async": false') }],
  ['claude', { 'project/.claude/agents/a.md': '---\nname: a\nhooks:\n  Stop: []\n---\ntext\n' }],
  ['codex', { '.codex/config.toml': '[features]\nhooks = true\nweb = false\n[other]\nhooks = false\n' }],
  ['codex', { '.codex/config.toml': '# features.hooks = false\nmodel = "x"\n' }],
  ['codex', { '.codex/fast.config.toml': 'features.hooks = false\n' }],
  ['copilot', { '.copilot/settings.json': '{"theme": "dark", "disableAllHooks": false}' }],
  ['droid', { '.factory/settings.json': '{"hooksDisabled": false, "model": "x"}' }],
  ['goose', { '.config/goose/settings.json': '{"disabledPlugins": ["other"]}' }],
  [
    'kimi',
    { '.kimi-code/config.toml': (text) => `${text}\n[[hooks]]\nevent = "Interrupt"\ncommand = 'x'\n` },
  ],
  ['kimi', { '.kimi-code/config.toml': (text) => `default_model = "m"\n${text}[other]\nfail_mode = "x"\n` }],
  [
    'grok',
    {
      '.grok/disabled-hooks': 'global/mine:stop[0].hooks[0]\n',
      '.grok/requirements.toml': 'allow_managed_hooks_only = false\n',
    },
  ],
  ['opencode', { 'project/opencode.json': '{"model": "x"}' }],
];

const AGENTS = [...new Set([...OFF, ...ON].map(([host]) => host)), 'cline'];

describe('policy doctor finds what switches hooks off, with exit code 1', () => {
  test.each(
    OFF.map(
      ([host, files, code], index) =>
        [`${host} ${Object.keys(files)} ${code} ${index}`, host, files, code] as const,
    ),
  )('%s', async (_title, host, files, code) => {
    expect(await codesWith(host, files)).toContain(code);
    expect((await codesOnMachine(host)).codes).toEqual([...(USUAL[host] ?? [])]);
  });

  test('of all agents at once', async () => {
    const first = AGENTS.flatMap((name) => OFF.filter(([host]) => host === name).slice(0, 1));
    const files = Object.assign({}, ...first.map(([, each]) => each)) as Meanwhile;
    const found = await meanwhile(files, doctor);
    expect(found.exitCode).toBe(1);
    for (const [host, , code] of first)
      expect([host, found.codes[host]]).toEqual([host, expect.arrayContaining([code])]);
    const usual = AGENTS.map((name) => [name, USUAL[name] ?? []]);
    expect(doctor().codes).toEqual(Object.fromEntries(usual));
  });

  test('and what switches nothing off is none', async () => {
    for (const [host, files] of ON)
      expect([host, files, await codesWith(host, files)]).toEqual([host, files, [...(USUAL[host] ?? [])]]);
  });

  test('a variable of the adapter, and a script that may not be started', async () => {
    const off = AGENTS.map((name) => [name, hostNamed(name)?.guards.escapes?.off ?? []] as const);
    // The next variable of each agent at a time.
    for (let at = 0; off.some(([, variables]) => at < variables.length); at++) {
      const set = off.flatMap(([name, variables]) =>
        variables.slice(at, at + 1).map((each) => [name, each] as const),
      );
      const { codes } = doctor(Object.fromEntries(set.map(([, variable]) => [variable, '1'])));
      for (const [name, variable] of set)
        expect([variable, codes[name]]).toEqual([variable, [...(USUAL[name] ?? []), 'hooks-off']]);
    }
    const script = join(home, '.cline/hooks/PreToolUse.sh');
    chmodSync(script, 0o600);
    expect((await codesOnMachine('cline')).codes).toEqual(['hooks-off']);
    chmodSync(script, 0o700);
    expect((await codesOnMachine('cline')).codes).toEqual([]);
  });
});

/** The codes of faults with files of the machine, which only root may write. */
async function codesOnMachine(
  host: string,
  machineFiles: Readonly<Record<string, string>> = {},
  homeFiles: Readonly<Record<string, string>> = {},
) {
  const all = {
    ...machineFiles,
    ...Object.fromEntries(Object.entries(homeFiles).map(([path, text]) => [join(home, path), text])),
  };
  const files: Files = {
    ...FILES,
    text: (path) => all[path] ?? (path.startsWith('/etc/') ? undefined : FILES.text(path)),
    names: (path) => {
      const added = Object.keys(all)
        .filter((each) => each.startsWith(`${path}/`))
        .map((each) => each.slice(path.length + 1));
      return added.length > 0 ? added : path.startsWith('/etc/') ? [] : FILES.names(path);
    },
  };
  const installation = await hostNamed(host)?.installation();
  const { hooks = [], findings = [] } = installation?.inspect({ env: {}, home, project }, files) ?? {};
  return {
    hooks: hooks.length,
    codes: findings.filter(({ severity }) => severity === 'finding').map(({ code }) => code),
  };
}

describe("an administrator's settings come before all others", () => {
  const MANAGED = '/etc/claude-code/managed-settings.json';
  const DROP_IN = '/etc/claude-code/managed-settings.d/50-hooks.json';
  const claudeHooks = () => readFileSync(join(home, '.claude/settings.json'), 'utf8');

  test('of Claude Code', async () => {
    const codes = async (files: Readonly<Record<string, string>>, homeFiles = {}) =>
      (await codesOnMachine('claude', files, homeFiles)).codes;
    expect(await codes({})).toEqual([]);
    for (const path of [MANAGED, DROP_IN]) {
      expect(await codes({ [path]: '{"allowManagedHooksOnly": true}' })).toEqual(['hooks-off']);
      expect(await codes({ [path]: '{"strictPluginOnlyCustomization": true}' })).toEqual(['hooks-off']);
      expect(await codes({ [path]: '{"strictPluginOnlyCustomization": ["hooks"]}' })).toEqual(['hooks-off']);
      expect(await codes({ [path]: '{"strictPluginOnlyCustomization": ["skills"]}' })).toEqual([]);
      expect(await codes({ [path]: '{"disableAllHooks": true}' })).toEqual(['hooks-off']);
      const off = { '.claude/settings.json': '{"disableAllHooks": true}' };
      expect(await codesOnMachine('claude', { [path]: claudeHooks() }, off)).toEqual({ hooks: 1, codes: [] });
      expect(await codes({ [path]: claudeHooks().replace('{', '{"allowManagedHooksOnly": true,') })).toEqual(
        [],
      );
      expect(await codes({ [path]: claudeHooks().replace('{', '{"disableAllHooks": true,') })).toEqual([
        'hooks-off',
      ]);
    }
    expect(
      await codes({ [MANAGED]: '{"disableAllHooks": true}', [DROP_IN]: '{"disableAllHooks": false}' }),
    ).toEqual([]);
  });

  test('of Codex CLI', async () => {
    const REQUIREMENTS = '/etc/codex/requirements.toml';
    const codes = async (text: string, homeFiles = {}) => {
      const found = await codesOnMachine('codex', { [REQUIREMENTS]: text }, homeFiles);
      return found.codes.filter((code) => code !== 'untrusted-hook');
    };
    expect(await codes('')).toEqual([]);
    expect(await codes('allow_managed_hooks_only = true\n')).toEqual(['hooks-off']);
    expect(await codes('[features]\nhooks = false\n')).toEqual(['hooks-off']);
    expect(await codes('features.codex_hooks = false\n')).toEqual(['hooks-off']);
    const off = { '.codex/config.toml': '[features]\nhooks = false\n' };
    expect(await codes('[features]\nhooks = true\n', off)).toEqual([]);
    const { hooks } = JSON.parse(readFileSync(join(home, '.codex/hooks.json'), 'utf8'));
    const command = JSON.stringify(hooks.PreToolUse[0].hooks[0].command);
    const inline = ['PreToolUse', 'PostToolUse']
      .map(
        (event) =>
          `[[hooks.${event}]]\nmatcher = ".*"\n[[hooks.${event}.hooks]]\ntype = "command"\ntimeout = 60\ncommand = ${command}\n`,
      )
      .join('');
    expect(
      await codesOnMachine(
        'codex',
        { [REQUIREMENTS]: `allow_managed_hooks_only = true\n${inline}` },
        { '.codex/hooks.json': '{}' },
      ),
    ).toEqual({ hooks: 1, codes: [] });
    expect(
      await codesOnMachine('codex', {}, { '.codex/hooks.json': '{}', '.codex/config.toml': inline }),
    ).toMatchObject({ hooks: 1 });
  });
});
