import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonObject, ownObject } from '../../../src/lib/json.ts';
import { BINARY } from '../../support/binary.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writeFiles } from '../../support/write-files.ts';
import { environmentOf, installedHome, policy } from './program.ts';

/** A transcript of Claude Code with one command a call; those that `refused` names have not run. */
function transcript(session: string, ids: readonly string[], refused: readonly string[] = []): string {
  const timestamp = new Date().toISOString();
  const record = (content: JsonObject) =>
    JSON.stringify({ sessionId: session, cwd: '/w', timestamp, message: { content: [content] } });
  return ids
    .flatMap((id) => [
      record({ type: 'tool_use', id, name: 'Bash', input: { command: `echo ${id}` } }),
      record(
        refused.includes(id)
          ? {
              type: 'tool_result',
              tool_use_id: id,
              is_error: true,
              content: "The user doesn't want to proceed",
            }
          : { type: 'tool_result', tool_use_id: id, content: id },
      ),
    ])
    .join('\n');
}

/** Has the hook judge a call as Claude Code asks. */
function judge(home: string, session: string, id: string, command = `echo ${id}`): void {
  const message = {
    session_id: session,
    transcript_path: `${home}/.claude/projects/w/${session}.jsonl`,
    cwd: home,
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command },
    tool_use_id: id,
  };
  const { exitCode } = Bun.spawnSync([BINARY, 'hook', '--host', 'claude'], {
    cwd: home,
    env: environmentOf(home),
    stdin: Buffer.from(JSON.stringify(message)),
  });
  expect([0, 2]).toContain(exitCode);
}

function doctor(home: string): {
  readonly proof: JsonObject | undefined;
  readonly bypassed: readonly string[];
} {
  const report = JSON.parse(policy(home, ['doctor', '--json', '--host', 'claude']).stdout);
  const [host] = report.hosts;
  const bypassed = host.findings.filter(({ code }: { code: string }) => code === 'bypassed');
  return {
    proof: ownObject(host, 'proof'),
    bypassed: bypassed.map(({ message }: { message: string }) => message),
  };
}

const guardedHome = installedHome({ '.claude/settings.json': '{}\n' }, '--host', 'claude');

