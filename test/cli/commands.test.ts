import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDecisionLog } from '../../src/hook/audit/decision-log.ts';
import { HOSTS } from '../../src/hosts/registry.ts';
import { decide, noOpinion } from '../../src/model/decision.ts';
import { trust } from '../../src/tools/cli/commands/trust.ts';
import { rule, toolEvent } from '../support/builders.ts';
import { expectGolden } from '../support/golden.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeFiles } from '../support/write-files.ts';
import { type RunOptions, runCli, stable } from './test-io.ts';

const SOUND = `version: 1
policies:
  - id: no-force-push
    tool: shell
    arguments: {command: '\\bgit\\s+push\\b.*\\s-f\\b'}
    action: deny
    reason: A force push rewrites history that others have pulled
    instead: Push a new branch and open a pull request
  - id: no-secrets
    tool: read
    arguments: {path: '\\.env$'}
    action: deny
    reason: Secrets stay where they are
  - id: from-chat
    tool: shell
    context: {channel: telegram}
    action: deny
    reason: Not from a chat
  - id: watch
    mode: monitor
    tool: shell
    action: deny
    reason: All commands
  - id: tests
    tool: shell
    arguments: {command: '^npm test'}
    action: approve
`;

/** The same without what has to be trusted. */
const REFUSING = SOUND.replace(/ {2}- id: tests[\s\S]*/, '');

/** Cases that every policy of `SOUND` matches. */
const SOUND_TEST = `version: 1
cases:
  - call: {command: git push -f}
    expect: deny
  - call: {tool: read, path: .env}
    expect: deny
  - call: {command: npm test}
    expect: {monitored: watch}
`;

const BROKEN = `version: 1
policies:
  - id: no-force-push
    tool: shell
    argument: {command: '^git push'}
    action: deny
    reason: no
  - id: odd
    tool: shell
    arguments: {command: '(foo'}
    action: deny
    reason: no
    examples: {hit: [{command: foo}]}
`;

const MISTAKEN = `version: 1
policies:
  - id: no-force-push
    tool: shell
    arguments: {command: "git\\s+push\\d"}
    action: deny
    reason: Not here: push a branch
  - id: odd
    tool_matcher: *_github
    argument: {command: x}
    action: deny
    reason: @team decides
`;

/** A project with policy files, and a state folder and home of its own. */
function project(files: Readonly<Record<string, string>>): { cwd: string; env: Record<string, string> } {
  const folder = temporaryFolder();
  const cwd = join(folder, 'project');
  mkdirSync(join(cwd, '.policy'), { recursive: true });
  mkdirSync(join(cwd, '.git'));
  writeFiles(join(cwd, '.policy'), files);
  return { cwd, env: { HOME: join(folder, 'home'), XDG_STATE_HOME: join(folder, 'state') } };
}

/** The file of the log, with the lines of `logged`. */
function logOf({ env }: RunOptions): string {
  return join(env?.['XDG_STATE_HOME'] ?? '', 'policy/decisions.jsonl');
}

/** Output with the project's own folder named alike in every run. */
function named(text: string, cwd: string): string {
  return text.replaceAll(cwd, '/project');
}

