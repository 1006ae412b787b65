import { describe, expect, test } from 'bun:test';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { hostNamed } from '../../../src/hosts/registry.ts';
import { isJsonObject, type JsonObject } from '../../../src/lib/json.ts';
import { FILES } from '../../../src/tools/cli/install/machine.ts';
import { BINARY } from '../../support/binary.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writeFiles } from '../../support/write-files.ts';
import { CONFIGURATIONS, environmentOf, installedHome, policy, treeOf } from './program.ts';

const SETTINGS = '.gemini/settings.json';
const CONFIG = '.picoclaw/config.json';
const HOOK = '.jdata/agent/hooks/policy/HOOK.yaml';

const guardedHome = installedHome(CONFIGURATIONS);
const geminiHome = installedHome(CONFIGURATIONS, '--host', 'gemini');

/** A change of one agent's file, and what it is: of a fault the code of its finding. */
type Change = readonly [host: string, path: string, change: (text: string) => string, what: string];

/** What the doctor finds of each agent after a change for each of them. */
function codesWith(changes: readonly Change[]): ReadonlyMap<string, readonly string[]> {
  const home = guardedHome();
  for (const [, path, change] of changes) edit(home, path, change);
  return codesByHost(
    home,
    changes.flatMap(([host]) => ['--host', host]),
  );
}

/** The first changes of all agents, then the second ones, and so on: what is wrong with one is none of the others' business. */
function roundsOf(changes: readonly Change[]): readonly (readonly Change[])[] {
  const queues = [...Map.groupBy(changes, ([host]) => host).values()];
  const longest = Math.max(...queues.map(({ length }) => length));
  return Array.from({ length: longest }, (_, round) =>
    queues.flatMap((queue) => queue.slice(round, round + 1)),
  );
}

function titled(rounds: readonly (readonly Change[])[]): (readonly [readonly string[], readonly Change[]])[] {
  return rounds.map((round) => [round.map(([host, , , what]) => `${host}: ${what}`), round]);
}

function edit(home: string, path: string, change: (text: string) => string): void {
  const text = readFileSync(join(home, path), 'utf8');
  const changed = change(text);
  expect(changed).not.toBe(text);
  writeFileSync(join(home, path), changed);
}

/** The codes of the findings, and of nothing that is only worth knowing. */
function codesOf(
  home: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): readonly string[] {
  return [...new Set([...codesByHost(home, args, env).values()].flat())];
}

/** The same by agent; what belongs to none of them has an empty name. */
function codesByHost(
  home: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): ReadonlyMap<string, readonly string[]> {
  const { exitCode, stdout, stderr } = policy(home, ['doctor', '--json', ...args], env);
  expect(stderr).toBe('');
  const report: unknown = JSON.parse(stdout);
  if (!isJsonObject(report)) throw new Error('no report');
  const hosts = Array.isArray(report['hosts']) ? report['hosts'] : [];
  const codes = [report, ...hosts].filter(isJsonObject).map((each) => {
    const all = Array.isArray(each['findings']) ? each['findings'].filter(isJsonObject) : [];
    const faults = all.filter(({ severity }) => severity === 'finding');
    for (const { fix, message } of faults) expect([fix, message]).not.toContain('');
    return [String(each['host'] ?? ''), faults.map(({ code }) => String(code))] as const;
  });
  expect(exitCode).toBe(codes.every(([, faults]) => faults.length === 0) ? 0 : 1);
  return new Map(codes);
}

const json = (text: string, change: (value: JsonObject & Record<string, never>) => void): string => {
  const value = Bun.JSONC.parse(text) as JsonObject & Record<string, never>;
  change(value);
  return JSON.stringify(value);
};

