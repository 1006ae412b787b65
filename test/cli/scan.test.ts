import { describe, expect, test } from 'bun:test';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectGolden } from '../support/golden.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeFiles } from '../support/write-files.ts';
import { type Ran, runCli } from './test-io.ts';

const SECRET = `ghp_${'a1B2'.repeat(9)}`;

const POLICIES = `
version: 1
policies:
  - {id: no-clean, command: {run: [make], args: {any: '^clean$'}}, action: deny, reason: it takes an hour to build}
  - id: ask-first
    arguments: {command: '^npm publish'}
    action: ask
  - {id: judged, type: llm_judge, arguments: {command: '^deploy'}, prompt: Is it meant?}
`;

function geminiSession(id: string, cwd: string, commands: readonly string[]): Record<string, string> {
  const toolCalls = commands.map((command, index) => ({
    id: `${id}-${index}`,
    name: 'run_shell_command',
    args: { command },
  }));
  const records = [
    { sessionId: id, projectHash: 'h' },
    { id: 'm', type: 'gemini', timestamp: '2026-11-20T09:38:00.000Z', toolCalls },
  ];
  return {
    [`.gemini/tmp/${id}/chats/session-2026-${id}.jsonl`]: records
      .map((record) => `${JSON.stringify(record)}\n`)
      .join(''),
    [`.gemini/tmp/${id}/.project_root`]: cwd,
  };
}

function jcliSession(id: string, commands: readonly string[]): Record<string, string> {
  const events = commands.map((command) => ({
    type: 'msg',
    role: 'assistant',
    content: '',
    tool_calls: [{ id: 'x', name: 'Bash', arguments: JSON.stringify({ command }) }],
    timestamp_ms: Date.UTC(2026, 10, 21),
  }));
  return {
    [`.jdata/agent/data/sessions/${id}/transcript.jsonl`]: events
      .map((event) => `${JSON.stringify(event)}\n`)
      .join(''),
  };
}

/** A home with sessions; the project with policies is in it. */
function home(): string {
  const folder = temporaryFolder();
  const files = {
    'project/.policy/house.yaml': POLICIES,
    ...geminiSession('g1', join(folder, 'project'), ['make clean', 'make clean', 'make', 'ls']),
    ...geminiSession('g2', join(folder, 'project'), [
      'make clean',
      `make clean TOKEN=${SECRET}`,
      'deploy now',
    ]),
    ...geminiSession('g3', join(folder, 'elsewhere'), ['make clean']),
    ...jcliSession('j1', ['make clean', 'npm publish', "make clean '<script>alert(1)</script>'"]),
    '.gemini/tmp/g1/chats/session-spoilt.jsonl': 'spoilt',
    '.gemini/tmp/g1/logs.json': '[]',
  };
  writeFiles(folder, files);
  return folder;
}

function scan(folder: string, ...args: readonly string[]): Promise<Ran> {
  return runCli(['scan', ...args], {
    cwd: join(folder, 'project'),
    env: { HOME: folder, XDG_CONFIG_HOME: join(folder, 'none') },
  });
}

