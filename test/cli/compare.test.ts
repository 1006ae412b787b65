import { describe, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../../src/lib/json.ts';
import { expectGolden } from '../support/golden.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeFiles } from '../support/write-files.ts';
import { logDecisions } from './logged-decisions.ts';
import { HOST_NAMES, type RunOptions, runCli } from './test-io.ts';

const OLD = `version: 1
policies:
  - id: no-force-push
    command: {subcommand: [git, push], flags: {any: [--force]}}
    action: deny
    reason: A force push rewrites history
    examples:
      hit: [{command: git push --force}, {command: sudo git push -f}]
      miss: [{command: git push}]
  - id: no-env
    path: {match: .env, uses: [read]}
    action: deny
    reason: Secrets stay where they are
    examples: {hit: [{tool: read, path: .env}]}
  - id: tests
    command: {subcommand: [npm, test]}
    action: approve
    examples: {hit: [{command: npm test}]}
  - id: shorten
    on: after_tool
    tool: shell
    action: modify
    rewrite: {replace: [{at: '*', regex: secret, with: hidden}]}
    examples: {hit: [{on: after_tool, tool: shell, command: ls, result: secret}]}
`;
const NEW = OLD.replace('{any: [--force]}', '{any: [--mirror]}')
  .replace(
    'hit: [{command: git push --force}, {command: sudo git push -f}]',
    'hit: [{command: git push --mirror}]',
  )
  .replace('stay where they are', 'are not for models')
  .replace('action: approve', 'action: continue')
  .replace('with: hidden', 'with: gone');

interface Project extends RunOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

function project(files: Readonly<Record<string, string>>): Project {
  const folder = temporaryFolder();
  const cwd = join(folder, 'project');
  writeFiles(cwd, files);
  return { cwd, env: { HOME: join(folder, 'home'), XDG_STATE_HOME: join(folder, 'state') } };
}

function git({ cwd }: Project, ...args: readonly string[]): void {
  const child = Bun.spawnSync(['git', '-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], { cwd });
  if (child.exitCode !== 0) throw new Error(child.stderr.toString());
}

function call(command: string, more: Readonly<Record<string, Json>> = {}): Readonly<Record<string, Json>> {
  return {
    hook_event_name: 'BeforeTool',
    session_id: 's',
    transcript_path: '',
    cwd: '/work',
    timestamp: '2026-11-20T09:38:00Z',
    tool_name: 'run_shell_command',
    tool_input: { command },
    ...more,
  };
}

function log({ cwd, env }: Project, messages: readonly Json[], keepInput = true, host = 'gemini') {
  const stateHome = env['XDG_STATE_HOME'] ?? '';
  return logDecisions(messages, { host, policies: [join(cwd, '.policy')], cwd, stateHome, keepInput });
}

/** Logs what PicoClaw asks before a tool runs. */
function logPicoclaw(options: Project, params: Json, id: Json = 7, methods = ['hook.before_tool']) {
  const messages = methods.map((method) => ({ jsonrpc: '2.0', id, method, params }) as Json);
  return log(options, messages, true, 'picoclaw');
}

/** A call of the tool that writes files, in a folder of its own. */
function writing(content: string): Readonly<Record<string, Json>> {
  const tool_input = { file_path: '/work/app/src/a.txt', content };
  return call('', { cwd: '/work/app', tool_name: 'write_file', tool_input });
}

function textOf({ cwd }: Project, name = '.policy/a.test.yaml'): string {
  return readFileSync(join(cwd, name), 'utf8');
}

const SIDES = { 'old/a.yaml': OLD, 'new/a.yaml': NEW };
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

describe('policy diff', () => {
  const sides = () => project(SIDES);

  test('shows what is decided differently, what got looser first', async () => {
    const { exitCode, stdout, stderr } = await runCli(['diff', 'old', 'new'], sides());
    expect([exitCode, stderr]).toEqual([1, '']);
    expectGolden(import.meta.dir, 'diff/loosened.txt', stdout);
  });

  test('takes an approval for looser than no opinion, and has the same facts as data', async () => {
    const { exitCode, stdout } = await runCli(['diff', 'new', 'old', '--json'], sides());
    expect(exitCode).toBe(1);
    const data = JSON.parse(stdout);
    expect(data).toMatchObject({ version: 1, calls: 7, loosened: 2, changed: 2, tightened: 2 });
    expect(data.differences[1]).toMatchObject({
      change: 'loosened',
      policy: 'a/tests',
      call: 'shell npm test',
      before: { action: 'continue' },
      after: { action: 'approve' },
    });
    const changed = data.differences.filter(({ change }: { change: string }) => change === 'changed');
    expect(changed.map(({ parts }: { parts: unknown }) => parts)).toEqual([['reason'], ['rewrite']]);
    const same = await runCli(['diff', 'old', 'old'], sides());
    expect([same.exitCode, same.stdout]).toEqual([0, 'No difference in 6 calls\n']);
  });

  test('judges the cases of tests beside the policies, through their hosts', async () => {
    const options = project({
      ...SIDES,
      'new/a.test.yaml':
        'cases:\n  - {call: {command: git push --force x}, hosts: [gemini, jcli], expect: deny}\n',
    });
    const { stdout } = await runCli(['diff', 'old', 'new'], options);
    expect(stdout).toMatch(/deny → continue +shell git push --force x on gemini +new\/a\.test\.yaml:2/);
    expect(stdout).toMatch(/shell git push --force x on jcli/);
  });

  test('cuts long groups short unless told', async () => {
    const calls = Array.from({ length: 12 }, (_, i) => `{"command":"git push --force b${i}"}`).join('\n');
    const options = { ...sides(), stdin: calls };
    const cut = await runCli(['diff', 'old', 'new', '--calls', '-'], options);
    expect(cut.stdout).toContain('and 5 more (-v lists them)\n');
    expect(cut.stdout).toEndWith('12 loosened of 12 calls\n');
    const whole = await runCli(['diff', 'old', 'new', '--calls', '-', '-v'], options);
    expect(whole.stdout).toContain('git push --force b11');
  });

  test('takes calls, messages of hosts and logged decisions', async () => {
    const options = project({ '.policy/a.yaml': OLD, 'new/a.yaml': NEW });
    await log(options, [call('git push --force'), call('ls')]);
    const logged = await runCli(['diff', '.policy', 'new', '--calls', 'log'], options);
    expect(logged.exitCode).toBe(1);
    expect(logged.stdout).toMatch(/deny → continue {2}gemini run_shell_command git push --force {2}\d{4}-/);
    expect(logged.stdout).toEndWith('1 loosened of 2 calls\n');
    const lines = [JSON.stringify(call('git push --force')), '', '{"tool":"read","path":".env"}'].join('\n');
    writeFileSync(join(options.cwd, 'calls.jsonl'), lines);
    const named = await runCli(['diff', '.policy', 'new', '--calls', 'calls.jsonl'], options);
    expect(named.stdout).toContain('calls.jsonl:1');
    expect(named.stdout).toEndWith('1 loosened, 1 changed of 2 calls\n');
  });

  test('reads revisions of the repository, at the path of the other side or one of their own', async () => {
    const options = project({
      '.policy/a.yaml': 'version: 1\nextends: [../shared/b.yaml]\n',
      'shared/b.yaml': OLD,
    });
    git(options, 'init', '-q');
    git(options, 'add', '-A');
    git(options, 'commit', '-q', '-m', 'one');
    writeFileSync(join(options.cwd, 'shared/b.yaml'), NEW);
    for (const args of [
      ['git:HEAD', '.policy'],
      ['git:HEAD:.policy', 'shared/b.yaml'],
      ['git:HEAD:shared', 'shared'],
    ]) {
      const { exitCode, stdout, stderr } = await runCli(['diff', ...args], options);
      expect([exitCode, stderr]).toEqual([1, '']);
      expect(stdout).toContain('deny → continue  shell git push --force');
    }
    const { stdout } = await runCli(['diff', 'git:HEAD', '.policy'], { ...options, cwd: options.cwd });
    expect(stdout).toContain('git:HEAD:shared/b.yaml:8');
    const back = await runCli(['diff', '.policy', 'git:HEAD'], options);
    expect(back.stderr).toBe(
      'Going back to git:HEAD, since OLD comes first; for what .policy changes, name it second\n',
    );
  });

  test('lists what changes although no call shows it', async () => {
    const rest = '    action: deny\n    reason: r\n';
    const tested = `version: 1\npolicies:\n  - id: a\n    command: rm\n${rest}    examples: {hit: [{command: rm x}]}\n`;
    const options = project({
      'old/a.yaml': `${tested}  - id: gone\n    command: dd\n${rest}`,
      'new/a.yaml': tested.replace('command: rm\n', 'command: [rm, shred]\n'),
    });
    const { exitCode, stdout } = await runCli(['diff', 'old', 'new'], options);
    expect([exitCode, stdout]).toEqual([
      0,
      'No call shows these:\nremoved  policy a/gone  action deny\nchanged  policy a/a     when {"command":"rm"} → {"command":["rm","shred"]}\n\nNo difference in 1 call\n',
    ]);
    const data = JSON.parse((await runCli(['diff', 'old', 'new', '--json'], options)).stdout);
    expect(data.declared[1]).toEqual({ kind: 'changed', what: 'policy a/a', parts: ['when'] });
  });

  test('judges the examples and the tests of packs', async () => {
    const { exitCode, stdout } = await runCli(
      ['diff', 'builtin:model-guard', 'builtin:git-safety', '-v'],
      sides(),
    );
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/ builtin:git-safety:\d+\n/);
    expect(stdout).toMatch(/ builtin:git-safety\/policy\.test\.yaml:\d+\n/);
    expect(stdout).toMatch(/ builtin:model-guard\/policy\.test\.yaml:\d+\n/);
    expect(stdout).toMatch(/^loosened {2}model-guard\//m);
    expect(stdout).toMatch(/^tightened {2}git-safety\//m);
  });

  test.each<readonly [readonly string[], string]>([
    [['old'], 'name two sets of policies'],
    [[], 'name two sets of policies'],
    [['old', '--calls', 'tests'], 'name two sets of policies'],
    [['old', 'new', '--by', 'host'], 'Cannot use --by "host": it can only be --by repository'],
    [['new', '--calls', 'calls.jsonl'], 'none is known; name OLD and NEW'],
    [['old', 'new', 'more'], 'name two sets of policies'],
    [['git:', 'new'], 'name a revision'],
    [['git:-x', 'new'], 'there is no such revision here'],
    [['old', 'new', '--calls', 'gone'], 'there is no such file'],
    [['old', 'new', '--calls', 'log'], 'there are no calls to judge'],
    [['bare', 'bare'], 'no examples and no test cases'],
  ])('refuses %j', async (args, message) => {
    const bare = 'version: 1\npolicies: [{id: a, tool: shell, action: deny}]\n';
    const { exitCode, stderr } = await runCli(
      ['diff', ...args],
      project({ ...SIDES, 'bare/a.yaml': bare, 'calls.jsonl': '{"command":"ls"}\n' }),
    );
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });

  test('names both paths that are nowhere, and offers a revision only where there is one', async () => {
    const options = sides();
    const { exitCode, stderr } = await runCli(['diff', 'a', 'b'], options);
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/"b".*"a"/s);
    expect(stderr).not.toContain('git:');
    execFileSync('git', ['init', '-q'], { cwd: options.cwd });
    const author = ['-c', 'user.name=a', '-c', 'user.email=a@b.c'];
    execFileSync('git', [...author, 'commit', '-q', '--allow-empty', '-m', 'a'], { cwd: options.cwd });
    expect((await runCli(['diff', 'HEAD', 'new'], options)).stderr).toContain('is written git:HEAD');
  });

  test.each([
    ['{', 'it is not JSON'],
    ['[]', 'it is not a JSON object'],
    ['{"foo":1}', `it is neither a message of ${HOST_NAMES} nor a call`],
    ['{"on":"before_tol"}', 'Cannot use event "before_tol"'],
  ])('refuses calls such as %s', async (stdin, message) => {
    const { exitCode, stderr } = await runCli(['diff', 'old', 'new', '--calls', '-'], { ...sides(), stdin });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('-:1');
    expect(stderr).toContain(message);
  });

  test('compares no policies that cannot be loaded', async () => {
    const options = project({ 'old/a.yaml': OLD, 'new/a.yaml': `${NEW}  - {id: x}\n` });
    const { exitCode, stdout, stderr } = await runCli(['diff', 'old', 'new'], options);
    expect([exitCode, stdout]).toEqual([3, '']);
    expect(stderr).toContain('new/a.yaml');
  });
});

describe('policy diff with what was decided', () => {
  test('takes logged decisions again and shows what is decided differently now', async () => {
    const options = project({ '.policy/a.yaml': OLD });
    const here = { cwd: options.cwd };
    await log(options, [call('git push --force', here), call('ls', here), call('git push --mirror', here)]);
    const same = await runCli(['diff', '.policy', '--calls', 'log'], options);
    expect([same.exitCode, same.stdout]).toEqual([0, 'No difference in 3 calls\n']);
    writeFileSync(join(options.cwd, '.policy/a.yaml'), NEW.replaceAll('no-force-push', 'no-mirror'));
    const { exitCode, stdout } = await runCli(['diff', '.policy', '--calls', 'log'], options);
    expect(exitCode).toBe(1);
    expectGolden(import.meta.dir, 'diff/replay.txt', stdout.replace(TIME, 'TIME'));
    const json = JSON.parse((await runCli(['diff', '.policy', '--calls', 'log', '--json'], options)).stdout);
    expect(json).toMatchObject({
      version: 1,
      calls: 3,
      loosened: 1,
      tightened: 1,
      without_message: 0,
      failed: 0,
    });
  });

  test('remembers from message to message, as the hook does', async () => {
    const options = project({
      '.policy/a.yaml':
        'version: 1\npolicies:\n  - {id: m, tool: shell, model_prefix: gpt-, when_unknown: skip, action: deny, reason: no}\n',
    });
    const request = {
      ...call(''),
      hook_event_name: 'BeforeModel',
      llm_request: { model: 'gpt-4', messages: [], config: {} },
    };
    await log(options, [request, call('ls')]);
    const { stdout } = await runCli(['diff', '.policy', '--calls', 'log'], options);
    expect(stdout).toBe('No difference in 2 calls\n');
  });

  test('takes messages of hosts whose message is more than the event', async () => {
    const options = project({ '.policy/a.yaml': OLD });
    const params = {
      tool: 'exec',
      arguments: { command: 'git push --force' },
      meta: { SessionKey: 's', TurnID: 't' },
    };
    await logPicoclaw(options, params, 1, ['hook.before_tool', 'hook.approve_tool']);
    const { stdout, exitCode } = await runCli(['diff', '.policy', '--calls', 'log'], options);
    expect([exitCode, stdout]).toEqual([0, 'No difference in 2 calls\n']);
  });

  test('takes messages with an id of more digits than are kept', async () => {
    const options = project({ '.policy/a.yaml': OLD });
    const message = { method: 'hook.before_tool', params: { tool: 'exec', arguments: { command: 'ls' } } };
    const id = JSON.rawJSON('9007199254740993');
    await log(options, [{ jsonrpc: '2.0', id, ...message }], true, 'picoclaw');
    const { stdout, stderr } = await runCli(['diff', '.policy', '--calls', 'log'], options);
    expect([stdout, stderr]).toEqual(['No difference in 1 call\n', '']);
    const stdin = JSON.stringify({ jsonrpc: '2.0', id, ...message });
    const line = await runCli(['diff', '.policy', '.policy', '--calls', '-'], { ...options, stdin });
    expect(line.stdout).toBe('No difference in 1 call\n');
  });

  test('knows the policy files that judge, wherever they lie', async () => {
    const guard = OLD.replace('match: .env, uses: [read]', 'match: "**/.policy/**", uses: [write]').replace(
      'hit: [{tool: read, path: .env}]',
      'hit: [{tool: write, path: .policy/x.yaml}]',
    );
    const options = project({ 'rules/a.yaml': guard, 'none/a.yaml': guard.replace('**/.policy/**', 'x.md') });
    const write = { tool_name: 'write_file', tool_input: { file_path: join(options.cwd, 'rules/a.yaml') } };
    const stdin = JSON.stringify(call('', { ...write, cwd: options.cwd }));
    const { stdout } = await runCli(['diff', 'none', 'rules', '--calls', '-'], { ...options, stdin });
    expect(stdout).toContain('tightened  a/no-env');
  });

  test('takes several logs, and what is in two of them once', async () => {
    const options = project({ '.policy/a.yaml': OLD });
    await log(options, [call('git push --force'), call('ls')]);
    const path = join(options.env['XDG_STATE_HOME'] ?? '', 'policy/decisions.jsonl');
    const args = ['diff', '.policy', '--calls', path, '--calls', 'log'];
    expect((await runCli(args, options)).stdout).toBe('No difference in 2 calls\n');
    expect((await runCli([...args, '--since', '2099-01-01'], options)).exitCode).toBe(2);
  });

  test('counts decisions that cannot be taken again', async () => {
    const options = project({ '.policy/a.yaml': OLD });
    await log(options, [call('ls')], false);
    const none = await runCli(['diff', '--calls', 'log'], options);
    expect([none.exitCode, none.stdout]).toEqual([2, '']);
    expect(none.stderr).toContain('policy install --log-input keeps the messages');
    await log(options, [call('ls'), { ...call('ls'), tool_input: 1 }]);
    const some = await runCli(['diff', '.policy', '--calls', 'log'], options);
    expect(some.stderr).toBe(
      'Left out 2 decisions without a message: policy install --log-input keeps them\n',
    );
    expect(some.stdout).toBe('No difference in 1 call\n');
    const later = await runCli(['diff', '--calls', 'log', '--since', '2099-01-01'], options);
    expect(later.exitCode).toBe(2);
  });

  test('judges by no policies that cannot be loaded', async () => {
    const options = project({ '.policy/a.yaml': OLD });
    await log(options, [call('ls', { cwd: options.cwd })]);
    writeFileSync(join(options.cwd, '.policy/a.yaml'), 'version: 2');
    mkdirSync(join(options.cwd, '.git'));
    const { exitCode, stderr } = await runCli(['diff', '--calls', 'log'], options);
    expect(exitCode).toBe(3);
    expect(stderr).toContain('.policy/a.yaml:1:10');
  });
});

describe('policy add-test', () => {
  const TESTS = `version: 1
# what is tested
cases:
  - name: one
    call: {command: git push --force}  # with force
    expect: deny

  # the other
  - name: two
    call: {command: git push}
    expect: continue   # fine
# the end
`;
  const setUp = () => project({ '.policy/a.yaml': OLD, '.policy/a.test.yaml': TESTS });

  test('writes a logged decision behind the last case and leaves everything else alone', async () => {
    const options = setUp();
    const [id = ''] = await log(options, [call('git push --force origin', { cwd: options.cwd })]);
    const { exitCode, stdout, stderr } = await runCli(['add-test', id], options);
    expect([exitCode, stdout, stderr]).toEqual([
      0,
      'Added "deny: shell git push --force origin" to .policy/a.test.yaml:13\n',
      '',
    ]);
    expect(textOf(options)).toBe(
      TESTS.replace(
        '# the end',
        `
  - name: 'deny: shell git push --force origin'
    call: {tool: shell, command: git push --force origin}
    expect: {action: deny, policy: a/no-force-push}
# the end`,
      ),
    );
    expect((await runCli(['test', '.policy'], options)).exitCode).toBe(0);
  });

  test('takes the beginning of an id, a name, an expectation and another file', async () => {
    const options = setUp();
    const [id = ''] = await log(options, [call('git push --mirror')]);
    const target = ['--to', 'tests/new.test.yaml', '--name', 'no mirrors'];
    mkdirSync(join(options.cwd, 'tests'));
    const { exitCode, stdout, stderr } = await runCli(
      ['add-test', id.slice(0, 8), ...target, '--expect', 'deny'],
      options,
    );
    expect([exitCode, stdout]).toEqual([0, 'Added "no mirrors" to tests/new.test.yaml:3\n']);
    expect(stderr).toBe('');
    expect(textOf(options, 'tests/new.test.yaml')).toBe(`version: 1
cases:
  - name: no mirrors
    call: {tool: shell, command: git push --mirror}
    expect: {action: deny}
`);
  });

  test('says if the case fails as things are', async () => {
    const options = setUp();
    const [id = ''] = await log(options, [call('git push --mirror')]);
    const { stderr } = await runCli(
      ['add-test', id, '--to', '.policy/a.test.yaml', '--expect', 'deny'],
      options,
    );
    expect(stderr).toBe('The case fails by the policies as they are now: policy test shows how\n');
  });

  test('writes the message itself where a call does not say all of it', async () => {
    const options = setUp();
    const message = {
      hook_event_name: 'AfterAgent',
      session_id: 's',
      transcript_path: '',
      cwd: '/work',
      timestamp: '2026-11-20T09:38:00Z',
      prompt: 'hi',
      prompt_response: 'done',
      stop_hook_active: true,
    };
    const [id = ''] = await log(options, [message]);
    const { stdout } = await runCli(['add-test', id, '--to', '.policy/b.test.yaml'], options);
    expect(stdout).toBe('Added "continue: gemini AfterAgent" to .policy/b.test.yaml:3\n');
    expect(textOf(options, '.policy/b.test.yaml')).toContain(
      '    host: gemini\n    stdin:\n      hook_event_name: AfterAgent\n',
    );
    expect((await runCli(['test', '.policy'], options)).exitCode).toBe(0);
  });

  test.each([
    ['hosts: [gemini]', '    hosts: [gemini]\n'],
    ['context: {cwd: /work/app}', '    cwd: /work/app\n'],
    ['tool_matcher: write_file', '    call: {tool: write_file, '],
  ])('names the host and the directory where a policy with %s asks for them', async (key, written) => {
    const file = `version: 1\npolicies: [{id: x, ${key}, path: '**/*.txt', action: deny}]\n`;
    const options = project({ '.policy/a.yaml': file });
    const [id = ''] = await log(options, [writing('x')]);
    const { exitCode, stderr } = await runCli(['add-test', id], options);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(textOf(options)).toContain(written);
    expect((await runCli(['test', '.policy'], options)).exitCode).toBe(0);
  });

  test('writes paths of the session for the directory of tests', async () => {
    const file = "version: 1\npolicies: [{id: x, path: '/**/src/*.txt', action: deny}]\n";
    const options = project({ '.policy/a.yaml': file });
    const [id = ''] = await log(options, [writing('not /work/apple')]);
    await runCli(['add-test', id], options);
    expect(textOf(options)).toContain(
      'call: {tool: write, path: /workspace/src/a.txt, content: not /work/apple}\n    expect',
    );
    expect((await runCli(['test', '.policy'], options)).exitCode).toBe(0);
  });

  test("writes nothing of this user's home directory, and no secret", async () => {
    const options = setUp();
    const home = options.env['HOME'] ?? '';
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const [id = ''] = await log(options, [
      call(`git push --force ${secret} ${home}/x`, { cwd: `${home}/project` }),
    ]);
    await runCli(['add-test', id], options);
    const text = textOf(options);
    expect(text).toContain('/home/user/x');
    expect(text).not.toContain('cwd:');
    expect(text).not.toContain(home);
    expect(text).not.toContain(secret);
  });

  test('writes PicoClaw and jcli calls that run again alike', async () => {
    const options = setUp();
    const params = { tool: 'exec', arguments: { command: 'git push --force' }, meta: { SessionKey: 's' } };
    const [first = ''] = await logPicoclaw(options, params);
    const [second = ''] = await log(
      options,
      [{ event: 'pre_tool_execution', tool_name: 'Shell', tool_arguments: '{"command":"git push --force"}' }],
      true,
      'jcli',
    );
    for (const id of [first, second]) {
      const { exitCode, stderr } = await runCli(['add-test', id], options);
      expect([exitCode, stderr]).toEqual([0, '']);
    }
    expect((await runCli(['test', '.policy'], options)).exitCode).toBe(0);
  });

  test('keeps facts about the conversation, and the whole message where it has fields of its own', async () => {
    const options = setUp();
    const params = {
      tool: 'exec',
      arguments: { command: 'git push --force' },
      meta: { SessionKey: 's' },
      channel: 'telegram',
    };
    const [first = ''] = await logPicoclaw(options, params);
    const [second = ''] = await log(options, [call('git push --force', { mcp_context: { server: 'x' } })]);
    for (const id of [first, second]) await runCli(['add-test', id], options);
    const text = textOf(options);
    expect(text).toContain('channel: telegram');
    expect(text).toContain('mcp_context: {server: x}');
    expect((await runCli(['test', '.policy'], options)).exitCode).toBe(0);
  });

  test.each<readonly [readonly string[], string]>([
    [[], 'name one decision by its id'],
    [['nope'], 'Cannot find decision "nope" in the log'],
    [['ID', '--expect', 'refuse'], 'give one of'],
    [['ID', '--to', 'a.yaml'], 'tests are in files called *.test.yaml'],
    [['ID', '--to', '.policy/flow.test.yaml'], 'its cases are written in brackets'],
    [['ID', '--to', '.policy/broken.test.yaml'], 'it is broken'],
    [['ID'], 'no policy decided'],
  ])('refuses %j', async (args, message) => {
    const options = project({
      '.policy/a.yaml': OLD,
      '.policy/flow.test.yaml': 'cases: [{call: {command: ls}, expect: continue}]\n',
      '.policy/broken.test.yaml': 'cases:\n  - {call: {command: ls}}\n',
    });
    const [id = ''] = await log(options, [call('ls')]);
    const { exitCode, stderr } = await runCli(
      ['add-test', ...args.map((arg) => (arg === 'ID' ? id : arg))],
      options,
    );
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
    expect(readdirSync(join(options.cwd, '.policy')).sort()).toEqual([
      'a.yaml',
      'broken.test.yaml',
      'flow.test.yaml',
    ]);
  });

  test('refuses a decision whose message was not kept', async () => {
    const options = setUp();
    const [id = ''] = await log(options, [call('git push --force')], false);
    const { exitCode, stderr } = await runCli(['add-test', id], options);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('run policy install --log-input');
  });
});

describe('policy fmt', () => {
  const LOOSE = 'version: 1\npolicies:\n- {action: "deny",   id: a}\n';
  const TIGHT = 'version: 1\npolicies:\n  - {id: a, action: deny}\n';
  /** Files of other tools with version 1 and sections that ours have. */
  const OTHERS = {
    'all/lint.yaml': 'version: 1\nextends:   ./base.yaml\n',
    'all/custodian.yaml': 'version: 1\npolicies:\n- {name:   a, resource: ec2}\n',
    'all/rights.yaml': 'version: 1\npolicies:\n- {id:   a, Effect: Allow, description: b}\n',
    'all/other.test.yaml': 'cases:\n- {name:   a, input: 1}\n',
    'all/tools.yaml': 'version: 1\ntools:\n- {name:   a, run: x}\n',
    'all/mixed.yaml': 'version: 1\nsettings:   {a: 1}\nplugins: [b]\n',
    'all/text.yaml': 'version: "1"\ndisable:   [a]\n',
  };

  test('writes the files below a folder in their canonical form, and nothing else', async () => {
    const options = project({
      'all/a.yaml': LOOSE,
      'all/b/c.test.yaml': 'cases:\n- {expect: deny, call: {command: ls}}\n',
      'all/d.yml': TIGHT,
      'all/other.yaml': 'a:   1\n',
      'all/ours.yaml': 'version: 1\nextends:   [builtin:secrets]\n',
      ...OTHERS,
    });
    const { exitCode, stdout, stderr } = await runCli(['fmt', 'all'], options);
    expect([exitCode, stdout]).toEqual([
      0,
      'Formatted all/a.yaml\nFormatted all/b/c.test.yaml\nFormatted all/ours.yaml\n3 files formatted, 1 file unchanged\n',
    ]);
    expect(stderr).toBe('');
    const read = (name: string) => readFileSync(join(options.cwd, 'all', name), 'utf8');
    expect(read('a.yaml')).toBe(TIGHT);
    expect(read('b/c.test.yaml')).toBe('cases:\n  - {call: {command: ls}, expect: deny}\n');
    expect(read('other.yaml')).toBe('a:   1\n');
    for (const [name, text] of Object.entries(OTHERS)) expect(read(name.slice('all/'.length))).toBe(text);
    expect(readdirSync(join(options.cwd, 'all')).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('leaves a named file alone that is no policy and no test', async () => {
    const texts = {
      passwd: 'root:x:0:0\nbin:x:1:1\n',
      'notes.yaml': 'two words\nand   more\n',
      'compose.yaml': 'services:   {a: 1}\nname: x\nversion: 1\n',
      'list.test.yaml': '-   a\n',
    };
    const options = project(texts);
    for (const [name, text] of Object.entries(texts)) {
      const { exitCode, stderr } = await runCli(['fmt', name], options);
      expect([exitCode, stderr]).toEqual([1, `Left ${name} as it is: it has neither policies nor tests\n`]);
      expect(textOf(options, name)).toBe(text);
    }
  });

  test('names the cause where only the name of a test is wrong, counts what it leaves, and takes steps', async () => {
    const steps = "steps:\n- {on: before_tool,   command: 'ls'}\n";
    const options = project({
      'k.yaml': 'cases:\n  - {call: {command: ls}, expect: deny}\n',
      's.yaml': steps,
    });
    expect(await runCli(['fmt', '--check', 'k.yaml'], options)).toMatchObject({
      exitCode: 1,
      stdout: '0 files checked, nothing to format; left 1 file alone\n',
      stderr: 'Left k.yaml as it is: its name is not that of a test; name it *.test.yaml\n',
    });
    expect((await runCli(['fmt', 's.yaml'], options)).exitCode).toBe(0);
    expect(textOf(options, 's.yaml')).toBe('steps:\n  - {on: before_tool, command: ls}\n');
  });

  test('says that a project has to be trusted again, and nothing of one that was never trusted', async () => {
    const options = project({ '.policy/a.yaml': LOOSE.replace('deny', 'approve') });
    const again = `The policies of ${options.cwd} were trusted as they were: run policy trust there\n`;
    await runCli(['trust', '--yes'], options);
    const trusted = await runCli(['fmt'], options);
    expect(trusted.stdout).toBe(`Formatted .policy/a.yaml\n1 file formatted, 0 files unchanged\n${again}`);
    expect((await runCli(['fmt'], options)).stdout).not.toContain('trust');
    const never = project({ '.policy/a.yaml': LOOSE });
    expect((await runCli(['fmt'], never)).stdout).not.toContain('trust');
  });

  test('--check writes nothing and ends with 1 if there is something to write', async () => {
    const options = project({ '.policy/a.yaml': LOOSE });
    const loose = await runCli(['fmt', '--check'], options);
    expect([loose.exitCode, loose.stdout]).toEqual([
      1,
      'Not formatted: .policy/a.yaml\n1 file not formatted, 0 files fine; policy fmt writes them\n',
    ]);
    expect(textOf(options, '.policy/a.yaml')).toBe(LOOSE);
    await runCli(['fmt'], options);
    const tight = await runCli(['fmt', '--check'], options);
    expect([tight.exitCode, tight.stdout]).toEqual([0, '1 file checked, nothing to format\n']);
  });

  test('formats standard input', async () => {
    const options = project({});
    expect((await runCli(['fmt', '-'], { ...options, stdin: LOOSE })).stdout).toBe(TIGHT);
    const check = await runCli(['fmt', '-', '--check'], { ...options, stdin: LOOSE });
    expect([check.exitCode, check.stdout]).toEqual([1, '']);
    const broken = await runCli(['fmt', '-'], { ...options, stdin: 'a: [' });
    expect([broken.exitCode, broken.stdout]).toEqual([3, '']);
    expect(broken.stderr).toContain('error yaml');
  });

  test('shows what is no YAML and goes on with the rest', async () => {
    const options = project({ '.policy/a.yaml': 'a: [', '.policy/b.yaml': LOOSE });
    const { exitCode, stdout, stderr } = await runCli(['fmt'], options);
    expect(exitCode).toBe(3);
    expect(stderr).toContain('.policy/a.yaml:1:4 error yaml');
    expect(stdout).toBe('Formatted .policy/b.yaml\n1 file formatted, 0 files unchanged\n');
  });

  test.each<readonly [readonly string[], string]>([
    [[], 'name files or folders'],
    [['gone'], 'there is no such file or folder'],
    [['empty'], 'it has no YAML files'],
  ])('refuses %j', async (args, message) => {
    const options = project({ 'empty/a.txt': '' });
    const { exitCode, stderr } = await runCli(['fmt', ...args], options);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });
});