test('the calls of the doctor are in no list, log or statistic, and nobody is asked about them', () => {
  const home = guardedHome();
  // Everything is asked of a person, by a program that says that it was.
  const asked = join(home, 'asked');
  writeFileSync(join(home, 'approver'), `#!/bin/sh\ntouch ${asked}\necho '{"decision":"approve"}'\n`, {
    mode: 0o755,
  });
  mkdirSync(join(home, '.config/policy'), { recursive: true });
  writeFileSync(
    join(home, '.config/policy/ask.yaml'),
    'version: 1\npolicies: [{id: all, tool: read, action: ask, reason: who knows}]\n',
  );
  edit(home, HOOK, (text) =>
    text.replaceAll('hook --host jcli', `hook --host jcli --approve-with ${join(home, 'approver')}`),
  );
  edit(home, SETTINGS, (text) =>
    text.replaceAll('hook --host gemini', 'hook --host gemini --approve-with terminal'),
  );
  policy(home, ['doctor']);
  const listed = JSON.parse(policy(home, ['allow', 'list', '--json']).stdout) as { refused: unknown[] };
  expect(listed.refused).toEqual([]);
  const log = policy(home, ['log', '--json']).stdout.trim();
  expect(log).toBe('');
  expect(existsSync(asked)).toBe(false);
  expect(existsSync(join(home, '.local/state/policy/decisions.jsonl'))).toBe(false);
});

const PATHS: Readonly<Record<string, string>> = { gemini: SETTINGS, picoclaw: CONFIG, jcli: HOOK };
const TABLES = load(readFileSync(join(import.meta.dir, 'doctor.yaml'), 'utf8')) as Readonly<
  Record<
    string,
    readonly (readonly [host: string, where: 'all' | 'once', from: string, to: string, what: string])[]
  >
>;

/** The changes of a table that put one text in the place of another. */
function changesIn(table: string): readonly Change[] {
  return (TABLES[table] ?? []).map(([host, where, from, to, what]) => {
    const [, source, flags] = /^\/(.+)\/(g?)$/.exec(from) ?? [];
    const found = source === undefined ? from.replaceAll('BINARY', BINARY) : new RegExp(source, flags);
    const put = () => to.replaceAll('BINARY', BINARY);
    const change = (text: string) =>
      where === 'all' ? text.replaceAll(found, put) : text.replace(found, put);
    return [host, PATHS[host] ?? '', change, what];
  });
}