describe('policy scan', () => {
  test('shows what would have been refused, by the policies of each session, and what to look at first', async () => {
    const { exitCode, stdout, stderr } = await scan(home());
    expect(stderr).toBe('');
    expect(exitCode).toBe(0);
    expectGolden(import.meta.dir, 'scan.txt', stdout);
  });

  test('has the same facts as data', async () => {
    const { stdout } = await scan(home(), '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      version: 1,
      calls: 11,
      sessions: 4,
      refused: 7,
      asked: 0,
      unreadable_files: 1,
      hosts: [
        { host: 'gemini', sessions: 3, calls: 8, refused: 4 },
        { host: 'jcli', sessions: 1, calls: 3, refused: 3 },
      ],
      policies: [
        { id: 'house/no-clean', action: 'deny', calls: 6, sessions: 3, hosts: ['gemini', 'jcli'] },
        { id: 'house/ask-first', calls: 1, sessions: 1, hosts: ['jcli'] },
      ],
    });
    expect(JSON.parse(stdout).candidates[0]).toEqual({
      policy: 'house/no-clean',
      action: 'deny',
      host: 'gemini',
      call: 'gemini run_shell_command make clean',
      calls: 3,
      sessions: 2,
      last: '2026-11-20T09:38:00.000Z',
    });
  });

  test('counts a call once that a session has from the one that it goes on with', async () => {
    const folder = home();
    const session = (sessionId: string, ids: readonly string[]) =>
      ids
        .map((id) => ({ type: 'tool_use', id, name: 'Bash', input: { command: 'make clean' } }))
        .map((part) => JSON.stringify({ sessionId, cwd: `${folder}/project`, message: { content: [part] } }))
        .join('\n');
    mkdirSync(join(folder, '.claude/projects/p'), { recursive: true });
    writeFileSync(join(folder, '.claude/projects/p/a.jsonl'), session('a', ['toolu_1', 'toolu_2']));
    writeFileSync(
      join(folder, '.claude/projects/p/b.jsonl'),
      session('b', ['toolu_1', 'toolu_2', 'toolu_3']),
    );
    const { stdout } = await scan(folder, '--json', '--host', 'claude');
    expect(JSON.parse(stdout)).toMatchObject({ calls: 3, refused: 3 });
  });

  test('shows no secret, and writes a page in which nothing of a call acts', async () => {
    const folder = home();
    const { stdout } = await scan(folder, '--html', 'scan.html');
    const page = readFileSync(join(folder, 'project/scan.html'), 'utf8');
    for (const text of [stdout, page]) expect(text).not.toContain(SECRET);
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).not.toContain('<script');
    expect(page).toContain("default-src 'none'");
  });

  test.each<[readonly string[], number]>([
    [['--host', 'jcli'], 3],
    [['--since', '2026-11-20T12:00Z'], 3],
    [['--since', '2026-11-22'], 0],
    [['../.jdata'], 3],
    [['../.gemini/tmp/g1/chats/session-2026-g1.jsonl'], 4],
    [['../.gemini/tmp/g1/chats/session-2026-g1.jsonl', '--host', 'jcli'], 0],
    [['--policies', 'builtin:baseline'], 11],
  ])('with %j judges %d calls', async (args, calls) => {
    const { stdout } = await scan(home(), ...args, '--json');
    expect(JSON.parse(stdout).calls).toBe(calls);
  });

  test('asks no model, and says how often one would have been asked', async () => {
    const { stdout } = await scan(home(), '--policies', '.policy');
    expect(stdout).toContain(', a judge asked about 1\n');
  });

  test('its calls compare two sets, each call once and without secrets, and count by repository', async () => {
    const folder = home();
    const options = { cwd: join(folder, 'project'), env: { HOME: folder } };
    const calls = ['--calls', 'sessions'];
    const diff = await runCli(['diff', 'builtin:git-safety', '.policy', '-v', ...calls], options);
    expect([diff.exitCode, diff.stdout]).toEqual([0, expect.stringContaining('6 tightened of 9 calls\n')]);
    expect(diff.stdout).toMatch(/continue → deny {2}gemini run_shell_command make clean +g1\n/);
    expect(diff.stdout).not.toContain(SECRET);
    const plan = await runCli(['diff', '.policy', '--by', 'repository', '--json', ...calls], options);
    expect(JSON.parse(plan.stdout).repositories).toEqual([
      { repository: join(folder, 'project'), sessions: 3, calls: 10, refused: 7 },
      { repository: join(folder, 'elsewhere'), sessions: 1, calls: 1, refused: 1 },
    ]);
    const undecided = await runCli(['diff', ...calls], options);
    expect([undecided.exitCode, undecided.stderr]).toEqual([2, expect.stringContaining('policy scan shows')]);
  });

  test('changes nothing that hooks remember', async () => {
    const folder = home();
    await scan(folder);
    expect(await Bun.file(join(folder, '.local/state/policy/decisions.jsonl')).exists()).toBe(false);
  });

  test('says that there is nothing', async () => {
    const { exitCode, stdout } = await runCli(['scan'], { cwd: '/', env: { HOME: temporaryFolder() } });
    expect([exitCode, stdout]).toEqual([0, 'No past calls found\n']);
  });

  test.each<[readonly string[], string]>([
    [['gone'], 'Cannot scan "gone": there is no such file or folder'],
    [['--host', 'gemmini'], 'Cannot use agent "gemmini": did you mean "gemini"?'],
    [['--html', '.'], 'Cannot write ".": it is a folder'],
  ])('refuses %j', async (args, problem) => {
    const { exitCode, stderr } = await scan(home(), ...args);
    expect(exitCode).toBe(2);
    expect(stderr).toStartWith(`policy scan: ${problem}`);
  });

  test('judges nothing by policies that are broken', async () => {
    const folder = home();
    writeFileSync(
      join(folder, 'project/.policy/house.yaml'),
      'version: 1\npolicies: [{id: x, action: dney}]\n',
    );
    const { exitCode, stdout, stderr } = await scan(folder);
    expect([exitCode, stdout]).toEqual([3, '']);
    expect(stderr).toContain('house.yaml');
  });
});
