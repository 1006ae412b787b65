import { describe, expect, test } from 'bun:test';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOSTS } from '../../../src/hosts/registry.ts';
import type { EventKind } from '../../../src/model/event.ts';
import { onTerminal } from '../../support/pty.ts';
import { type LineClient, startLines } from '../hook/line-client.ts';
import { workplace as newWorkplace, type Workplace } from '../hook/workplace.ts';
import { call, keptCode } from './call.ts';

const DEPLOY = 'deploy to production';

const POLICIES = `version: 1
policies:
  - {id: deploys, tool: shell, arguments: {command: deploy}, action: ask, reason: Deploys need a person, locked: true}
  - {id: never, tool: shell, arguments: {command: everything}, action: deny, reason: Not that}
`;

function workplace(): Workplace {
  return newWorkplace({ 'home/.config/policy/mine.yaml': POLICIES });
}

/** A program that a person would be asked by. */
function program(place: Workplace, script: string): string {
  const path = join(place.folder, 'ask');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

function lastLine(place: Workplace): Record<string, unknown> {
  return JSON.parse(
    readFileSync(join(place.state, 'decisions.jsonl'), 'utf8').trim().split('\n').at(-1) ?? '',
  );
}

/** Waits until a refused call is there to be answered. */
async function codeIn(place: Workplace): Promise<string> {
  for (;;) {
    const code = keptCode(place);
    if (code !== undefined) return code;
    await Bun.sleep(50);
  }
}

async function allow(place: Workplace): Promise<void> {
  const terminal = onTerminal(['allow', await codeIn(place)], { env: place.env, cwd: place.folder });
  await terminal.sees('[y/N]');
  terminal.types('y\r');
  expect(await terminal.ended).toBe(0);
}

describe('--approve-with a program', () => {
  test('asks it with the request on stdin, and passes what it allows', async () => {
    const place = workplace();
    const path = program(place, `cat > ${place.folder}/request; echo allow`);
    expect(await call(place, DEPLOY, { args: ['--approve-with', path] })).toBe('passed');
    expect(JSON.parse(readFileSync(join(place.folder, 'request'), 'utf8'))).toMatchObject({
      version: 1,
      host: 'gemini',
      arguments: { command: DEPLOY },
      policies: ['mine/deploys'],
      reason: expect.stringContaining('deploys need a person'),
      directory: place.project,
    });
    expect(lastLine(place)).toMatchObject({ action: 'continue', allowed: expect.any(String) });
  });

  test.each([
    ['says no', 'echo deny', 'the answer was no'],
    ['says something else', 'echo allowed', 'the answer was no'],
    ['says nothing', ':', 'the answer was no'],
    ['fails', 'echo allow; exit 3', 'exit code 3'],
    ['is late', 'sleep 30; echo allow', 'was stopped'],
    ['prints too much', 'yes allow', 'too much output'],
  ])('takes for a no what %s', async (_name, script, why) => {
    const place = workplace();
    const args = ['--approve-with', program(place, script), '--host-timeout', '3'];
    expect(await call(place, DEPLOY, { args })).toBe('refused');
    expect(lastLine(place)['reason']).toContain(why);
  });

  test('that is not there is a no', async () => {
    const place = workplace();
    expect(await call(place, DEPLOY, { args: ['--approve-with', '/nonexistent/ask'] })).toBe('refused');
  });

  test('does not ask about what another policy refuses, nor about what nobody asks about', async () => {
    const place = workplace();
    const args = ['--approve-with', program(place, `touch ${place.folder}/asked; echo allow`)];
    expect(await call(place, 'deploy everything', { args })).toBe('refused');
    expect(await call(place, 'ls', { args })).toBe('passed');
    expect(await Bun.file(join(place.folder, 'asked')).exists()).toBe(false);
  });
});

describe('--approve-with terminal', () => {
  test('waits until a person lets the call pass', async () => {
    const place = workplace();
    const asked = call(place, DEPLOY, { args: ['--approve-with', 'terminal'] });
    await allow(place);
    expect(await asked).toBe('passed');
    expect(lastLine(place)).toMatchObject({ action: 'continue', allowed: expect.any(String) });
    expect(await call(place, DEPLOY)).toBe('refused');
  });

  test('takes for a no that nobody answers in time', async () => {
    const place = workplace();
    const args = ['--approve-with', 'terminal', '--host-timeout', '2'];
    expect(await call(place, DEPLOY, { args })).toBe('refused');
    expect(lastLine(place)['reason']).toContain('nobody has answered in time');
  });

  test('waits in PicoClaw where that waits: when it asks for approval', async () => {
    const place = workplace();
    const client = startLines(place, ['--approve-with', 'terminal']);
    try {
      await send(client, 1, {
        jsonrpc: '2.0',
        id: 1,
        method: 'hook.hello',
        params: { modes: ['tool', 'approve'] },
      });
      const before = await send(client, 2, message('before_tool', 2));
      expect(before).toMatchObject({ result: { action: 'continue' } });
      const approval = send(client, 3, message('approve_tool', 3), 20_000);
      await allow(place);
      expect(await approval).toMatchObject({ result: { approved: true } });
    } finally {
      client.close();
      await client.ended;
    }
  });
});

test.each([['command'], ['./ask'], ['']])('--approve-with "%s" refuses every call', async (means) => {
  const place = workplace();
  expect(await call(place, 'ls', { args: [`--approve-with=${means}`] })).toBe('refused');
});

describe('grants in PicoClaw', () => {
  test('counts for both times that it shows a call', async () => {
    const place = newWorkplace();
    // A policy about the approval alone makes the hook judge a call twice.
    place.write({
      'home/.config/policy/mine.yaml': `version: 1
policies:
  - {id: no-push, tool: shell, arguments: {command: deploy}, action: deny, reason: no}
  - {id: other, on: approve_tool, tool: shell, arguments: {command: nothing}, action: deny, reason: no}
`,
    });
    const client = startLines(place, []);
    try {
      expect(await send(client, 2, message('before_tool', 2))).toMatchObject({
        result: { action: 'deny_tool' },
      });
      await allow(place);
      expect(await send(client, 3, message('before_tool', 3))).toMatchObject({
        result: { action: 'continue' },
      });
      expect(await send(client, 4, message('approve_tool', 4))).toMatchObject({ result: { approved: true } });
      expect(await send(client, 5, message('before_tool', 5))).toMatchObject({
        result: { action: 'deny_tool' },
      });
    } finally {
      client.close();
      await client.ended;
    }
  });
});

/** A message of PicoClaw about the same call. */
function message(on: EventKind, id: number): object {
  const host = HOSTS.find(({ name }) => name === 'picoclaw');
  if (host === undefined) throw new Error('there is no such host');
  const composed = host.compose({ on, tool: 'shell', arguments: { command: DEPLOY } });
  return { ...(composed as object), id };
}

async function send(client: LineClient, id: number, value: object, withinMs?: number): Promise<unknown> {
  client.send(`${JSON.stringify(value)}\n`);
  return JSON.parse(await client.answerTo(id, withinMs));
}
