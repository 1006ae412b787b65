import { describe, expect, test } from 'bun:test';
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { HOSTS, hostNamed } from '../../../src/hosts/registry.ts';
import { isJsonObject, type JsonObject } from '../../../src/lib/json.ts';
import { hostVersion, newerHostNote } from '../../../src/tools/cli/install/newer-host.ts';
import { hookStarts } from '../../docs/host-configuration.ts';
import { answersTo, refuses } from '../../docs/start-hook.ts';
import { BINARY } from '../../support/binary.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writeFiles } from '../../support/write-files.ts';
import {
  CONFIGURATIONS,
  environmentOf,
  homeWith as homeIn,
  makeReadOnly,
  policy,
  policyAsNobody,
  type Tree,
  treeOf,
} from './program.ts';

const SETTINGS = '.gemini/settings.json';

const homeWith = (files?: Tree) => homeIn(temporaryFolder(), files);

function read(home: string, path: string): string {
  return readFileSync(join(home, path), 'utf8');
}

function jsonIn(home: string, path: string): JsonObject {
  const value: unknown = Bun.JSONC.parse(read(home, path));
  if (!isJsonObject(value)) throw new Error(`no object in ${path}`);
  return value;
}

describe('policy install', () => {
  test('makes every agent that is there ask this program, in the form that it reads', () => {
    const home = homeWith();
    const { exitCode, stdout, stderr } = policy(home, ['install', '--yes']);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toContain('PicoClaw now runs the hook:');
    const hooks = JSON.stringify({ hooks: jsonIn(home, SETTINGS)['hooks'] ?? null });
    const starts = [
      ...hookStarts({ language: 'json', text: hooks }),
      ...hookStarts({ language: 'yaml', text: read(home, '.jdata/agent/hooks/policy/HOOK.yaml') }),
      ...hookStarts({
        language: 'json',
        text: JSON.stringify({
          hooks: { enabled: true, ...Object(jsonIn(home, '.picoclaw/config.json')['hooks']) },
        }),
      }),
    ];
    expect(new Set(starts.map(({ host }) => host))).toEqual(new Set(['gemini', 'jcli', 'picoclaw']));
    for (const start of starts) {
      expect(start.argv.join(' ')).toContain(BINARY);
      const answers = [...answersTo(start, 'rm -rf ~', home).entries()];
      const asked = answers.filter(([event]) => /before_?tool|approve|pre_tool/i.test(event));
      for (const [, answer] of asked) expect(refuses(answer)).toBe(true);
    }
  });

  test('takes the events that the policies are for', () => {
    const home = homeWith();
    writeFiles(home, {
      '.config/policy/mine.yaml':
        'version: 1\nname: mine\npolicies:\n  - id: prompts\n    description: d\n    on: before_prompt\n    content: xyzzy\n    action: deny\n    reason: no\n  - id: models\n    description: d\n    tool: shell\n    model_prefix: small\n    action: deny\n    reason: no\n',
    });
    expect(policy(home, ['install', '--yes']).exitCode).toBe(0);
    expect(Object.keys(Object(jsonIn(home, SETTINGS)['hooks'])).sort()).toEqual([
      'AfterTool',
      'BeforeAgent',
      'BeforeModel',
      'BeforeTool',
    ]);
    expect(read(home, '.picoclaw/config.json')).toContain('"before_llm"');
    expect(read(home, '.jdata/agent/hooks/policy/HOOK.yaml')).toContain('- pre_send_message');
  });

  test('changes nothing the second time, and keeps the name', () => {
    const home = homeWith();
    policy(home, ['install', '--yes']);
    const once = treeOf(home);
    const { exitCode, stdout } = policy(home, ['install', '--yes']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Gemini CLI already runs this hook');
    expect(treeOf(home)).toEqual(once);
  });

  test('takes the place of an entry that was written by hand, or by an older version', () => {
    const old = `{"hooks": {"BeforeTool": [{"hooks": [
      {"type": "command", "command": "/opt/other"},
      {"type": "command", "name": "policy-abcdef", "command": "/usr/bin/policy hook --host gemini", "timeout": 60}]}]}}`;
    const home = homeWith({ [SETTINGS]: old });
    expect(policy(home, ['install', '--yes']).exitCode).toBe(0);
    const text = read(home, SETTINGS);
    expect(text).not.toContain('/usr/bin/policy hook');
    expect(text).toContain('/opt/other');
    expect(text).toContain('policy-abcdef');
  });

  test('switches hooks on where they are off, and says so in the difference', () => {
    const home = homeWith({
      [SETTINGS]: '{\n  "hooksConfig": {"enabled": false}\n}\n',
      '.picoclaw/config.json': '{\n  "hooks": {"enabled": false}\n}\n',
    });
    expect(policy(home, ['install', '--yes']).stdout).toContain('+  "hooksConfig": {"enabled": true}');
    expect(jsonIn(home, SETTINGS)['hooksConfig']).toEqual({ enabled: true });
    expect(Object(jsonIn(home, '.picoclaw/config.json')['hooks']).enabled).toBe(true);
  });

  test('tells the hook of PicoClaw where the agent works, how long it waits, and its policies where it is isolated', () => {
    const config = {
      agents: { defaults: { workspace: '~/claw' } },
      isolation: { enabled: true },
      hooks: { defaults: { interceptor_timeout_ms: 8000 } },
    };
    const home = homeWith({ '.picoclaw/config.json': JSON.stringify(config) });
    expect(policy(home, ['install', '--yes']).exitCode).toBe(0);
    const command = Object(jsonIn(home, '.picoclaw/config.json')['hooks']).processes.policy.command.join(' ');
    expect(command).toContain(`--workspace ${home}/claw --host-timeout 8 --policies builtin:baseline`);
  });

  test.each(['A', 'B', 'C'])(
    'writes hooks.yaml of generation %s beside the hooks of others',
    (generation) => {
      const others = '# mine\npre_tool_execution:\n    - command: /opt/other # theirs\n      timeout: 5\n';
      const home = homeWith({ '.jdata/agent/hooks.yaml': others });
      const unclear = policy(home, ['install', '--yes']);
      expect([unclear.exitCode, unclear.stderr]).toEqual([
        2,
        expect.stringContaining('say which with --host-version'),
      ]);
      const args = ['install', '--yes', '--host', 'jcli', '--host-version', generation];
      expect(policy(home, args)).toMatchObject({ exitCode: 0, stderr: '' });
      const text = read(home, '.jdata/agent/hooks.yaml');
      expect(text).toContain('/opt/other # theirs');
      expect(Object(load(text)).pre_tool_execution).toHaveLength(2);
      expect(text).toContain(`--host-version ${generation}`);
      expect(text.includes('post_tool_execution_failure')).toBe(generation === 'C');
      expect(policy(home, ['install', '--yes']).stdout).toContain('already');
      policy(home, ['uninstall', '--yes']);
      expect(read(home, '.jdata/agent/hooks.yaml')).toBe(others);
    },
  );

  test('writes into the project or the machine where that is asked for', () => {
    const home = homeWith();
    mkdirSync(join(home, 'project/.git'), { recursive: true });
    const env = { GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(home, 'etc/settings.json') };
    expect(policy(home, ['install', '--yes', '--system', '--host', 'gemini'], env).exitCode).toBe(0);
    expect(jsonIn(home, 'etc/settings.json')['hooksConfig']).toEqual({ enabled: true });
    expect(policy(home, ['install', '--yes', '--project', '--host', 'jcli']).exitCode).toBe(0);
    expect(read(home, '.jcli/hooks/policy/HOOK.yaml')).toContain('pre_tool_execution');
    const wrong = policy(home, ['install', '--yes', '--project', '--host', 'picoclaw']);
    expect([wrong.exitCode, wrong.stderr]).toEqual([
      2,
      expect.stringContaining('Cannot use --project: PicoClaw has no such configuration'),
    ]);
  });

  test('tells the hook where policies and state are, where that is elsewhere', () => {
    const home = homeWith();
    const env = { XDG_CONFIG_HOME: join(home, 'my config'), XDG_STATE_HOME: join(home, 'state') };
    const house =
      'version: 1\npolicies:\n  - id: a\n    description: d\n    tool: read\n    arguments: {path: README}\n    action: deny\n    reason: r\n';
    writeFiles(home, { 'my config/policy/house.yaml': house });
    expect(policy(home, ['install', '--yes'], env)).toMatchObject({ exitCode: 0, stderr: '' });
    const { stdout } = policy(home, ['doctor', '--json'], env);
    const codes = [...stdout.matchAll(/"code": "(.*)"/g)].map(([, code]) => code);
    // All three read the policy that is there, which refuses what else would pass.
    expect(codes.filter((code) => code !== 'own-account')).toEqual(Array(3).fill('canary-passed'));
    policy(home, ['uninstall', '--yes'], env);
    expect(read(home, SETTINGS)).toBe(CONFIGURATIONS[SETTINGS] ?? '');
  });

  test('does not start from a path that shells or hosts would change', () => {
    const home = homeWith();
    const program = join(home, 'a$b/policy');
    mkdirSync(join(home, 'a$b'));
    copyFileSync(BINARY, program);
    const { exitCode, stderr } = Bun.spawnSync([program, 'install', '--yes', '--host', 'gemini'], {
      cwd: home,
      env: environmentOf(home),
      stdin: 'ignore',
    });
    expect([exitCode, stderr.toString()]).toEqual([2, expect.stringContaining('use a plain path')]);
  });

  test('changes nothing without a yes', () => {
    const home = homeWith();
    const dry = policy(home, ['install', '--dry-run']);
    expect([dry.exitCode, dry.stdout]).toEqual([0, expect.stringContaining('+++ ')]);
    const silent = policy(home, ['install']);
    expect([silent.exitCode, silent.stderr]).toEqual([2, expect.stringContaining('agree with --yes')]);
    expect(treeOf(home)).toEqual(treeOf(homeWith()));
  });

  test('asks a person at a terminal', async () => {
    for (const [answer, exitCode] of [
      ['y\n', 0],
      ['n\n', 1],
    ] as const) {
      const home = homeWith({ [SETTINGS]: '{}' });
      expect(await atTerminal(home, ['install'], () => answer)).toBe(exitCode);
      expect(read(home, SETTINGS) === '{}').toBe(exitCode === 1);
    }
  });

  test('names several files right above the question about them', async () => {
    const home = homeWith({ [SETTINGS]: '{}', '.codex/a': '' });
    await atTerminal(home, ['install'], (said) => {
      const lines = said.replaceAll('\r', '').split('\n').slice(-3);
      expect(lines).toEqual([
        `  ${home}/${SETTINGS}`,
        `  ${home}/.codex/hooks.json`,
        'Change these 2 files? [y/N] ',
      ]);
      return 'n\n';
    });
  });
});

/** A home with a Gemini CLI on the path that says this of itself. */
function homeSaying(said: string) {
  const home = homeWith();
  writeFiles(home, { 'path/gemini': `#!/bin/sh\nprintf '${said}\\n'\ntouch "$HOME/made"\n` });
  chmodSync(join(home, 'path/gemini'), 0o755);
  return { home, env: { PATH: `${join(home, 'path')}:${process.env['PATH']}` } };
}

test('install says that a host is newer than known', () => {
  const { home, env } = homeSaying('0.99.1');
  const { exitCode, stdout } = policy(home, ['install', '--yes', '--host', 'gemini'], env);
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/Gemini CLI 0\.99\.1 is newer than 0\.61/)]);
  expect(treeOf(home)['made']).toBeUndefined();
});

