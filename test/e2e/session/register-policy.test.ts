import { expect, test } from 'bun:test';
import { isJsonObject, type Json, type JsonObject, ownObject } from '../../../src/lib/json.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';
import { call } from '../allow/call.ts';
import { request, resultOf, startLines } from '../hook/line-client.ts';
import { workplaceIn } from '../hook/workplace.ts';

const folders = temporaryFolders();

const POLICIES = {
  version: 1,
  name: 'no-push',
  policies: [
    { id: 'push', command: { subcommand: ['git', 'push'] }, action: 'deny', reason: 'Not in this task' },
  ],
};

/** A hook of PicoClaw, and what it answers. */
function start(...args: string[]) {
  const place = workplaceIn(folders());
  const client = startLines(place, args);
  let id = 0;
  const ask = async (method: string, params: JsonObject) => {
    id += 1;
    client.send(`${request(id, method, params)}\n`);
    return resultOf(await client.answerTo(id));
  };
  return {
    place,
    /** The names of the tools that the model is offered. */
    offered: async (): Promise<readonly Json[]> => {
      const messages = [{ role: 'user', content: 'Hello' }];
      const answer = await ask('hook.before_llm', { model: 'm', messages, tools: [], options: {} });
      const tools = ownObject(answer as JsonObject, 'request')?.['tools'];
      return Array.isArray(tools)
        ? tools.map((tool) => (isJsonObject(tool) ? (ownObject(tool, 'function')?.['name'] ?? null) : null))
        : [];
    },
    tool: (tool: string, args: JsonObject) => ask('hook.before_tool', { tool, arguments: args }),
    end: async () => {
      client.close();
      await client.ended;
    },
  };
}

test('the model registers policies that hold from then on', async () => {
  const { place, offered, tool, end } = start('--register-policy', '--host-version', '0.2.7');
  expect(await offered()).toEqual(['register_policy']);
  expect(await tool('exec', { command: 'git push' })).toEqual({ action: 'continue' });
  expect(await tool('register_policy', POLICIES)).toMatchObject({
    action: 'respond',
    result: { for_llm: `Added no-push: in force in sessions in ${place.project} and below`, is_error: false },
  });
  const untilMs = performance.now() + 20_000;
  let answer = await tool('exec', { command: 'git push' });
  while (isJsonObject(answer) && answer['action'] === 'continue' && performance.now() < untilMs) {
    await Bun.sleep(100);
    answer = await tool('exec', { command: 'git push' });
  }
  expect(answer).toEqual({ action: 'deny_tool', reason: expect.stringContaining('no-push/push') });
  expect(await tool('exec', { command: 'git status' })).toEqual({ action: 'continue' });
  await end();
}, 60_000);

test.each<[string, JsonObject, string]>([
  ['no policies', { version: 1, name: 'x', policies: [] }, 'policies'],
  [
    'an action that lets pass',
    { ...POLICIES, policies: [{ id: 'a', action: 'approve', reason: 'r' }] },
    'action',
  ],
  ['an exception', { ...POLICIES, exceptions: [] }, 'exceptions'],
  [
    'a mistake in a policy',
    { ...POLICIES, policies: [{ id: 'a', comand: 'ls', action: 'deny', reason: 'r' }] },
    '"comand"',
  ],
])(
  'the model that registers %s is told what is wrong',
  async (_what, args, said) => {
    const { place, tool, end } = start('--register-policy');
    expect(await tool('register_policy', args)).toMatchObject({
      action: 'respond',
      result: { for_llm: expect.stringContaining(said), is_error: true },
    });
    await end();
    expect((await place.run({ args: ['session', 'list'] })).stdout).toContain('Nothing was added');
  },
  60_000,
);

test('the tool is off unless it is asked for', async () => {
  const { offered, tool, end } = start('--host-version', '0.2.7');
  expect(await offered()).toEqual([]);
  expect(await tool('register_policy', POLICIES)).toEqual({ action: 'continue' });
  await end();
}, 60_000);

test('calls are refused where the tool cannot work', async () => {
  const other = workplaceIn(folders());
  expect(await call(other, 'git status', { args: ['--register-policy'] })).toBe('refused');
  const { tool, end } = start('--register-policy', '--policies', 'builtin:baseline');
  expect(await tool('exec', { command: 'git status' })).toEqual({
    action: 'deny_tool',
    reason: expect.stringContaining('--register-policy with --policies'),
  });
  await end();
}, 60_000);