/** What can be wrong, one at a time: host, file, how it is spoilt, and the code of the finding. */
const FAULTS: readonly Change[] = [
  ...changesIn('faults'),
  ['gemini', SETTINGS, (text) => json(text, (all) => flatten(all)), 'envelope'],
  [
    'gemini',
    SETTINGS,
    (text) => json(text, (all) => Object.assign(all, { hooksConfig: { enabled: false } })),
    'hooks-off',
  ],
  [
    'gemini',
    SETTINGS,
    (text) => json(text, (all) => Object.assign(all, { hooksConfig: { disabled: [nameIn(text)] } })),
    'hook-disabled',
  ],
  ['gemini', SETTINGS, (text) => `${text}}`, 'configuration'],
  [
    'picoclaw',
    CONFIG,
    (text) =>
      text
        .replace('"/usr/bin/env",', '')
        .replace('"-i",', '')
        .replace(/"HOME=.*",/, ''),
    'environment',
  ],
  ['jcli', HOOK, (text) => `${text}filter: {tool_name: Write}\n`, 'matcher'],
  ['jcli', HOOK, (text) => text.replace(/ \|\| echo .*'/, "'"), 'line'],
  ['jcli', HOOK, (text) => `${text}x: [`, 'configuration'],
  [
    'jcli',
    '.jdata/agent/data/agent_config.json',
    () => '{"disabled_hooks": ["user:policy"]}',
    'hook-disabled',
  ],
];

/** What is found without starting a hook. The doctor says all that is found so, as it does with "matcher". */
const INSPECTED = [
  ...['envelope', 'event', 'hook-disabled', 'hooks-off', 'hot-reload', 'isolation', 'on-error', 'priority'],
  ...['timeout', 'unknown-key', 'workspace'],
];

function isInspected(code: string): boolean {
  return INSPECTED.includes(code);
}

/** What nobody has to know. */
const HARMLESS: readonly Change[] = [
  ...changesIn('harmless'),
  [
    'gemini',
    SETTINGS,
    (text) =>
      json(text, (all) =>
        Object(all['hooks']).BeforeTool.push({ hooks: [{ type: 'command', command: '/opt/x' }] }),
      ),
    'hooks of others',
  ],
  [
    'gemini',
    SETTINGS,
    (text) =>
      text.replaceAll('60000', '20000').replaceAll('--host gemini', '--host gemini --host-timeout 20'),
    'a shorter timeout that the hook knows',
  ],
  ['jcli', HOOK, (text) => `# mine\n${text}retry: 0\n`, 'comments'],
];

function nameIn(text: string): string {
  return /policy-[0-9a-f]{6}/.exec(text)?.[0] ?? '';
}

/** The form of other agents: the hook itself in the place of its group. */
function flatten(all: JsonObject): void {
  const hooks = Object(all['hooks']);
  for (const event of Object.keys(hooks)) hooks[event] = hooks[event][0].hooks;
}

describe('policy doctor', () => {
  test('finds nothing after an install, says so in one table, and changes nothing', () => {
    const home = guardedHome();
    const before = treeOf(home);
    const { exitCode, stdout, stderr } = policy(home, ['doctor']);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^agent +state +answers in +asks about +calls judged +by$/m);
    for (const title of ['PicoClaw', 'Gemini CLI', 'jcli'])
      expect(stdout).toMatch(new RegExp(`^${title} +hook works +\\d+ ms +\\d events +not proven +~`, 'm'));
    expect(stdout).toEndWith('No findings\n');
    expect(treeOf(home)).toEqual(before);
  });

  test('names what is not installed and installs it with --fix', () => {
    const home = temporaryFolder(CONFIGURATIONS);
    expect(codesOf(home)).toEqual(['not-installed']);
    expect(policy(home, ['doctor', '--fix']).exitCode).toBe(2);
    const { exitCode, stdout } = policy(home, ['doctor', '--fix', '--yes']);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('No findings')]);
  });

  test.each(titled(roundsOf(FAULTS.filter(([, , , code]) => !isInspected(code)))))(
    'finds %j',
    (_titles, round) => {
      const found = codesWith(round);
      for (const [host, , , code] of round)
        expect([host, found.get(host)]).toEqual([host, expect.arrayContaining([code])]);
    },
  );

  test('reads in configurations what is wrong with them', async () => {
    const home = guardedHome();
    for (const [host, path, change, code] of FAULTS.filter(([, , , code]) => isInspected(code))) {
      const text = readFileSync(join(home, path), 'utf8');
      edit(home, path, change);
      const installation = await hostNamed(host)?.installation();
      const found = installation?.inspect({ env: {}, home, project: home }, FILES).findings;
      writeFileSync(join(home, path), text);
      expect([path, String(change), found?.map((each) => each.code)]).toEqual([
        path,
        String(change),
        expect.arrayContaining([code]),
      ]);
    }
  });

  test('finds a project that switches the hook of Gemini CLI off, and a folder that is not trusted', () => {
    const home = geminiHome();
    const project = join(home, 'project');
    writeFiles(project, { '.git/HEAD': '', '.gemini/settings.json': '{"hooksConfig": {"enabled": false}}' });
    writeFiles(home, { '.gemini/trustedFolders.json': JSON.stringify({ [project]: 'DO_NOT_TRUST' }) });
    const { stdout } = Bun.spawnSync([BINARY, 'doctor', '--host', 'gemini'], {
      cwd: project,
      env: environmentOf(home),
    });
    expect(stdout.toString()).toContain('settings.json switches all hooks off');
    expect(stdout.toString()).toContain('Gemini CLI runs no hooks there');
  });

  test('finds events that a new policy needs, broken policies, and files that others may write', () => {
    const home = geminiHome();
    const prompts =
      'version: 1\npolicies:\n  - id: a\n    description: d\n    on: before_prompt\n    content: x\n    action: deny\n    reason: r\n';
    writeFiles(home, { '.config/policy/mine.yaml': prompts });
    expect(codesOf(home, ['--host', 'gemini'])).toEqual(['events']);
    expect(policy(home, ['doctor', '--fix', '--yes', '--host', 'gemini']).exitCode).toBe(0);
    writeFiles(home, { '.config/policy/mine.yaml': 'version: 1\npolicies: 5\n' });
    expect(codesOf(home, ['--host', 'gemini'])).toEqual(['policies', 'canary-passed']);
    const { stdout } = policy(home, ['doctor', '--host', 'gemini']);
    expect(stdout.toString()).toContain(
      'it says "Refused by policy: The call of read_file cannot be judged: ',
    );
    const other = guardedHome();
    writeFiles(other, { '.config/policy/mine.yaml': 'version: 1\npolicies: 5\n' });
    expect(policy(other, ['doctor', '--host', 'jcli']).stdout.toString()).toContain('"{"action":"skip"}"');
    rmSync(join(home, '.config'), { recursive: true });
    chmodSync(join(home, SETTINGS), 0o666);
    expect(codesOf(home, ['--host', 'gemini'])).toEqual(['writable']);
  });

  test('finds that a hook gets no key for a judge, which install passes on', () => {
    const home = geminiHome();
    const odd = 'version: 1\njudges: {default: {provider: anthropic, model: m, api_key_env: MY_THING}}\n';
    const asking = 'policies: [{id: j, type: llm_judge, tool: shell, prompt: Is it?}]\n';
    writeFiles(home, { '.config/policy/j.yaml': odd + asking });
    expect(policy(home, ['doctor', '--host', 'gemini']).stdout.toString()).toContain(
      'rename it in api_key_env',
    );
    const judge = 'judges: {default: {provider: anthropic, model: m, api_key_env: JUDGE_KEY}}';
    const policies = 'policies: [{id: j, type: llm_judge, tool: shell, prompt: Is it?}]';
    writeFiles(home, { '.config/policy/j.yaml': `version: 1\n${judge}\n${policies}\n` });
    expect(codesOf(home, ['--host', 'gemini'])).toEqual(['judge-key']);
    for (const _ of ['installed', 'kept']) {
      expect(policy(home, ['install', '--yes', '--host', 'gemini']).exitCode).toBe(0);
      const text = readFileSync(join(home, SETTINGS), 'utf8');
      writeFileSync(
        join(home, SETTINGS),
        text.replaceAll(/( NO_PROXY=a)? JUDGE_KEY/g, ' NO_PROXY=a JUDGE_KEY'),
      );
    }
    expect(codesOf(home, ['--host', 'gemini'])).toEqual([]);
    expect(readFileSync(join(home, SETTINGS), 'utf8')).toContain(' NO_PROXY=a JUDGE_KEY=\\"$JUDGE_KEY\\"');
  });

  const secret = ['AWS_SECRET_ACCESS_KEY=\\"$AWS_SECRET_ACCESS_KEY\\"', 'BUN_INSPECT_TOKEN=x'];
  const proxies = ['HTTPS_PROXY=http://a:8080', 'NODE_EXTRA_CA_CERTS=/x/ca.pem'];
  const places = ['POLICY_PATH=builtin:budgets', 'CLAUDE_CONFIG_DIR=/tmp/x', 'XDG_CONFIG_HOME=/tmp/x'];
  test.each([
    ['a person', [], [...secret, ...places]],
    ['a project', ['--project'], [...secret, ...places, ...proxies]],
  ])('finds variables in the line of %s that install takes out', (_whose, scope, odd) => {
    const home = temporaryFolder({ '.claude/settings.json': '{}', 'work/.git/HEAD': '' });
    const cwd = scope.length === 0 ? home : join(home, 'work');
    const path = join(cwd, '.claude/settings.json');
    const ran = (...args: string[]) =>
      Bun.spawnSync([BINARY, ...args, '--host', 'claude'], {
        cwd,
        env: environmentOf(home),
      }).stdout.toString();
    ran('install', '--yes', ...scope);
    const before = readFileSync(path, 'utf8');
    for (const each of odd) {
      writeFileSync(path, before.replaceAll(' BUN_JSC', ` ${each} BUN_JSC`));
      expect(ran('doctor')).toContain(`gives its hook ${each.replace(/=.*/, '')}`);
      expect(ran('install', '--yes', ...scope)).not.toContain('already');
      expect(readFileSync(path, 'utf8')).toBe(before);
    }
  });

  test('finds that the program is another than the one installed, or gone', () => {
    const home = temporaryFolder(CONFIGURATIONS);
    mkdirSync(join(home, 'bin'));
    const program = join(home, 'bin/policy');
    copyFileSync(BINARY, program);
    const env = environmentOf(home);
    const run = (args: readonly string[]) =>
      Bun.spawnSync([program, ...args], { cwd: home, env, stdin: 'ignore' });
    expect(run(['install', '--yes', '--host', 'gemini']).exitCode).toBe(0);
    expect(run(['doctor', '--host', 'gemini']).exitCode).toBe(0);
    appendFileSync(program, 'a newer build');
    expect(codesOf(home, ['--host', 'gemini'])).toEqual(['program-changed']);
    expect(run(['install', '--yes', '--host', 'gemini']).exitCode).toBe(0);
    expect(codesOf(home, ['--host', 'gemini'])).toEqual([]);
    writeFileSync(program, '#!/bin/sh\necho {}\n');
    expect(codesOf(home, ['--host', 'gemini'])).toEqual(['canary-refused', 'program-changed']);
    rmSync(program);
    expect(codesOf(home, ['--host', 'gemini'])).toEqual(['not-started', 'program-missing']);
  });

  test('finds every file that others may write of those that decide whether an agent asks', () => {
    const home = guardedHome();
    writeFiles(home, {
      '.gemini/trustedFolders.json': '{}',
      '.gemini/tmp/log': '',
      '.policy/a.yaml': 'version: 1\ndefaults: {mode: enforce}\n',
    });
    const open = ['.gemini/trustedFolders.json', '.policy/a.yaml', '.jdata/agent/data/agent_config.json'];
    for (const path of [...open, '.gemini/tmp/log']) chmodSync(join(home, path), 0o666);
    const { exitCode, stdout } = policy(home, ['doctor']);
    expect(exitCode).toBe(1);
    for (const path of open) expect(stdout).toContain(join(home, path));
    expect(stdout).not.toContain('.gemini/tmp/log');
  });

  test('names policies of your own that have matched nothing in many calls', () => {
    const home = geminiHome();
    const rule = (id: string, tool: string) =>
      `  - {id: ${id}, description: d, tool: ${tool}, action: deny, reason: r}\n`;
    writeFiles(home, {
      '.config/policy/mine.yaml': `version: 1\npolicies:\n${rule('busy', 'fetch')}${rule('idle', 'search')}`,
    });
    const notes = () => policy(home, ['doctor', '--host', 'gemini']).stdout.match(/.*no match.*/g);
    const folder = join(home, '.local/state/policy');
    const call = (index: number) =>
      JSON.stringify({
        version: 1,
        decision_id: `a-${index}`,
        time: '2026-01-02T03:04:05.678Z',
        host: 'gemini',
        event: 'before_tool',
        action: 'deny',
        policies: [{ id: 'mine/busy', how: 'matched' }],
        skipped: [],
        duration_us: 9,
      });
    for (let index = 0; index < 100; index++)
      appendFileSync(join(folder, 'decisions.jsonl'), `${call(index)}\n`);
    expect(notes()).toEqual(['note  100 decisions since 2026-01-02 and no match: mine/idle']);
  });

  test.each(titled(roundsOf(HARMLESS)))('does not mind %j', (_titles, round) => {
    expect([...codesWith(round).values()].flat()).toEqual([]);
  });
});