describe('policy check', () => {
  test('is content with sound policies', async () => {
    const options = project({ 'a.yaml': REFUSING, 'a.test.yaml': SOUND_TEST });
    const stdout = 'No problems in 4 policies of 1 file\n';
    expect(await runCli(['check', '--host', 'picoclaw'], options)).toEqual({
      exitCode: 0,
      stdout,
      stderr: '',
    });
  });

  test('shows every problem of every file and ends with 3', async () => {
    const options = project({ 'a.yaml': BROKEN, 'b.yaml': SOUND, 'b.test.yaml': SOUND_TEST });
    const hosts = ['--host', 'picoclaw', '--host', 'gemini', '--host', 'jcli'];
    const { exitCode, stdout } = await runCli(['check', ...hosts], options);
    expect(exitCode).toBe(3);
    expectGolden(import.meta.dir, 'check/broken.txt', stdout);
  });

  test('shows every YAML mistake of a file, and the problems of the others', async () => {
    const { exitCode, stdout } = await runCli(
      ['check'],
      project({ 'a.yaml': MISTAKEN, 'b.yaml': 'version: 1\npolicies:\n\t- id: a\n', 'c.yaml': BROKEN }),
    );
    expect(exitCode).toBe(3);
    expectGolden(import.meta.dir, 'check/mistaken.txt', stdout);
  });

  test('says of an id that is used twice only that', async () => {
    const twin = (command: string) => `  - id: twin
    tool: shell
    arguments: {command: '^${command} now$'}
    action: deny
    reason: not here
    examples: {hit: [{command: ${command} now}], miss: [{command: ls}]}
`;
    const options = project({
      'a.yaml': `version: 1\npolicies:\n${twin('make')}${twin('cargo')}`,
      'a.test.yaml': 'cases:\n  - {call: {command: make now}, expect: deny}\n',
      'b.yaml': `version: 1\nname: a\npolicies:\n${twin('npm')}`,
    });
    const { exitCode, stdout } = await runCli(['check'], options);
    expect(exitCode).toBe(3);
    expect(stdout).toBe(`.policy/a.yaml:9:9 error duplicate-id  Cannot name two policies "twin" in one file
  9 |   - id: twin
    |         ^^^^ the first is in line 3
.policy/b.yaml:4:9 note duplicate-id  Policy "a/twin" holds as "a/twin@project/.policy/b.yaml": the id belongs to .policy/a.yaml
  4 |   - id: twin
    |         ^^^^ rename the policy, or give the file another "name"

1 error, 1 note in 2 files
`);
  });

  test.each(['json', 'github', 'sarif'])('has the same facts as %s', async (format) => {
    const { exitCode, stdout } = await runCli(['check', '--format', format], project({ 'a.yaml': BROKEN }));
    expect(exitCode).toBe(3);
    if (format === 'github')
      expect(stdout).toMatch(/^::error file=\.policy\/a\.yaml,line=5,col=5,.*title=unknown-key::/m);
    else expect(JSON.stringify(JSON.parse(stdout))).toContain('unknown-key');
  });

  test('takes --json for --format json', async () => {
    const { stdout } = await runCli(['check', '--json'], project({ 'a.yaml': BROKEN }));
    expect(JSON.parse(stdout)).toMatchObject({ version: 1, files: 1, errors: 2 });
  });

  test('runs the examples', async () => {
    const wrong = SOUND.replace(
      '    instead: Push',
      '    examples: {hit: [{command: git status}], miss: [{command: git push -f}]}\n    instead: Push',
    );
    const options = project({ 'a.yaml': wrong, 'a.test.yaml': SOUND_TEST });
    const { exitCode, stdout } = await runCli(['check', '.policy/a.yaml'], options);
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(/a\.yaml:8:\d+ error example {2}.*no-force-push/);
    expect(stdout).toContain('2 errors, 1 warning in 1 file');
  });

  test('names the policy of a project that is not trusted', async () => {
    const options = project({ 'a.yaml': SOUND, 'a.test.yaml': SOUND_TEST });
    const { exitCode, stdout } = await runCli(['check', '--host', 'picoclaw'], options);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      'a.yaml:24:9 note trust  Cannot use action "approve" of policy "a/tests": its project is not trusted',
    );
    expect(stdout).toEndWith('1 note in 1 file\n');
  });

  test('says how to begin where there is nothing', async () => {
    const options = project({});
    const { exitCode, stdout } = await runCli(['check'], { ...options, cwd: options.env['HOME'] ?? '' });
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout:
        'No policy files in .policy here or above it, nor in ~/.config/policy; policy init writes a first one\n',
    });
    const env = { ...options.env, XDG_CONFIG_HOME: '/x/y' };
    const moved = await runCli(['check'], { ...options, cwd: options.env['HOME'] ?? '', env });
    expect(moved.stdout).toContain('nor in /x/y/policy;');
  });

  test('refuses a path that leads nowhere', async () => {
    const { exitCode, stdout } = await runCli(['check', 'gone.yaml'], project({}));
    expect(exitCode).toBe(3);
    expect(stdout).toContain(
      'gone.yaml:1:1 error file  Cannot read policy file "gone.yaml": there is no such file or folder',
    );
    expect(stdout).toEndWith('\n1 error in 1 file\n');
  });
});