test.each([
  ['picoclaw v1.2.0 (git: abc)\\nGo: go1.25.1', true],
  ['0.61.4', false],
  ['0.9.0', false],
  ['dev, go1.25', false],
  ['', false],
])('a host that says %j of itself is newer than known: %j', async (said, isNewer) => {
  const { home, env } = homeSaying(said);
  const host = hostNamed('gemini');
  if (host === undefined) throw new Error('no Gemini CLI');
  const found = { host, installation: await host.installation() };
  const version = await hostVersion(found, { home, env, project: join(home, 'project') });
  expect(newerHostNote(found, version) !== undefined).toBe(isNewer);
  expect(treeOf(home)['made']).toBeUndefined();
});

test('a host that does not say its version is not waited for', () => {
  const home = homeWith();
  writeFiles(home, { 'path/gemini': '#!/bin/sh\nsleep 60\n' });
  chmodSync(join(home, 'path/gemini'), 0o755);
  const env = { PATH: `${join(home, 'path')}:${process.env['PATH']}` };
  const startMs = performance.now();
  expect(policy(home, ['install', '--yes', '--host', 'gemini'], env).exitCode).toBe(0);
  expect(performance.now() - startMs).toBeLessThan(20_000);
});

describe('policy uninstall', () => {
  test.each([
    CONFIGURATIONS,
    { '.gemini/settings.json': '' },
    { '.gemini/tmp/x': '' },
    { '.gemini/settings.json': '\t{ "a" : [1,2 ],\r\n\r\n"hooks":{ } }   ' },
  ])('leaves every byte and every folder as it was before the install: %j', (files) => {
    const home = homeWith(files);
    const before = treeOf(home);
    policy(home, ['install', '--yes']);
    expect(treeOf(home)).not.toEqual(before);
    expect(policy(home, ['uninstall', '--yes'])).toMatchObject({ exitCode: 0, stderr: '' });
    expect(treeOf(home)).toEqual(before);
  });

  test('keeps what has been written since', () => {
    const home = homeWith();
    policy(home, ['install', '--yes']);
    writeFileSync(join(home, SETTINGS), read(home, SETTINGS).replace('Dracula', 'Light'));
    policy(home, ['install', '--yes']);
    policy(home, ['uninstall', '--yes']);
    expect(read(home, SETTINGS)).toBe((CONFIGURATIONS[SETTINGS] ?? '').replace('Dracula', 'Light'));
  });

  test('says so where nothing is installed', () => {
    const home = homeWith();
    expect(policy(home, ['uninstall', '--yes'])).toMatchObject({
      exitCode: 0,
      stdout: `Nothing is installed for ${HOSTS.map(({ title }) => title).join(', ')}\n`,
    });
  });
});

