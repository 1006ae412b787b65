import { describe, expect, test } from 'bun:test';
import { machineSurroundings } from '../../src/hook/surroundings.ts';
import { ConfigurationProblem } from '../../src/hosts/configuration-problem.ts';
import { HOSTS } from '../../src/hosts/registry.ts';
import { createFacts } from '../../src/language/engine/facts.ts';
import type { JsonObject } from '../../src/lib/json.ts';
import { NO_MEMORY } from '../../src/model/memory.ts';
import { readOwnLine } from '../../src/tools/cli/install/own-line.ts';
import { ask, factsOf } from '../matchers/support.ts';

const START = { program: 'C:\\Tools\\policy.exe', home: 'C:/Users/me', version: undefined };
const MACHINE = { env: {}, home: 'C:/Users/me', project: 'C:/work/proj' };
/** Those that run lines in the bash of Git, or in no shell, or are not known to run any on Windows. */
const OTHERS = ['claude', 'jcli', 'picoclaw', 'cline', 'mcp'];

describe('a hook on Windows', () => {
  for (const host of HOSTS.filter(({ name }) => !OTHERS.includes(name)))
    test(`of ${host.title} has a line that PowerShell and bash take alike`, () => {
      const { command } = host.hookConfiguration(START);
      expect(command).toBe(`C:/Tools/policy.exe hook --host ${host.name}`);
      const line = readOwnLine(['sh', '-c', String(command)], host);
      expect(line).toMatchObject({ program: 'C:/Tools/policy.exe', isWritten: true, isClean: false });
      expect(() => host.hookConfiguration({ ...START, program: 'C:\\Program Files\\policy.exe' })).toThrow(
        ConfigurationProblem,
      );
    });

  test('of Claude Code and jcli has a line for the bash of Git', () => {
    for (const host of HOSTS.filter(({ name }) => name === 'claude' || name === 'jcli')) {
      const { command } = host.hookConfiguration({ ...START, program: 'C:\\Program Files\\policy.exe' });
      expect(String(command)).toStartWith('/usr/bin/env -i HOME="$HOME"');
      expect(String(command)).toContain(`"C:/Program Files/policy.exe" hook --host ${host.name}`);
      expect(readOwnLine(['sh', '-c', String(command)], host)?.isWritten).toBe(true);
    }
  });

  test('of PicoClaw is a program and its words', () => {
    const picoclaw = HOSTS.find(({ name }) => name === 'picoclaw');
    expect(picoclaw?.hookConfiguration(START)['command']).toEqual([
      ...['C:\\Tools\\policy.exe', 'hook', '--host', 'picoclaw'],
      ...['--workspace', 'C:/Users/me/.picoclaw/workspace'],
    ]);
  });

  test('of Cline is refused, as nobody knows how it would start', () => {
    const cline = HOSTS.find(({ name }) => name === 'cline');
    expect(() => cline?.hookConfiguration(START)).toThrow('Cannot install for Cline on Windows');
  });

  test('lies in the home directory or the project', async () => {
    for (const host of HOSTS) {
      const installation = await host.installation?.();
      for (const scope of ['user', 'project'] as const)
        for (const path of installation?.places(scope, MACHINE) ?? [])
          expect([host.name, path]).toEqual([
            host.name,
            expect.stringMatching(/^C:\/(?:Users\/me|work\/proj)\//),
          ]);
    }
  });
});

test.each([
  'C:\\Users\\me\\.claude\\settings.json',
  'C:\\Users\\ME\\.Claude\\SETTINGS.json',
  'C:\\Program Files\\ClaudeCode\\managed-settings.json',
  'C:\\ProgramData\\gemini-cli\\settings.json',
  'C:\\ProgramData\\qwen-code\\settings.json',
  'C:\\ProgramData\\Cursor\\hooks.json',
  'C:\\ProgramData\\Windsurf\\hooks.json',
  'C:\\ProgramData\\OpenAI\\Codex\\requirements.toml',
  'C:\\Users\\me\\AppData\\Roaming\\Code\\User\\settings.json',
  'C:\\Users\\me\\AppData\\Roaming\\Block\\goose\\config\\config.yaml',
  'C:\\Users\\me\\.codex\\hooks.json',
  'C:\\Users\\me\\.copilot\\hooks\\policy.json',
])('%s guards the agent', (path) => {
  const surroundings = machineSurroundings({ USERPROFILE: 'C:\\Users\\me' }, 'C:\\work\\proj');
  const call = { on: 'before_tool', context: { cwd: 'C:\\work\\proj' }, tool: 'write' } as const;
  const facts = factsOf({ ...call, arguments: { path } }, { ...surroundings, readsFolded: true });
  expect(ask('path', { set: 'guarded' }, facts)).toBe(true);
  expect(
    ask('path', { set: 'guarded' }, factsOf({ ...call, arguments: { path: 'src\\a.ts' } }, surroundings)),
  ).toBe(false);
});

describe('a file tool on Windows', () => {
  const surroundings = {
    ...machineSurroundings({ USERPROFILE: 'C:\\Users\\me' }, 'C:\\work\\proj'),
    readsFolded: true,
  } as const;
  const setting = { version: undefined, env: {}, cwd: 'C:\\work\\proj', interactive: false };
  const SPELLINGS = [
    'C:\\Users\\me\\.ssh\\x',
    'c:/users/ME/.SSH/x',
    '\\\\?\\C:\\Users\\me\\.ssh\\x',
    '..\\..\\Users\\me\\.ssh\\x',
  ];

  /** The facts of a call as a host would send it; undefined where it has no such tool. */
  function factsBy(host: (typeof HOSTS)[number], tool: string, path: string, given: JsonObject = {}) {
    const call = {
      on: 'before_tool',
      tool,
      arguments: { path, content: 'a', ...given },
      context: { cwd: 'C:\\work\\proj' },
    } as const;
    const decoded = host.decode(host.compose(call), setting);
    if (decoded.type !== 'event' || decoded.event.tool?.classes.includes(tool as 'read') !== true)
      return undefined;
    return createFacts(decoded.event, NO_MEMORY, () => surroundings);
  }

  for (const host of HOSTS)
    for (const tool of ['read', 'write', 'edit'])
      if (factsBy(host, tool, 'a') !== undefined)
        test(`of ${host.title} that can ${tool} reaches the home directory by any spelling`, () => {
          for (const path of SPELLINGS) {
            const facts = factsBy(host, tool, path);
            expect([path, facts && ask('path', '~/.ssh/**', facts)]).toEqual([path, true]);
          }
          const inside = factsBy(host, tool, 'src\\a.ts');
          expect(inside && ask('path', { outside: 'workspace' }, inside)).not.toBe(true);
          expect(inside && ask('path', '~/.ssh/**', inside)).not.toBe(true);
        });

  /** Their shell on Windows is that of the system. Others bring bash, or nobody has looked. */
  const SYSTEM = 'cline codex cursor droid gemini goose grok picoclaw qwen vscode windsurf'.split(' ');

  for (const host of HOSTS)
    if (SYSTEM.includes(host.name))
      test(`of ${host.title} that is a shell takes PowerShell`, () => {
        const command = '$p = "$HOME\\work"; foreach ($f in @($p)) { ri $f -r -fo }';
        const facts = factsBy(host, 'shell', 'a', { command });
        expect(facts && ask('path', { match: '~/work', uses: 'delete' }, facts)).toBe(true);
      });

  test.each([
    ['claude', 'PowerShell', 'command'],
    ['jcli', 'PowerShell', 'command'],
    ['copilot', 'powershell', 'command'],
    ['copilot', 'write_powershell', 'input'],
    ['cline', 'execute_command', 'command'],
    ['cline', 'run_commands', 'commands'],
  ])('of %s that is called %s takes PowerShell', (name, tool, argument) => {
    const host = HOSTS.find((each) => each.name === name);
    const script = '$p = "$HOME\\work"; foreach ($f in @($p)) { ri $f -r -fo }';
    const given = { [argument]: argument === 'commands' ? [script] : script };
    const call = { on: 'before_tool', tool, arguments: given, context: { cwd: 'C:\\work\\proj' } } as const;
    const decoded = host?.decode(host.compose(call), setting);
    if (decoded?.type !== 'event') throw new Error('no event');
    const facts = createFacts(decoded.event, NO_MEMORY, () => surroundings);
    expect(ask('path', { match: '~/work', uses: 'delete' }, facts)).toBe(true);
  });
});