describe('policy explain', () => {
  const TIME = { transcript_path: '', timestamp: '2026-11-20T09:38:00Z' };
  const GEMINI = { hook_event_name: 'BeforeTool', session_id: 's', ...TIME };
  const explain = (args: readonly string[], call: unknown, more: RunOptions = {}) =>
    runCli(['explain', '--policies', '.policy', ...args], {
      ...project({ 'git.yaml': SOUND }),
      stdin: JSON.stringify(call),
      ...more,
    });

  test.each([
    [
      'a bare call',
      ['--host', 'gemini'],
      { tool: 'shell', arguments: { command: 'cd repo && sudo git push -f "$REMOTE"' } },
    ],
    ['a bare call verbosely', ['--host', 'gemini', '-v'], { tool: 'shell', command: 'git push -f' }],
    ['a call nothing is said about', ['--host', 'jcli'], { tool: 'list', path: '/tmp' }],
    [
      'a message of a host',
      [],
      { ...GEMINI, cwd: '/tmp', tool_name: 'read_file', tool_input: { file_path: '/project/.env\u001b[2J' } },
    ],
    [
      'a message of a host with its own answers',
      [],
      {
        jsonrpc: '2.0',
        id: 7,
        method: 'hook.before_tool',
        params: { meta: {}, tool: 'exec', arguments: { action: 'run', command: 'npm test' } },
      },
    ],
    ['a prompt', ['--host', 'gemini'], { prompt: 'Delete everything' }],
  ])('shows %s', async (what, args, call) => {
    const { exitCode, stdout, stderr } = await explain(args, call);
    expect([exitCode, stderr]).toEqual([0, '']);
    expectGolden(import.meta.dir, `explain/${what.replaceAll(' ', '-')}.txt`, stable(stdout));
  });

  test.each([
    ['gemini', { prompt: 'the blue one' }, 'This agent cannot carry out the rewrite (redact).'],
    [
      'picoclaw',
      { on: 'before_llm', messages: [{ role: 'system', content: 'the blue one' }] },
      'PicoClaw keeps its tools and system messages as they are.',
    ],
  ])('says what a policy is for where %s refuses what it would rewrite', async (host, call, cause) => {
    const policy = `version: 1
name: inside
policies:
  - id: colours
    description: Keeps colours inside
    on: [before_prompt, before_llm]
    action: modify
    rewrite: {redact: [{regex: blue, with: a}]}
`;
    const { stdout } = await explain(['--host', host, '-v'], call, project({ 'inside.yaml': policy }));
    expect(stdout).toContain(`"Refused by inside/colours: keeps colours inside. ${cause}"`);
  });

  const MEDDLING = `version: 1
name: meddling
policies:
  - id: to-pnpm
    tool: shell
    arguments: {command: '^npm'}
    action: modify
    rewrite: {program: {npm: pnpm}}
  - id: no-pnpm
    tool: shell
    arguments: {command: '^pnpm run'}
    action: deny
    reason: no scripts
  - id: no-yarn
    tool: shell
    arguments: {command: '^yarn'}
    action: modify
    rewrite: {program: {yarn: npm}}
`;

  test.each([
    ['a call that was rewritten', 'npm test'],
    ['a call refused as it was rewritten', 'npm run build'],
    ['a call that would be rewritten twice', 'yarn test'],
  ])('says where the policies stand that rewrote %s', async (what, command) => {
    const options = project({ 'meddling.yaml': MEDDLING });
    const { stdout } = await explain(['--host', 'picoclaw'], { tool: 'shell', command }, options);
    expectGolden(import.meta.dir, `explain/${what.replaceAll(' ', '-')}.txt`, stable(stdout));
  });

  test('says that a message with numbers that cannot be kept is not rewritten', async () => {
    const message =
      '{"hook_event_name":"BeforeTool","session_id":"s","cwd":"/w","tool_name":"run_shell_command","tool_input":{"command":"npm test","id":9007199254740993}}';
    const options = { ...project({ 'meddling.yaml': MEDDLING }), stdin: message };
    const { stdout } = await runCli(['explain', '--policies', '.policy'], options);
    expect(stdout).toContain('its numbers have more digits than can be kept');
    expect(stdout).not.toContain('pnpm test');
  });

  test('says as data which policies rewrote a call', async () => {
    const options = project({ 'meddling.yaml': MEDDLING });
    const { stdout } = await explain(['--json'], { tool: 'shell', command: 'npm run build' }, options);
    expect(JSON.parse(stdout)).toMatchObject({
      decision: { action: 'deny', policy: 'meddling/no-pnpm', rewritten_by: ['meddling/to-pnpm'] },
      answered: { rewritten_by: ['meddling/to-pnpm'] },
    });
  });

  test('knows the files of the policies in force, as the hook does', async () => {
    const options = project({ 'rules.yaml': SOUND });
    const path = join(options.cwd, '.policy/rules.yaml');
    const rules = join(options.cwd, 'team-rules.yaml');
    renameSync(path, rules);
    const { stdout } = await runCli(
      ['explain', '--policies', rules, '--policies', 'builtin:self-protection'],
      { ...options, stdin: JSON.stringify({ tool: 'write', path: rules, content: '' }) },
    );
    expect(stdout).toStartWith('deny  self-protection/');
  });

  test('takes --workspace for the directory of the session, as the hook does', async () => {
    const options = project({
      'outside.yaml':
        'version: 1\npolicies:\n  - {id: outside, path: {outside: workspace}, action: deny, reason: stay inside}\n',
    });
    const call = { ...GEMINI, cwd: '/usr', tool_name: 'read_file', tool_input: { file_path: '/usr/x' } };
    const args = ['explain', '--policies', '.policy'];
    const stdin = JSON.stringify(call);
    expect((await runCli(args, { ...options, stdin })).stdout).toStartWith('continue');
    expect((await runCli([...args, '--workspace', '.'], { ...options, stdin })).stdout).toStartWith('deny');
    const { stderr } = await runCli([...args, '--workspace', import.meta.path], { ...options, stdin });
    expect(stderr).toContain('it is a file; name a folder');
  });

  test('has no action for a judge that is only watched', async () => {
    const policy = `version: 1
name: watched
judges:
  default: {provider: openai-compatible, base_url: 'http://127.0.0.1:1/v1', model: some-model}
policies:
  - {id: judged, type: llm_judge, mode: monitor, tool: shell, prompt: 'Is {{arguments.command}} fine?'}
`;
    const call = { tool: 'shell', command: 'ls' };
    const { stdout } = await explain(['--json'], call, project({ 'a.yaml': policy }));
    expect(JSON.parse(stdout).policies).toMatchObject([
      { id: 'watched/judged', action: null, mode: 'monitor', fate: 'monitored' },
    ]);
  });

  test('has the same facts as data', async () => {
    const call = { tool: 'shell', command: 'git push -f' };
    const json = JSON.parse((await explain(['--host', 'gemini', '--json'], call)).stdout);
    expect(json).toMatchObject({
      version: 1,
      host: 'gemini',
      event: 'before_tool',
      native_event: 'BeforeTool',
      tool: { name: 'run_shell_command', classes: ['shell'] },
      decision: { action: 'deny', policy: 'git/no-force-push' },
      answered: { action: 'deny' },
    });
    expect(json.policies.map(({ id, fate }: { id: string; fate: string }) => [id, fate])).toEqual([
      ['git/no-force-push', 'matched'],
      ['git/no-secrets', 'no_match'],
      ['git/from-chat', 'unknown'],
      ['git/watch', 'monitored'],
      ['git/tests', 'no_match'],
    ]);
    expect(JSON.parse(json.reply.stdout)).toMatchObject({ decision: 'deny' });
  });

  test.each([
    [{ on: 'before_prompt', prompt: 'x' }, 'before_prompt'],
    [{ prompt: 'secret' }, 'before_prompt'],
    [{ on: 'session_start' }, 'session_start'],
    [{ on: 'before_compact' }, 'before_compact'],
    [{ on: 'tool_choice' }, 'tool_choice'],
    [{ on: 'tool_failure', result: 'x' }, 'tool_failure'],
    [{ on: 'notification' }, 'notification'],
    [{ tool: 'shell', command: 'ls' }, 'before_tool'],
  ])('judges %j where no agent is found, and invents none', async (call, event) => {
    const { stdout } = await explain(['--json'], call);
    expect(JSON.parse(stdout)).toMatchObject({ host: null, reply: null, event });
    const text = (await explain([], call)).stdout;
    expect(text).toContain('no agent is found here');
    for (const { name } of HOSTS) expect(text).not.toContain(name);
  });

  test.each([
    ['approve_tool', 'gemini'],
    ['tool_failure', 'picoclaw'],
    ['before_prompt', 'picoclaw'],
    ['tool_choice', 'jcli'],
  ] as const)('refuses %s for %s, which has no such event', async (on, host) => {
    const able = HOSTS.filter(({ supports }) => supports(undefined)[on] !== undefined);
    const others = able.map(({ name }) => name).join(', ');
    const { exitCode, stdout, stderr } = await explain(['--host', host], { on });
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toBe(
      `policy explain: Cannot explain on: ${on} for ${host}: it has no such event; agents that do: ${others}\nTry policy explain --help\n`,
    );
  });

  test('reads a file as well', async () => {
    const options = project({ 'git.yaml': SOUND });
    writeFileSync(join(options.cwd, 'call.json'), '{"tool":"shell","command":"git push -f"}');
    const { stdout } = await runCli(['explain', 'call.json', '--policies', '.policy'], options);
    expect(stdout).toStartWith('deny  git/no-force-push');
  });

  test.each([
    ['-c', 'git push -f', { action: 'deny', policy: 'git/no-force-push' }],
    ['--command', 'git push', { action: 'deny', policy: 'git/from-chat' }],
  ])('takes a shell command as it is, after %s', async (option, command, decision) => {
    const options = { ...project({ 'git.yaml': SOUND }), isTTY: true };
    const { stdout } = await runCli(['explain', '--policies', '.policy', '--json', option, command], options);
    expect(JSON.parse(stdout)).toMatchObject({ tool: { classes: ['shell'] }, decision });
  });

  test('leaves no trace of itself', async () => {
    const options = project({ 'git.yaml': SOUND });
    await runCli(['explain'], { ...options, stdin: '{"tool":"shell","command":"git push -f"}' });
    expect(existsSync(options.env['XDG_STATE_HOME'] ?? '')).toBe(false);
  });

  test('shows what is wrong with policies that cannot be loaded', async () => {
    const { exitCode, stdout, stderr } = await runCli(['explain'], {
      ...project({ 'a.yaml': BROKEN }),
      stdin: '{"tool":"shell"}',
    });
    expect([exitCode, stdout]).toEqual([3, '']);
    expect(stderr).toContain('a.yaml:5:5 error unknown-key');
    expect(stderr).toEndWith('The hook refuses every call until this is fixed\n');
  });

  test.each([
    ['', 'there is none; give --command'],
    ['[]', 'it is not a JSON object'],
    ['{"foo":1}', 'nor a bare call such as {"tool":"shell"'],
    ['{"tool":1}', 'write a string'],
    ['{"on":"before_tol"}', 'did you mean "before_tool"?'],
  ])('refuses %j with what is wanted', async (stdin, message) => {
    const { exitCode, stderr } = await runCli(['explain'], { ...project({}), stdin });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });

  test('waits for nobody to type, and takes one call', async () => {
    expect((await runCli(['explain'], { ...project({}), isTTY: true })).stderr).toContain(
      'name a file, or - for standard input',
    );
    expect((await runCli(['explain', 'gone.json'], project({}))).stderr).toContain(
      'Cannot read the call "gone.json": there is no such file; a shell command goes into --command',
    );
    expect((await runCli(['explain', '-c', 'ls', 'a'], project({}))).stderr).toContain('give one call');
    const several = await runCli(['explain', 'git', 'push'], project({}));
    expect(several.exitCode).toBe(2);
    expect(several.stderr).toContain("a shell command goes into --command 'git push'");
  });
});

