import { describe, expect, test } from 'bun:test';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Workplace, workplace } from './workplace.ts';

function call(place: Workplace, input: Record<string, unknown>, args: readonly string[] = [], tool = 'Bash') {
  const message = {
    hook_event_name: 'PreToolUse',
    session_id: 's',
    transcript_path: '/t',
    cwd: place.project,
    permission_mode: 'default',
    tool_name: tool,
    tool_input: input,
    tool_use_id: 'toolu_1',
  };
  return place.run({ args: ['hook', '--host', 'claude', ...args], input: JSON.stringify(message) });
}

const MAIL =
  'version: 1\npolicies: [{id: mail, tool_matcher: mcp__mail__*, action: deny, reason: no mail}]\n';

function rows(place: Workplace): readonly Record<string, string>[] {
  const text = readFileSync(join(place.state, 'decisions.jsonl'), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('a row of the decision log', () => {
  test("has the host's id of the call, a digest of the call, and the command without its secrets", async () => {
    const place = workplace();
    await call(place, { command: 'mysql -phunter2x shop' });
    await call(place, { command: 'mysql -phunter2x shop' });
    await call(place, { command: 'mysql -pother22 shop' });
    await call(place, { file_path: 'a' }, [], 'Read');
    const [first, again, other, read] = rows(place);
    expect(first).toMatchObject({ call_id: 'toolu_1', command: 'mysql -p[redacted:command-line] shop' });
    expect(first?.['call_digest']).toMatch(/^[0-9a-f]{64}$/);
    expect(again?.['call_digest']).toBe(first?.['call_digest'] ?? '');
    expect(other?.['call_digest']).not.toBe(first?.['call_digest'] ?? '');
    expect(other?.['command']).toBe(first?.['command'] ?? '');
    expect(read).not.toHaveProperty('command');
    expect(read?.['call_digest']).toMatch(/^[0-9a-f]{64}$/);
    expect(statSync(join(place.state, 'decisions.jsonl')).mode & 0o777).toBe(0o600);
    expect(statSync(join(place.state, 'allow/key')).mode & 0o777).toBe(0o600);
  });

  test('has of a refused call without a command what it was about, without its secrets', async () => {
    const place = workplace();
    await call(place, { file_path: `${place.project}/.env` }, [], 'Read');
    await call(place, { file_path: `${place.project}/.env` }, ['--no-command'], 'Read');
    place.write({ '.keep': '', 'home/.config/policy/mail.yaml': MAIL });
    await call(
      place,
      { token: 'hunter2hunter2', text: 'sent with ghp_a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2' },
      [],
      'mcp__mail__send',
    );
    const [read, without, mail] = rows(place);
    expect(read).toMatchObject({ action: 'deny', target: `${place.project}/.env` });
    expect(without).toMatchObject({ action: 'deny' });
    expect(without).not.toHaveProperty('target');
    expect(mail?.['target']).toStartWith('[redacted');
  });

  test('has another digest on another machine: it cannot be made without the key', async () => {
    const place = workplace();
    await call(place, { command: 'ls' });
    rmSync(join(place.state, 'allow'), { recursive: true });
    await call(place, { command: 'ls' });
    const [first, second] = rows(place);
    expect(first?.['call_digest']).not.toBe(second?.['call_digest'] ?? '');
  });

  test('is written without a digest if the key cannot be read', async () => {
    const place = workplace({ 'home/.local/state/policy/allow/key': 'no key' });
    await call(place, { command: 'ls' });
    const [row] = rows(place);
    expect(row).toMatchObject({ command: 'ls', action: 'continue' });
    expect(row).not.toHaveProperty('call_digest');
  });

  test('cuts a long command', async () => {
    const place = workplace();
    await call(place, { command: `echo ${'a'.repeat(10_000)}` });
    expect(rows(place)[0]?.['command']).toHaveLength(2_049);
  });

  test('has no command with --no-command, which policy install writes', async () => {
    const place = workplace();
    await call(place, { command: 'ls' }, ['--no-command']);
    expect(rows(place)[0]).not.toHaveProperty('command');
    expect(rows(place)[0]).toHaveProperty('call_digest');
    place.write({ 'home/.picoclaw/config.json': '{}' });
    for (const host of [
      'claude',
      'gemini',
      'jcli',
      'picoclaw',
      'codex',
      'cursor',
      'opencode',
      'goose',
      'cline',
    ]) {
      const { stdout } = await place.run({ args: ['install', '--host', host, '--no-command', '--dry-run'] });
      expect([host, stdout.includes('--no-command')]).toEqual([host, true]);
    }
  });

  test('is shown by policy log', async () => {
    const place = workplace();
    await call(place, { command: 'ls -la' });
    const short = await place.run({ args: ['log'] });
    expect(short.stdout).toEndWith('  ls -la\n');
    const long = await place.run({ args: ['log', '--verbose'] });
    expect(long.stdout).toContain('  command   ls -la\n  tool      Bash\n  call      toolu_1\n  digest    ');
  });
});