describe('policy install leaves alone', () => {
  test.each([
    [SETTINGS, '{"a": 1,}', 'it is not valid JSON at 1:9'],
    [SETTINGS, '{"hooks": 5}', 'holds something else'],
    [SETTINGS, '{"hooks": {"BeforeTool": {}}}', 'holds something else'],
    [SETTINGS, '[]', 'it holds no object'],
    [SETTINGS, '{"hooks": {}, "hooks": {}}', 'appears twice'],
    [SETTINGS, '\xff{}', 'it is not UTF-8 text'],
    ['.picoclaw/config.json', '{"a": 1 /* comment */}', 'it is not valid JSON at 1:9'],
    [
      '.picoclaw/config.json',
      '{"hooks":{"processes":{"policy":{"command":["/opt/x"]}}}}',
      'is another program',
    ],
    ['.picoclaw/none', '', 'run picoclaw onboard first'],
    [
      '.jdata/agent/hooks/policy/HOOK.yaml',
      'events: [stop]\ncommand: /opt/x\n',
      'it is a hook of another program',
    ],
  ])('%s with %j', (path, text, why) => {
    const home = homeWith();
    writeFiles(home, path.startsWith('.picoclaw') ? {} : CONFIGURATIONS);
    const bytes = Buffer.from(text, 'latin1');
    if (path.endsWith('none')) Bun.spawnSync(['rm', join(home, '.picoclaw/config.json')]);
    mkdirSync(join(home, path, '..'), { recursive: true });
    writeFileSync(join(home, path), bytes);
    const before = treeOf(home);
    const host = path.startsWith('.gemini') ? 'gemini' : path.startsWith('.picoclaw') ? 'picoclaw' : 'jcli';
    const { exitCode, stderr } = policy(home, ['install', '--yes', '--host', host]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(why)]);
    expect(stderr).toMatch(/^policy install: Cannot use "/);
    expect(treeOf(home)).toEqual(before);
  });

  test('a file that is read-only', () => {
    const home = homeWith();
    chmodSync(join(home, SETTINGS), 0o444);
    const before = treeOf(home);
    const { exitCode, stderr } = policy(home, ['install', '--yes', '--host', 'gemini']);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('it is read-only')]);
    expect(treeOf(home)).toEqual(before);
  });

  test('a home without the right to write', () => {
    const home = temporaryFolder(CONFIGURATIONS);
    makeReadOnly(home);
    const { exitCode, stderr } = policyAsNobody(home, ['install', '--yes']);
    chmodSync(home, 0o755);
    expect(exitCode).toBeGreaterThan(0);
    expect(stderr).toMatch(/^policy install: Cannot (write|make) "?.*(not permitted|permission denied)/im);
    expect(treeOf(home)).toEqual(treeOf(homeWith()));
  });

  test('a link to nothing', () => {
    const home = homeWith({ '.gemini/x': '' });
    symlinkSync(join(home, 'nowhere.json'), join(home, SETTINGS));
    const { exitCode, stderr } = policy(home, ['install', '--yes']);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('it is a link to nothing')]);
  });

  test('a file that changes between the difference and the yes', async () => {
    const home = homeWith({ [SETTINGS]: '{}' });
    const exitCode = await atTerminal(home, ['install'], () => {
      writeFileSync(join(home, SETTINGS), '{"theirs": 1}');
      return 'y\n';
    });
    expect(exitCode).toBe(2);
    expect(read(home, SETTINGS)).toBe('{"theirs": 1}');
  });

  test('a file on a disk that is full', () => {
    const home = homeWith();
    // No file may grow beyond a block: what is written ends there, as on a full disk.
    const script = `trap '' XFSZ; ulimit -f 0; exec "$0" install --yes --host gemini`;
    const { exitCode, stderr } = Bun.spawnSync(['bash', '-c', script, BINARY], {
      cwd: home,
      env: environmentOf(home),
      stdin: 'ignore',
    });
    expect([exitCode, stderr.toString()]).toEqual([
      expect.any(Number),
      expect.stringMatching(/Cannot (?:write|keep) .*(?:EFBIG|too large)/i),
    ]);
    expect(exitCode).toBeGreaterThan(0);
    expect(treeOf(home)).toEqual(treeOf(homeWith()));
  });

  test('a file that another install is writing', () => {
    const home = homeWith();
    writeFileSync(join(home, `${SETTINGS}.policy-new`), '');
    const { exitCode, stderr } = policy(home, ['install', '--yes', '--host', 'gemini']);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('another install is writing it')]);
    expect(read(home, SETTINGS)).toBe(CONFIGURATIONS[SETTINGS] ?? '');
  });

  test('a machine without agents', () => {
    const home = temporaryFolder();
    const { exitCode, stderr } = policy(home, ['install', '--yes'], { PATH: '/nonexistent' });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('Cannot find an agent')]);
    expect(treeOf(home)).toEqual({});
  });
});