describe('policy doctor holds sessions against the decision log', () => {
  test('and finds that each call was judged', () => {
    const home = guardedHome();
    for (const id of ['toolu_1', 'toolu_2']) judge(home, 's1', id);
    writeFiles(home, {
      '.claude/projects/w/s1.jsonl': transcript('s1', ['toolu_1', 'toolu_2', 'toolu_3'], ['toolu_3']),
      // Gone on with: the calls of the session before are there once more.
      '.claude/projects/w/s2.jsonl': `${transcript('s1', ['toolu_1'])}\n{"sessionId": "s1", "mess`,
    });
    expect(doctor(home)).toEqual({
      proof: {
        sessions: 1,
        calls: 2,
        judged: 2,
        by_call: true,
        unknown: 0,
        sessions_elsewhere: 0,
        bypasses: [],
      },
      bypassed: [],
    });
  });

  test('and names those that went past the hook', () => {
    const home = guardedHome();
    judge(home, 's1', 'toolu_1');
    writeFiles(home, {
      '.claude/projects/w/s1.jsonl': transcript('s1', ['toolu_1', 'toolu_2']),
      '.claude/projects/w/s2.jsonl': transcript('s2', ['toolu_3', 'toolu_4']),
    });
    const { proof, bypassed } = doctor(home);
    expect(proof).toMatchObject({ sessions: 2, calls: 4, judged: 1, by_call: true });
    expect(bypassed).toEqual([
      expect.stringMatching(
        /^1 call of Claude Code in 1 session ran without a decision, the first Bash at .+ UTC in session s1: other calls of these sessions have a decision/,
      ),
      expect.stringMatching(
        /^2 calls of Claude Code in 1 session ran without a decision, the first Bash at .+ UTC in session s2: their sessions have no decision at all/,
      ),
    ]);
    expect(policy(home, ['doctor', '--host', 'claude'])).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('1 of 4'),
    });
  });

  test('and forgets nothing where the file of the hook is changed later', () => {
    const home = guardedHome();
    writeFiles(home, { '.claude/projects/w/s1.jsonl': transcript('s1', ['toolu_1', 'toolu_2']) });
    utimesSync(join(home, '.claude/settings.json'), new Date(), new Date(Date.now() + 60_000));
    expect(doctor(home).proof).toMatchObject({ calls: 2, judged: 0 });
    judge(home, 's2', 'toolu_3');
    writeFiles(home, { '.claude/projects/w/s2.jsonl': transcript('s2', ['toolu_3']) });
    expect(doctor(home).proof).toMatchObject({ calls: 3, judged: 1 });
  });

  test('and says nothing of sessions before the hook was there', () => {
    const home = guardedHome();
    const old = transcript('s0', ['toolu_0']).replaceAll(
      /"timestamp":"[^"]+"/g,
      '"timestamp":"2026-01-01T00:00:00.000Z"',
    );
    writeFiles(home, { [join('.claude/projects/w', 's0.jsonl')]: old });
    expect(doctor(home)).toEqual({ proof: undefined, bypassed: [] });
  });

  test('and says what it does not know, and does not say that all is guarded', () => {
    const home = guardedHome();
    for (const id of ['toolu_1', 'toolu_2']) judge(home, 's1', id);
    judge(home, 's3', 'toolu_3');
    writeFiles(home, {
      '.claude/projects/w/s1.jsonl': transcript('s1', ['toolu_1', 'toolu_2']),
      // A session whose end is gone.
      '.claude/projects/w/s2.jsonl': `${transcript('s1', ['toolu_1'])}\n{"sessionId": "s2", "mess`,
    });
    const report = JSON.parse(policy(home, ['doctor', '--json', '--host', 'claude']).stdout);
    const unproven = report.hosts[0].findings.filter(({ code }: { code: string }) => code === 'not-proven');
    expect(unproven).toMatchObject([
      {
        severity: 'note',
        message: expect.stringContaining('1 session file of Claude Code has lines that cannot be read'),
      },
      {
        severity: 'note',
        message: expect.stringContaining('1 session of Claude Code with decisions has no session file'),
      },
    ]);
    expect(policy(home, ['doctor', '--host', 'claude']).stdout).toMatch(/Claude Code +not proven/);
  });

  test('in the usual home, too, where a variable names another one', () => {
    const home = guardedHome();
    judge(home, 's1', 'toolu_1');
    writeFiles(home, {
      'elsewhere/projects/w/s1.jsonl': transcript('s1', ['toolu_1']),
      'elsewhere/settings.json': readFileSync(join(home, '.claude/settings.json'), 'utf8'),
      '.claude/projects/w/s2.jsonl': transcript('s2', ['toolu_2']),
    });
    const env = { CLAUDE_CONFIG_DIR: join(home, 'elsewhere') };
    const report = JSON.parse(policy(home, ['doctor', '--json', '--host', 'claude'], env).stdout);
    expect(report.hosts[0].proof).toMatchObject({
      calls: 2,
      judged: 1,
      bypasses: [{ cause: 'no decision in the session', first: { session: 's2' } }],
    });
  });

  test('and shows the same on the page', () => {
    const home = guardedHome();
    judge(home, 's1', 'toolu_1');
    writeFiles(home, { '.claude/projects/w/s1.jsonl': transcript('s1', ['toolu_1', 'toolu_2']) });
    expect(policy(home, ['report', '--html', 'page.html'])).toMatchObject({ exitCode: 0 });
    const page = readFileSync(join(home, 'page.html'), 'utf8');
    expect(page).toContain('1 of 2 calls');
    expect(page).toContain('1 call of Claude Code in 1 session ran without a decision');
  });

  /** The state in the table, and what is not proven. */
  function unproven(home: string): readonly string[] {
    const report = JSON.parse(policy(home, ['doctor', '--json', '--host', 'claude']).stdout);
    const notes = report.hosts[0].findings.filter(({ code }: { code: string }) => code === 'not-proven');
    const { stdout } = policy(home, ['doctor', '--host', 'claude']);
    const state = /^Claude Code +(guarded|not guarded|not proven|hook works)/m.exec(stdout)?.[1] ?? '';
    return [state, ...notes.map(({ message }: { message: string }) => message)];
  }

  test('and finds a call that ran although it was refused', () => {
    const home = guardedHome();
    judge(home, 's1', 'toolu_1', 'rm -rf ~/.config/policy');
    writeFiles(home, { '.claude/projects/w/s1.jsonl': transcript('s1', ['toolu_1']) });
    expect(doctor(home).bypassed).toEqual([
      expect.stringMatching(/^1 call of Claude Code in 1 session ran although refused, the first Bash at /),
    ]);
    expect(unproven(home)).toEqual(['not guarded']);
  });

  test('and says guarded of calls that were seen alone', () => {
    const home = guardedHome();
    expect(unproven(home)).toEqual(['hook works']);
    judge(home, 's1', 'toolu_1');
    writeFiles(home, {
      '.claude/projects/w/s1.jsonl': transcript('s1', ['toolu_1']),
      '.claude/projects/w/empty.jsonl': '',
      '.claude/projects/w/bare.jsonl': '{"type":"summary","summary":"x"}\n{"type":"queue-operation"}\n',
    });
    expect(unproven(home)).toEqual(['guarded']);
  });

  test.each([
    ['a line with the next one behind its half', (text: string) => text.replace(/,"timestamp"[^\n]*\n/, '')],
    ['zeros', (text: string) => `\0\0\0\n${text}`],
  ])('and sees that a session has %s', (_, tear) => {
    const home = guardedHome();
    for (const id of ['toolu_1', 'toolu_2']) judge(home, 's1', id);
    const text = `${transcript('s1', ['toolu_1', 'toolu_2'])}\n`;
    writeFiles(home, { '.claude/projects/w/s1.jsonl': tear(text) });
    expect(unproven(home)).toEqual([
      'not proven',
      '1 session file of Claude Code has lines that cannot be read, so their calls are unknown',
    ]);
  });

  test('and follows links to sessions, and says what it cannot list', () => {
    const home = guardedHome();
    writeFiles(home, {
      'elsewhere/w/s1.jsonl': transcript('s1', ['toolu_1']),
      'elsewhere/s2.jsonl': transcript('s2', ['toolu_2']),
      '.claude/projects/v/.keep': '',
    });
    symlinkSync(join(home, 'elsewhere/w'), join(home, '.claude/projects/w'));
    symlinkSync(join(home, 'elsewhere/s2.jsonl'), join(home, '.claude/projects/v/s2.jsonl'));
    symlinkSync(join(home, '.claude'), join(home, '.claude/projects/v/circle'));
    symlinkSync('/', join(home, '.claude/projects/v/root'));
    expect(doctor(home).proof).toMatchObject({ sessions: 2, calls: 2, judged: 0 });
    if (process.getuid?.() === 0) return;
    mkdirSync(join(home, '.claude/projects/x'), { mode: 0o000 });
    expect(unproven(home)[1]).toStartWith('1 session file of Claude Code cannot be read');
    chmodSync(join(home, '.claude/projects/x'), 0o700);
  });

  test('and says where a session is dated before the hook and its file is not', () => {
    const home = guardedHome();
    judge(home, 's1', 'toolu_1');
    const old = transcript('s0', ['toolu_0']).replaceAll(
      /"timestamp":"[^"]+"/g,
      `"timestamp":"${new Date(Date.now() - 3 * 86_400_000).toISOString()}"`,
    );
    writeFiles(home, {
      '.claude/projects/w/s0.jsonl': old,
      '.claude/projects/w/s1.jsonl': transcript('s1', ['toolu_1']),
    });
    utimesSync(join(home, '.claude/projects/w/s0.jsonl'), new Date(), new Date(Date.now() + 3_600_000));
    expect(unproven(home)).toEqual([
      'not proven',
      expect.stringMatching(/^1 session file of Claude Code is newer than the hook, but all its calls are/),
    ]);
  });

  test('and says where nothing is known: no log, no record, another project', () => {
    const home = guardedHome();
    const settings = join(home, '.claude/settings.json');
    const written = readFileSync(settings, 'utf8');
    writeFiles(home, {
      '.claude/settings.json': written.replaceAll('hook --host claude', 'hook --host claude --no-log'),
    });
    writeFiles(home, { '.claude/projects/w/s1.jsonl': transcript('s1', ['toolu_1']) });
    expect(doctor(home).bypassed).toEqual([]);
    expect(unproven(home)).toContain(
      'the hook of Claude Code writes no log, so its calls cannot be compared',
    );
    writeFiles(home, { '.claude/settings.json': written });
    rmSync(join(home, '.local/state/policy'), { recursive: true });
    rmSync(join(home, '.claude/projects/w/s1.jsonl'));
    expect(unproven(home)).toEqual([
      'not proven',
      expect.stringMatching(/^there is no record of an install for Claude Code, and no decision/),
    ]);
  });

  test('and holds the hook of one project against the sessions there alone', () => {
    const home = temporaryFolder();
    const here = join(home, 'here');
    writeFiles(home, { 'here/.claude/settings.json': '{}\n' });
    const look = (args: readonly string[]) => {
      const { stdout } = Bun.spawnSync([BINARY, ...args], { cwd: here, env: environmentOf(home) });
      return stdout.toString();
    };
    look(['install', '--yes', '--project', '--host', 'claude']);
    const inside = transcript('s1', ['toolu_1']).replaceAll('"cwd":"/w"', `"cwd":"${here}"`);
    writeFiles(home, {
      '.claude/projects/w/s1.jsonl': inside,
      '.claude/projects/w/s2.jsonl': transcript('s2', ['toolu_2']),
    });
    const [host] = JSON.parse(look(['doctor', '--json', '--host', 'claude'])).hosts;
    expect(host.proof).toMatchObject({ sessions: 1, calls: 1, judged: 0 });
    expect(host.findings).toContainEqual(
      expect.objectContaining({
        message: '1 call of Claude Code was made outside of this project, whose hook alone is known here',
      }),
    );
  });

  test('and takes the time of the file for calls without one', () => {
    const home = temporaryFolder({ '.picoclaw/config.json': '{}\n' });
    expect(policy(home, ['install', '--yes', '--host', 'picoclaw'])).toMatchObject({ exitCode: 0 });
    const call = { id: 'c', function: { name: 'exec', arguments: '{"command":"ls"}' } };
    const file = '.picoclaw/workspace/sessions/cli.jsonl';
    writeFiles(home, {
      [file]: `${JSON.stringify({ role: 'assistant', content: '', tool_calls: [call] })}\n`,
    });
    const look = () => JSON.parse(policy(home, ['doctor', '--json', '--host', 'picoclaw']).stdout).hosts[0];
    expect(look().proof).toMatchObject({ calls: 1, judged: 0 });
    utimesSync(join(home, file), new Date(), new Date(Date.now() - 3_600_000));
    expect(look().proof).toBeUndefined();
  });

  test('and says which settings of OpenClaw it has not read', () => {
    const home = temporaryFolder({
      '.openclaw/openclaw.json': '{"gateway": {"$include": "./gateway.json"}}\n',
    });
    expect(policy(home, ['install', '--yes', '--host', 'openclaw'])).toMatchObject({ exitCode: 0 });
    const args = ['doctor', '--json', '--host', 'openclaw'];
    const [{ findings }] = JSON.parse(policy(home, args, { OPENCLAW_PROFILE: 'work' }).stdout).hosts;
    const notes = findings.filter(({ code }: { code: string }) => code === 'not-proven');
    expect(notes.map(({ message }: { message: string }) => message)).toEqual([
      'OPENCLAW_PROFILE may give OpenClaw other settings, which are not read',
      expect.stringMatching(/openclaw\.json includes other files, which are not read$/),
      'OpenClaw has not said that it has loaded the plugin',
    ]);
  });

  test('and asks whether the plugin of OpenCode was loaded', () => {
    const home = temporaryFolder({
      '.config/opencode/opencode.json': '{}\n',
      '.local/share/opencode/log': '',
    });
    expect(policy(home, ['install', '--yes', '--host', 'opencode'])).toMatchObject({ exitCode: 0 });
    const look = () => JSON.parse(policy(home, ['doctor', '--json', '--host', 'opencode']).stdout).hosts[0];
    const notLoaded = { code: 'not-proven', message: 'OpenCode has not said that it has loaded the plugin' };
    expect(look().findings).toMatchObject([notLoaded]);
    const database = new Database(join(home, '.local/share/opencode/opencode.db'), { create: true });
    database.run('CREATE TABLE session (id, directory, parent_id)');
    database.run('CREATE TABLE part (session_id, time_created, data)');
    database.run("INSERT INTO session VALUES ('o', '/w', NULL)");
    const state = { status: 'completed', input: { command: 'ls' } };
    const data = JSON.stringify({ type: 'tool', tool: 'bash', callID: 'call_a1b2', state });
    database.run('INSERT INTO part VALUES (?, ?, ?)', ['o', Date.now(), data]);
    database.close();
    expect(look().findings).toMatchObject([notLoaded, { code: 'bypassed' }]);
    const message = JSON.stringify({ hook_event_name: 'plugin.load', cwd: home });
    Bun.spawnSync([BINARY, 'hook', '--host', 'opencode'], {
      cwd: home,
      env: environmentOf(home),
      stdin: Buffer.from(message),
    });
    expect(look()).toMatchObject({
      loaded: expect.stringMatching(/^\d{4}-/),
      findings: [{ code: 'bypassed' }],
    });
    expect(policy(home, ['doctor', '--host', 'opencode']).stdout).toMatch(/policy\.js, loaded at .+ UTC/);
    for (const command of ['uninstall', 'install'])
      expect(policy(home, [command, '--yes', '--host', 'opencode'])).toMatchObject({ exitCode: 0 });
    expect(look().findings).toMatchObject([
      { message: 'OpenCode has not said that it has loaded the plugin since it was installed' },
    ]);
  });
});
