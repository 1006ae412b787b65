import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { type LineClient, resultOf, shellCall, startLines } from '../hook/line-client.ts';
import { type Workplace, workplace } from '../hook/workplace.ts';
import { hello, judgeFile, leave } from './ask-host.ts';
import type { ModelServer } from './model-server.ts';
import { serveModel } from './serve-model.ts';

interface Started {
  readonly place: Workplace;
  readonly client: LineClient;
}

async function start(
  server: ModelServer,
  modes: readonly string[],
  { settings = {}, policy = {}, rules = [] as readonly unknown[], args = [] as readonly string[] } = {},
): Promise<Started> {
  const place = workplace({
    'house.yaml': judgeFile({ base_url: `${server.url}/v1`, cache: false, ...settings }, policy),
    'rules.yaml': JSON.stringify({
      version: 1,
      name: 'rules',
      policies: [{ id: 'none', tool: 'mcp', action: 'deny' }, ...rules],
    }),
  });
  const client = startLines(place, [
    '--policies',
    `${place.folder}/house.yaml`,
    '--policies',
    `${place.folder}/rules.yaml`,
    ...args,
  ]);
  client.send(`${hello(modes)}\n`);
  await client.answerTo(1);
  return { place, client };
}

async function call(client: LineClient, id: number, command: string, method: string, turn = id) {
  client.send(`${shellCall(id, command, method).replace(`turn-${id}`, `turn-${turn}`)}\n`);
  return resultOf(await client.answerTo(id, 20_000));
}

const WITH_APPROVAL = ['tool', 'approve'];

describe('PicoClaw', () => {
  test('that asks for approval is answered at once before, and by the judge then', async () => {
    const server = serveModel(async () => {
      // Longer than before_tool would wait.
      await Bun.sleep(1_000);
      return { verdict: 'deny', reason: 'thought about it' };
    });
    const { client } = await start(server, WITH_APPROVAL, { args: ['--host-timeout', '1'] });
    expect((await call(client, 2, 'make', 'hook.before_tool', 7))['action']).toBe('continue');
    expect(server.received).toEqual([]);
    expect(await call(client, 3, 'make', 'hook.approve_tool', 7)).toEqual({
      approved: false,
      reason: 'Refused by house/judged: thought about it.',
    });
    expect(server.received).toHaveLength(1);
    await leave(client);
  }, 60_000);

  test('that asks for approval gets the judge for the same call again', async () => {
    const server = serveModel((_received, index) => ({ verdict: index === 0 ? 'approve' : 'deny' }));
    const { client } = await start(server, WITH_APPROVAL);
    for (const [id, approved] of [
      [2, true],
      [4, false],
    ] as const) {
      expect((await call(client, id, 'make', 'hook.before_tool', 7))['action']).toBe('continue');
      expect((await call(client, id + 1, 'make', 'hook.approve_tool', 7))['approved']).toBe(approved);
    }
    expect(server.received).toHaveLength(2);
    await leave(client);
  });

  test('that asks for approval is still refused at once by rules', async () => {
    const server = serveModel(() => ({ verdict: 'approve' }));
    const rules = [{ id: 'no-rm', tool: 'shell', arguments: { command: 'rm' }, action: 'deny' }];
    const { client } = await start(server, WITH_APPROVAL, { rules });
    expect((await call(client, 2, 'rm x', 'hook.before_tool'))['action']).toBe('deny_tool');
    expect(server.received).toEqual([]);
    await leave(client);
  });

  test('that asks for approval has the judge before a program answers for the tool', async () => {
    const server = serveModel(() => ({ verdict: 'deny', reason: 'not even answered' }));
    const rules = [{ id: 'answer', tool: 'shell', action: 'respond', result: { for_llm: 'canned' } }];
    const { client } = await start(server, WITH_APPROVAL, { rules });
    expect((await call(client, 2, 'make', 'hook.before_tool'))['action']).toBe('deny_tool');
    expect(server.received).toHaveLength(1);
    await leave(client);
  });

  test('that asks for approval has a judge that may rewrite before', async () => {
    const server = serveModel(({ user }) => ({ verdict: user.includes('dry') ? 'approve' : 'modify' }));
    const verdicts = { approve: 'approve', modify: { rewrite: { set: { command: 'make --dry-run' } } } };
    const { client } = await start(server, WITH_APPROVAL, { policy: { verdicts } });
    const answer = await call(client, 2, 'make', 'hook.before_tool');
    expect(answer['action']).toBe('modify');
    expect(JSON.stringify(answer)).toContain('make --dry-run');
    await leave(client);
  });

  test('that shakes hands again without asking for approval is answered by the judge before', async () => {
    const server = serveModel(() => ({ verdict: 'deny', reason: 'at once' }));
    const { client } = await start(server, WITH_APPROVAL);
    expect((await call(client, 2, 'make', 'hook.before_tool'))['action']).toBe('continue');
    client.send(`${hello(['tool']).replace('"id":1', '"id":3')}\n`);
    await client.answerTo(3);
    expect((await call(client, 4, 'make', 'hook.before_tool'))['action']).toBe('deny_tool');
    await leave(client);
  });

  test('that does not ask for approval is answered by the judge within its time', async () => {
    const server = serveModel(async ({ user }) => {
      if (user.includes('slow')) await Bun.sleep(20_000);
      return { verdict: 'deny', reason: 'quickly' };
    });
    const { client } = await start(server, ['tool'], { args: ['--host-timeout', '1'] });
    expect((await call(client, 2, 'make', 'hook.before_tool'))['reason']).toBe(
      'Refused by house/judged: quickly.',
    );
    const startMs = performance.now();
    const late = await call(client, 3, 'make slow', 'hook.before_tool');
    expect(performance.now() - startMs).toBeLessThan(1_000);
    expect(late['action']).toBe('deny_tool');
    // On a busy machine the program is done waiting before it has heard that its judge is.
    expect(late['reason']).toMatch(/it did not answer in time\.$|no answer within 800 ms$/);
    await leave(client);
  }, 60_000);

  test('is answered in time though another process keeps the state file locked', async () => {
    const server = serveModel(async () => {
      await Bun.sleep(300);
      return { verdict: 'approve' };
    });
    const settings = { cache: { ttl: 60 } };
    const { place, client } = await start(server, ['tool'], { settings, args: ['--host-timeout', '2'] });
    expect((await call(client, 2, 'make', 'hook.before_tool'))['action']).toBe('continue');
    const database = new Database(join(place.state, 'state.db'));
    database.run('BEGIN IMMEDIATE');
    const startMs = performance.now();
    expect((await call(client, 3, 'make more', 'hook.before_tool'))['action']).toBe('continue');
    expect(performance.now() - startMs).toBeLessThan(2_000);
    database.close();
    await leave(client);
  }, 60_000);

  test('is answered about other calls while the judge thinks', async () => {
    const judge = Promise.withResolvers<{ verdict: string }>();
    const server = serveModel(() => judge.promise);
    const rules = [{ id: 'no-rm', tool: 'shell', arguments: { command: 'rm' }, action: 'deny' }];
    const { client } = await start(server, ['tool'], { rules });
    const thinking = call(client, 2, 'make', 'hook.before_tool');
    expect((await call(client, 3, 'rm x', 'hook.before_tool'))['action']).toBe('deny_tool');
    judge.resolve({ verdict: 'approve' });
    expect((await thinking)['action']).toBe('continue');
    await leave(client);
  });
});