test('a link stays a link, and what it leads to keeps its mode', () => {
  const home = homeWith({ '.gemini/x': '', 'dotfiles/settings.json': '{\n}\n' });
  chmodSync(join(home, 'dotfiles/settings.json'), 0o640);
  symlinkSync('../dotfiles/settings.json', join(home, SETTINGS));
  expect(policy(home, ['install', '--yes']).exitCode).toBe(0);
  expect(lstatSync(join(home, SETTINGS)).isSymbolicLink()).toBe(true);
  expect(statSync(join(home, 'dotfiles/settings.json')).mode & 0o777).toBe(0o640);
  expect(read(home, 'dotfiles/settings.json')).toContain('BeforeTool');
});

test('of installs at once each file is written by one, whole', async () => {
  const home = homeWith();
  const children = Array.from({ length: 4 }, () =>
    Bun.spawn([BINARY, 'install', '--yes'], {
      cwd: home,
      env: environmentOf(home),
      stdout: 'pipe',
      stderr: 'pipe',
    }),
  );
  const codes = await Promise.all(children.map(({ exited }) => exited));
  for (const [index, code] of codes.entries()) {
    const said = await new Response(children[index]?.stderr).text();
    if (code !== 0) expect(said).toMatch(/another install is writing it|it has changed meanwhile/);
  }
  expect(policy(home, ['install', '--yes']).exitCode).toBe(0);
  expect(Object(jsonIn(home, SETTINGS)['hooks']).BeforeTool).toHaveLength(1);
  policy(home, ['uninstall', '--yes']);
  expect(treeOf(home)).toEqual(treeOf(homeWith()));
});

/** Runs the program at a terminal and answers its question. */
async function atTerminal(
  home: string,
  args: readonly string[],
  answer: (said: string) => string,
): Promise<number> {
  let said = '';
  let isAnswered = false;
  const child = Bun.spawn([BINARY, ...args], {
    cwd: home,
    env: { ...environmentOf(home), TERM: 'dumb' },
    terminal: {
      cols: 100,
      rows: 30,
      data(terminal, data) {
        said += data.toString();
        if (isAnswered || !said.includes('[y/N]')) return;
        isAnswered = true;
        terminal.write(answer(said));
      },
    },
  });
  return child.exited;
}