describe('policy trust', () => {
  test('shows what the set can do, and asks a person', async () => {
    const options = project({ 'git.yaml': SOUND });
    const person = { ...options, isTTY: true, env: { ...options.env, NO_COLOR: '1' } };
    const no = await runCli(['trust'], { ...person, stdin: '\n' });
    expect([no.exitCode, no.stderr]).toEqual([1, 'Trust them as they are now? [y/N] ']);
    expectGolden(import.meta.dir, 'trust/new.txt', named(no.stdout, options.cwd));
    const yes = await runCli(['trust'], { ...person, stdin: 'Yes\n' });
    expect(yes.exitCode).toBe(0);
    expect(named(yes.stdout, options.cwd)).toEndWith('Trusted /project\n');
    expect((await runCli(['check', '--host', 'picoclaw'], options)).stdout).not.toContain('not trusted');
  });

  test('prints what its help shows', async () => {
    const build = `version: 1
description: Building
policies:
  - id: allow-tests
    on: approve_tool
    tool: shell
    arguments: {command: '^npm test$'}
    action: approve
    examples:
      hit: [{command: npm test}]

  - id: weather
    tool_matcher: weather
    action: respond
    run: {argv: [scripts/weather]}
`;
    const options = project({ 'build.yaml': build });
    const env = { ...options.env, NO_COLOR: '1' };
    const { stdout, stderr } = await runCli(['trust'], { ...options, isTTY: true, stdin: 'y\n', env });
    const shown = stdout.replaceAll(options.cwd, '/home/me/project').trimEnd().split('\n');
    const [command, ...example] = trust.example;
    expect(command).toBe('$ policy trust');
    expect([...shown.slice(0, -1), `${stderr}y`, ...shown.slice(-1)]).toEqual(example);
  });

  test('shows all that is agreed to, and marks what has changed', async () => {
    const prompt = `${'Is this fine? '.repeat(40)}\n\u202eEND {{arguments.command}}`;
    const command = { run: 'deployer', args: { first: 'x'.repeat(300) } };
    const judged = {
      version: 1,
      programs: { deployer: { destroys: 'infrastructure' } },
      policies: [
        { id: 'asks', type: 'llm_judge', tool: 'shell', prompt, priority: 3 },
        { id: 'ok', tool: 'shell', command, action: 'approve' },
        { id: 'no', tool: 'shell', action: 'deny' },
      ],
    };
    const options = project({ 'a.yaml': JSON.stringify(judged) });
    const { stdout } = await runCli(['trust'], { ...options, isTTY: true, stdin: '\n' });
    const text = stdout.replace(/\u001b\[\d+m/g, '');
    for (const shown of [
      'Is this fine? '.repeat(40).trim(),
      '\\u{202e}END {{arguments.command}}',
      'priority: 3',
      'on_error: deny',
      'x'.repeat(300),
      'deployer:',
      'destroys: {infrastructure: true}',
    ]) {
      expect(text).toContain(shown);
    }
    expect(text).not.toContain('\u202e');
    expect(text).not.toContain('a/no');
    expect((await runCli(['trust', '--yes'], options)).exitCode).toBe(0);
    const policies = judged.policies.with(2, { id: 'new', tool: 'write', action: 'approve' });
    writeFileSync(join(options.cwd, '.policy/a.yaml'), JSON.stringify({ ...judged, policies }));
    const lines = (await runCli(['trust'], { ...options, isTTY: true, stdin: '\n' })).stdout.split('\n');
    expect(lines.filter((line) => line.includes('new or changed'))).toEqual([
      expect.stringContaining('a/new'),
    ]);
  });

  test('asks nobody who cannot answer', async () => {
    const options = project({ 'git.yaml': SOUND });
    const { exitCode, stderr } = await runCli(['trust'], { ...options, stdin: 'y\n' });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('agree with --yes');
    expect((await runCli(['check'], options)).stdout).toContain('not trusted');
  });

  test('trusts with --yes, notices a change, and takes trust back', async () => {
    const options = project({ 'git.yaml': SOUND });
    expect((await runCli(['trust', '--yes'], options)).exitCode).toBe(0);
    expect((await runCli(['trust'], options)).stdout).toContain('trusted as it is now');
    writeFileSync(join(options.cwd, '.policy', 'git.yaml'), SOUND.replace('^npm test', '^npm'));
    expect((await runCli(['check'], options)).stdout).toContain(
      'it has changed since its project was trusted',
    );
    const json = JSON.parse((await runCli(['trust', '--json'], options)).stdout);
    expect(json).toMatchObject({
      version: 1,
      sets: [{ root: options.cwd, state: 'changed', policies: [{ id: 'git/tests', action: 'approve' }] }],
    });
    const revoked = async () => (await runCli(['trust', '--revoke'], options)).stdout;
    expect(await revoked()).toBe(`Took back the trust in ${options.cwd}\n`);
    expect(await revoked()).toBe(`Nothing of ${options.cwd} was trusted\n`);
    expect((await runCli(['check'], options)).stdout).toContain('its project is not trusted');
  });

  test('has nothing to ask about policies that only refuse', async () => {
    const { exitCode, stdout } = await runCli(['trust'], project({ 'a.yaml': REFUSING }));
    const nothing = 'Nothing to trust: the policies here only refuse, or there are none\n';
    expect([exitCode, stdout]).toEqual([0, nothing]);
  });

  test('trusts no policies that cannot be loaded', async () => {
    const options = project({ 'a.yaml': BROKEN, 'b.yaml': SOUND });
    const { exitCode, stderr } = await runCli(['trust', '--yes'], options);
    expect(exitCode).toBe(3);
    expect(stderr).toEndWith('Cannot trust policies that cannot be loaded\n');
  });
});

/** A project whose log has three kinds of decisions. */
function logged(): RunOptions {
  const options = project({});
  const folder = join(options.env['XDG_STATE_HOME'] ?? '', 'policy');
  mkdirSync(folder, { recursive: true });
  const log = openDecisionLog({ folder: () => folder, buffered: true });
  const deny = rule({ id: 'git/no-force-push', action: 'deny' });
  const entry = { host: 'gemini', event: toolEvent('t', {}), digest: 'd', durationUs: 40, failed: undefined };
  const nothing = { hits: [], skipped: [], trace: [] };
  for (let i = 0; i < 1_200; i++) log.log({ ...entry, outcome: { ...nothing, decision: noOpinion() } });
  const decision = decide({ action: 'deny', policyId: deny.id });
  const times = [{ rule: deny, durationUs: 31 }];
  const hits = [{ rule: deny, how: 'matched' as const }];
  log.log({ ...entry, outcome: { ...nothing, decision, hits, skipped: ['a/b'], times } });
  const refused = { ...nothing, decision: decide({ action: 'deny' }) };
  log.log({ ...entry, durationUs: 20_000, outcome: refused, failed: 'not JSON' });
  log.close();
  return options;
}

describe('policy report', () => {
  test('counts what the log says', async () => {
    const { exitCode, stdout } = await runCli(['report'], logged());
    expect(exitCode).toBe(0);
    expectGolden(import.meta.dir, 'report.txt', stdout.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'));
  });

  test('has the same facts as data', async () => {
    const { stdout } = await runCli(['report', '--json', '--since', '1h'], logged());
    expect(JSON.parse(stdout)).toMatchObject({
      version: 1,
      decisions: 1_202,
      failed: 1,
      unreadable_lines: 0,
      actions: { continue: 1_200, deny: 2, modify: 0 },
      policies: [
        { id: 'a/b', skipped: 1, matched: 0, total_us: 40, mean_us: 40 },
        { id: 'git/no-force-push', skipped: 0, matched: 1, measured: 1, own_us: 31, max_own_us: 31 },
      ],
    });
  });

  test('leaves out what is older than asked for', async () => {
    const { stdout } = await runCli(['report', '--since', '2099-01-01'], logged());
    expect(stdout).toBe('No decisions in the log: policy doctor says whether your agents ask\n');
  });

  test('says what keeps decisions from being logged', async () => {
    const options = project({});
    const folder = join(options.env['XDG_STATE_HOME'] ?? '', 'policy');
    mkdirSync(join(folder, 'decisions.jsonl'), { recursive: true });
    const { exitCode, stderr } = await runCli(['report'], options);
    expect(exitCode).toBe(0);
    expect(stderr).toStartWith('Decisions are not logged: ');
    expect((await runCli(['report'], logged())).stderr).toBe('');
  });

  test.each([
    [1, '1 line of the log cannot be read and does not count'],
    [2, '2 lines of the log cannot be read and do not count'],
  ])('says that %d lines cannot be read', async (count, expected) => {
    const options = logged();
    const log = logOf(options);
    writeFileSync(log, readFileSync(log, 'utf8') + 'spoilt\n'.repeat(count));
    const { stdout } = await runCli(['report'], options);
    expect(stdout).toEndWith(`\n${expected}\n`);
  });

  test('has nothing to say where nothing was logged', async () => {
    expect((await runCli(['report'], project({}))).stdout).toBe(
      'No decisions in the log: policy doctor says whether your agents ask\n',
    );
  });
});

describe('policy docs hosts and policy docs schema', () => {
  test('hosts NAME prints what is known of a host, and hosts the page about them', async () => {
    expect((await runCli(['docs', 'hosts', 'gemini'])).stdout).toContain('before_tool  BeforeTool');
    expect((await runCli(['docs', 'hosts'])).stdout).toContain('| agent | `hard_abort` |');
  });

  test('hosts --json prints data of a version, and of all hosts', async () => {
    const one = await runCli(['docs', 'hosts', 'picoclaw', '--host-version', '0.2.4', '--json']);
    expect(JSON.parse(one.stdout)).toMatchObject({ version: 1, hosts: [{ name: 'picoclaw' }] });
    const all = JSON.parse((await runCli(['docs', 'hosts', '--json'])).stdout);
    expect(all.hosts).toHaveLength(HOSTS.length);
  });

  test.each([
    [[], 'Policy file'],
    [['policy'], 'Policy file'],
    [['test'], 'Policy test file'],
  ])('schema %j prints a JSON Schema', async (args, title) => {
    const json = JSON.parse((await runCli(['docs', 'schema', ...args])).stdout);
    expect(json).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema', title });
  });
});

describe('colours', () => {
  const ESCAPE = '\u001b[';
  const HOST = ['docs', 'hosts', 'gemini'];
  const NO_PAGER = { PAGER: '' };

  test('are for a terminal', async () => {
    expect((await runCli(HOST, { isTTY: true, env: NO_PAGER })).stdout).toContain(ESCAPE);
    expect((await runCli(HOST, { isTTY: false })).stdout).not.toContain(ESCAPE);
  });

  test.each([{ NO_COLOR: '1' }, { TERM: 'dumb' }])('are not for one with %p', async (env) => {
    expect((await runCli(HOST, { isTTY: true, env: { ...NO_PAGER, ...env } })).stdout).not.toContain(ESCAPE);
  });

  test('are kept if NO_COLOR is empty', async () => {
    const env = { ...NO_PAGER, NO_COLOR: '' };
    expect((await runCli(HOST, { isTTY: true, env })).stdout).toContain(ESCAPE);
  });
});

describe('policy log', () => {
  test.each<[readonly string[], number]>([
    [['--last', '0'], 1_202],
    [[], 50],
    [['-n', '3'], 3],
    [['--action', 'deny'], 2],
    [['--action', 'deny', '--policy', 'git/*'], 1],
    [['--policy', 'a/b'], 1],
    [['--tool', 't', '--action', 'deny'], 2],
    [['--tool', 'x'], 1],
    [['--host', 'gemini', '--action', 'deny', '--action', 'modify'], 2],
    [['--host', 'jcli'], 1],
    [['--since', '1h', '--action', 'deny'], 2],
    [['--until', '1h', '--action', 'deny'], 1],
  ])('with %j shows %d lines', async (args, count) => {
    const { exitCode, stdout } = await runCli(['log', ...args], logged());
    expect(exitCode).toBe(0);
    expect(stdout.trimEnd().split('\n')).toHaveLength(count);
    if (count === 1 && !args.includes('--policy')) expect(stdout).toBe('No such decisions in the log\n');
  });

  test('shows what was decided, newest last, and says that there is more', async () => {
    const { stdout, stderr } = await runCli(['log', '-n', '2', '-v'], logged());
    expectGolden(
      import.meta.dir,
      'log.txt',
      stdout.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-11-20T09:38:00.123Z').replace(/\S+-x[cd]\b/g, 'ID'),
    );
    expect(stderr).toBe('The newest 2 of 1,202 decisions; --last 0 shows all\n');
  });

  test('prints the records as they are', async () => {
    const { stdout, stderr } = await runCli(['log', '--json'], logged());
    const records = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(records).toHaveLength(1_202);
    expect(records.at(-1)).toMatchObject({ version: 1, action: 'deny', failed: 'not JSON' });
    expect(stderr).toBe('');
  });

  test('does to the terminal only what it shows', async () => {
    const options = logged();
    const path = logOf(options);
    const evil = '\u001b]0;x\u0007\u202e\u009b\u2066';
    const record = JSON.parse(readFileSync(path, 'utf8').split('\n')[0] ?? '');
    for (const key of ['host', 'tool', 'policy', 'reason', 'session', 'failed', 'action']) record[key] = evil;
    writeFileSync(path, `${JSON.stringify({ ...record, skipped: [evil] })}\n`);
    const { stdout } = await runCli(['log', '-v'], options);
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    const json = await runCli(['log', '--json'], options);
    expect(json.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2066]/);
    expect(JSON.parse(json.stdout)).toMatchObject({ session: evil, policy: evil });
  });

  test('verify says that there is no log, whether the folder is there or not, and fails', async () => {
    const options = logged();
    const state = join(options.env?.['XDG_STATE_HOME'] ?? '', 'policy');
    for (const file of ['decisions.jsonl', 'decisions.head']) rmSync(join(state, file));
    const gone = await runCli(['log', 'verify'], options);
    expect(gone.exitCode).toBe(1);
    expect(gone.stdout).toContain('There is no log');
    rmSync(state, { recursive: true });
    expect((await runCli(['log', 'verify'], options)).exitCode).toBe(1);
  });

  test('verify tells what was changed, and fails', async () => {
    const options = logged();
    const good = await runCli(['log', 'verify'], options);
    expect(good.stdout).toMatch(
      /^1,202 lines, as they were written\nThe digest of the last line is [0-9a-f]{64}\n$/,
    );
    expect(good.exitCode).toBe(0);
    const path = logOf(options);
    writeFileSync(path, readFileSync(path, 'utf8').replace('"how":"matched"', '"how":"unknown"'));
    const bad = await runCli(['log', 'verify'], options);
    expect(bad.exitCode).toBe(1);
    expect(bad.stdout).toContain('decisions.jsonl:');
    const json = await runCli(['log', 'verify', '--json'], options);
    expect(JSON.parse(json.stdout)).toMatchObject({
      version: 1,
      lines: 1_202,
      findings: [{ file: 'decisions.jsonl' }],
    });
  });

  test.each([
    [['x'], 'Cannot use "x": write policy log, or policy log verify'],
    [['verify', 'x'], 'Cannot use "x": write policy log, or policy log verify'],
    [
      ['verify', '--expect', 'abc'],
      'Cannot use --expect "abc": give the 64 hex digits that verify has printed',
    ],
    [['--action', 'denny'], 'Cannot use action "denny": did you mean "deny"?'],
    [['--host', 'gemmini'], 'Cannot use agent "gemmini": did you mean "gemini"?'],
    [['--until', 'never'], 'Cannot use --until "never": give a span such as 24h or 7d, or a date'],
    [['--last', 'x'], 'Cannot use --last "x": give a whole number from 0 to 9999999'],
  ])('refuses %j', async (args, problem) => {
    const { exitCode, stderr } = await runCli(['log', ...args], project({}));
    expect(exitCode).toBe(2);
    expect(stderr).toBe(`policy log: ${problem}\nTry policy log --help\n`);
  });
});
