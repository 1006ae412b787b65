import { afterEach, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type HookConfig, type Picoclaw, type PicoclawConfig, startPicoclaw } from './host.ts';

const PEER = join(import.meta.dir, 'peer.ts');
const TOOL_STAGES = ['before_tool', 'approve_tool'];
const APPROVE = '{"id":$ID,"result":{"approved":true}}';

function peer(answers: Record<string, string | null>, config: Partial<HookConfig> = {}): HookConfig {
  return { command: [process.execPath, PEER, JSON.stringify(answers)], intercept: TOOL_STAGES, ...config };
}

function result(json: string): string {
  return `{"id":$ID,"result":${json}}`;
}

const open: Picoclaw[] = [];

async function start(config: PicoclawConfig): Promise<Picoclaw> {
  const host = await startPicoclaw({ interceptorMs: 400, approvalMs: 400, ...config });
  open.push(host);
  return host;
}

function logFile(): string {
  return join(temporaryFolder(), 'log');
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((host) => host.close()));
});

/** What comes of a turn with one hook that gives these answers, at these stages. */
async function turnOf(
  answers: Record<string, string | null>,
  intercept: readonly string[] = TOOL_STAGES,
  turn: Parameters<Picoclaw['turn']>[0] = LS,
  config: Omit<PicoclawConfig, 'processes'> = {},
) {
  return (await start({ ...config, processes: { a: peer(answers, { intercept }) } })).turn(turn);
}

/** The messages in a log of a peer. */
function messagesIn(log: string) {
  return readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const LS = {
  user: 'list',
  answers: [{ calls: [{ tool: 'exec', arguments: { command: 'ls' } }] }, { content: 'done' }],
};
const RAN_LS = [{ tool: 'exec', arguments: { command: 'ls' } }];

describe('before_tool', () => {
  const opensGate: [string, string | null][] = [
    ['no answer', null],
    ['an RPC error', '{"id":$ID,"error":{"code":-32000,"message":"broken"}}'],
    ['an action it does not know', result('{"action":"deny","reason":"no"}')],
    ['the wrong case', result('{"action":"DENY_TOOL"}')],
    ['a decision in other words', result('{"decision":"deny"}')],
    ['an id that is text', '{"id":"$ID","result":{"action":"deny_tool"}}'],
    ['an id that is no integer', '{"id":$ID.0,"result":{"action":"deny_tool"}}'],
    ['an action of a wrong type', result('{"action":1}')],
    ['a reason of a wrong type', result('{"action":"deny_tool","reason":1}')],
    ['a result of a wrong type', result('{"action":"respond","result":"text"}')],
    ['arguments of a wrong type', result('{"action":"modify","call":{"tool":"x","arguments":"text"}}')],
    ['an answer without result', '{"id":$ID}'],
    ['text that is no JSON', 'deny_tool'],
    [
      'an error code that is no integer',
      '{"id":$ID,"error":{"code":1.5,"message":"m"},"result":{"action":"deny_tool"}}',
    ],
    ['a death', 'exit'],
  ];
  test.each(opensGate)('is passed over after %s', async (_name, answer) => {
    expect((await turnOf({ 'hook.before_tool': answer }, ['before_tool'])).ran).toEqual(RAN_LS);
  });

  const shutsGate: [string, string][] = [
    ['deny_tool', result('{"action":"deny_tool","reason":"no"}')],
    ['keys in another case', result('{"Action":"deny_tool","REASON":"no"}')],
    ['a line with CRLF', `${result('{"action":"deny_tool","reason":"no"}')}\r`],
    ['a banner before it', `hello world\n\n${result('{"action":"deny_tool","reason":"no"}')}`],
    ['a null error beside it', '{"id":$ID,"error":null,"result":{"action":"deny_tool","reason":"no"}}'],
  ];
  test.each(shutsGate)('denies after %s', async (_name, answer) => {
    const report = await turnOf({ 'hook.before_tool': answer }, ['before_tool']);
    expect(report.ran).toEqual([]);
    expect(report.toldModel).toEqual(['Tool execution denied by hook: no']);
    expect(report.toldUser).toEqual(['done']);
  });

  const replaces: [string, string, object[]][] = [
    ['without a tool', '{"action":"modify","call":{"arguments":{"a":1}}}', []],
    ['without arguments', '{"action":"modify","call":{"tool":"exec"}}', [{ tool: 'exec', arguments: {} }]],
    [
      'on a mere continue',
      '{"action":"continue","call":{"tool":"read_file","arguments":{"path":"x"}}}',
      [{ tool: 'read_file', arguments: { path: 'x' } }],
    ],
  ];
  test.each(replaces)('takes the returned call whole %s', async (_name, answer, ran) => {
    expect((await turnOf({ 'hook.before_tool': result(answer) }, ['before_tool'])).ran as object[]).toEqual(
      ran,
    );
  });

  test.each([
    ['', []],
    [',"response_handled":true', ['forty-two']],
  ])('takes a flat result in place of the tool and asks nobody for approval', async (handled, shown) => {
    const answers = {
      'hook.before_tool': result(
        `{"action":"respond","result":{"for_llm":"42","for_user":"forty-two"${handled}}}`,
      ),
      'hook.approve_tool': result('{"approved":false}'),
    };
    const report = await turnOf(answers);
    expect(report.ran).toEqual([]);
    expect(report.toldModel).toEqual(['42']);
    expect(report.toldUser).toEqual([...shown, 'done']);
  });

  test('does not know respond before 0.2.6', async () => {
    const answers = { 'hook.before_tool': result('{"action":"respond","result":{"for_llm":"42"}}') };
    expect((await turnOf(answers, ['before_tool'], LS, { version: '0.2.5' })).ran).toEqual(RAN_LS);
  });

  test('runs the original call after a respond without result', async () => {
    const answers = { 'hook.before_tool': result('{"action":"respond","call":{"tool":"other"}}') };
    expect((await turnOf(answers, ['before_tool'])).ran).toEqual(RAN_LS);
  });
});

describe('approve_tool', () => {
  const refuses: [string, string | null, string][] = [
    ['an empty result', result('{}'), 'Tool execution denied by approval hook'],
    ['null', result('null'), 'Tool execution denied by approval hook'],
    ['a continue', result('{"action":"continue"}'), 'Tool execution denied by approval hook'],
    ['an allow', result('{"allow":true}'), 'Tool execution denied by approval hook'],
    [
      'an echo of the request',
      '{"id":$ID,"method":"hook.approve_tool"}',
      'Tool execution denied by approval hook',
    ],
    ['a reason', result('{"approved":false,"reason":"no"}'), 'Tool execution denied by approval hook: no'],
    [
      'text for a boolean',
      result('{"approved":"true"}'),
      'Tool execution denied by approval hook: tool approval hook "a" failed',
    ],
    ['no answer', null, 'Tool execution denied by approval hook: tool approval hook "a" timed out'],
    ['a death', 'exit', 'Tool execution denied by approval hook: tool approval hook "a" failed'],
  ];
  test.each(refuses)('refuses after %s', async (_name, answer, told) => {
    const report = await turnOf({ 'hook.approve_tool': answer }, ['approve_tool']);
    expect(report.ran).toEqual([]);
    expect(report.toldModel).toEqual([told]);
  });

  test('sees the call that all hooks have rewritten, and the original never runs', async () => {
    const log = logFile();
    const rewrite = result('{"action":"modify","call":{"tool":"read_file","arguments":{"path":"safe"}}}');
    const host = await start({
      processes: {
        late: peer({ 'hook.before_tool': rewrite }, { intercept: ['before_tool'], priority: 5 }),
        guard: peer(
          { 'hook.before_tool': result('{}'), 'hook.approve_tool': APPROVE },
          { env: { PEER_LOG: log } },
        ),
      },
    });
    const report = await host.turn(LS);
    expect(report.ran).toEqual([{ tool: 'read_file', arguments: { path: 'safe' } }]);
    const seen = messagesIn(log);
    expect(seen.map(({ method, params }) => [method, params.tool])).toEqual([
      ['hook.hello', undefined],
      ['hook.before_tool', 'exec'],
      ['hook.approve_tool', 'read_file'],
      ['hook.after_tool', 'read_file'],
    ]);
    expect(seen.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  });
});

describe('after_tool', () => {
  const cases: [string, string, string][] = [
    ['takes a nested result', '{"action":"modify","result":{"result":{"for_llm":"cleaned"}}}', 'cleaned'],
    ['ignores a flat result', '{"action":"modify","result":{"for_llm":"cleaned"}}', 'ran exec'],
    ['knows no deny', '{"action":"deny_tool","reason":"no"}', 'ran exec'],
    [
      'ignores a result with a wrong type',
      '{"action":"modify","result":{"result":{"for_llm":7}}}',
      'ran exec',
    ],
  ];
  test.each(cases)('%s', async (_name, answer, told) => {
    const answers = { 'hook.before_tool': result('{}'), 'hook.after_tool': result(answer) };
    expect((await turnOf(answers, ['before_tool'])).toldModel).toEqual([told]);
  });
});

describe('before_llm', () => {
  const system = { role: 'system', content: 'You help.' };
  const user = { role: 'user', content: 'hi' };
  const plugin = { type: 'function', function: { name: 'plugin', description: '', parameters: {} } };
  const turn = { user: 'hi', answers: [{ content: 'done' }] };

  async function requested(version: '0.2.7' | '0.2.9', request: object): Promise<Record<string, unknown>> {
    const answer = result(JSON.stringify({ action: 'modify', request }));
    const host = await start({
      version,
      processes: {
        a: peer({ 'hook.before_llm': answer, 'hook.after_llm': result('{}') }, { intercept: ['before_llm'] }),
      },
    });
    const [request1] = (await host.turn(turn)).requests;
    return request1 as Record<string, unknown>;
  }

  function roles(request: Record<string, unknown>): string[] {
    return (request['messages'] as { role: string }[]).map(({ role }) => role);
  }

  test('takes the request whole: what is left out is gone', async () => {
    const request = await requested('0.2.9', { messages: [system, user] });
    expect(request).toMatchObject({ model: '', options: {} });
  });

  test('keeps its tools since 0.2.8', async () => {
    const change = { model: 'm', messages: [system, user], tools: [plugin] };
    expect(JSON.stringify((await requested('0.2.9', change))['tools'])).not.toContain('plugin');
    expect(JSON.stringify((await requested('0.2.7', change))['tools'])).toContain('plugin');
  });

  test('drops all edits of messages if a system message has moved, since 0.2.8', async () => {
    const change = { model: 'm', messages: [user, system, user] };
    expect(roles(await requested('0.2.9', change))).toEqual(['system', 'user']);
    expect(roles(await requested('0.2.7', change))).toEqual(['user', 'system', 'user']);
  });

  test('takes other messages', async () => {
    const change = { model: 'm', messages: [system, user, user] };
    expect(roles(await requested('0.2.9', change))).toEqual(['system', 'user', 'user']);
  });

  test('knows no deny_tool', async () => {
    const answers = { 'hook.before_llm': result('{"action":"deny_tool"}') };
    expect((await turnOf(answers, ['before_llm'], turn)).requests).toHaveLength(1);
  });

  test.each([
    ['abort_turn', ['Error processing message: hook requested turn abort']],
    ['hard_abort', []],
  ])('tells nobody the reason of %s', async (action, told) => {
    const answers = { 'hook.before_llm': result(JSON.stringify({ action, reason: 'secret' })) };
    const report = await turnOf(answers, ['before_llm'], turn);
    expect(report.requests).toEqual([]);
    expect(report.toldUser).toEqual(told);
    expect(report.error).toBe('hook requested turn abort');
  });
});

describe('after_llm', () => {
  const echo = (response: object) => result(JSON.stringify({ action: 'modify', response }));
  const call = { id: 'c1', type: 'function', function: { name: 'exec', arguments: '{"command":"ls"}' } };

  test('loses tool calls that come back without function', async () => {
    const answers = { 'hook.after_llm': echo({ response: { content: '', tool_calls: [{ id: 'c1' }] } }) };
    const report = await turnOf(answers, ['after_llm'], { ...LS, answers: [LS.answers[0] ?? {}] });
    expect(report.ran).toEqual([]);
    expect(report.toldModel).toEqual(['tool "" not found']);
  });

  test('takes tool calls that come back whole', async () => {
    const answers = { 'hook.after_llm': echo({ response: { content: '', tool_calls: [call] } }) };
    expect((await turnOf(answers, ['after_llm'], { ...LS, answers: [LS.answers[0] ?? {}] })).ran).toEqual(
      RAN_LS,
    );
  });

  test('ignores a flat response', async () => {
    const answers = { 'hook.after_llm': echo({ content: 'cleaned' }) };
    expect(
      (await turnOf(answers, ['after_llm'], { user: 'hi', answers: [{ content: 'secret' }] })).toldUser,
    ).toEqual(['secret']);
  });
});

describe('chain', () => {
  test('a hook with a lower priority number keeps later ones from seeing what it denies', async () => {
    const log = logFile();
    const host = await start({
      processes: {
        a: peer({ 'hook.before_tool': result('{}') }, { intercept: ['before_tool'], env: { PEER_LOG: log } }),
        z: peer(
          { 'hook.before_tool': result('{"action":"deny_tool","reason":"first"}') },
          { intercept: ['before_tool'], priority: -1 },
        ),
      },
    });
    expect((await host.turn(LS)).toldModel).toEqual(['Tool execution denied by hook: first']);
    expect(readFileSync(log, 'utf8')).not.toContain('before_tool');
  });
});

describe('the line limit', () => {
  // The answer without its filling.
  const around = result('{"action":"deny_tool","reason":""}').length - '$ID'.length + 1;

  test('1,048,575 bytes and a newline are read', async () => {
    const answer = result(`{"action":"deny_tool","reason":"$FILL(${1_048_575 - around})"}`);
    expect((await turnOf({ 'hook.before_tool': answer }, ['before_tool'])).ran).toEqual([]);
  });

  test('one byte more, and nothing of the hook is read again', async () => {
    const answers = {
      'hook.before_tool': result(`{"action":"deny_tool","reason":"$FILL(${1_048_576 - around})"}`),
      'hook.approve_tool': APPROVE,
    };
    const report = await turnOf(answers);
    expect(report.ran).toEqual([]);
    expect(report.toldModel).toEqual([
      'Tool execution denied by approval hook: tool approval hook "a" timed out',
    ]);
  });
});

describe('start and end', () => {
  test.each([
    ['a boolean', result('true')],
    ['an error', '{"id":$ID,"error":{"code":1,"message":"no"}}'],
    ['a death', 'exit'],
  ])('%s for hello stops every hook and every turn', async (_name, answer) => {
    const host = await start({
      processes: { a: peer({ 'hook.before_tool': result('{}') }), b: peer({ 'hook.hello': answer }) },
    });
    expect(host.initError).toContain('hook "b"');
    expect((await host.turn(LS)).ran).toEqual([]);
    expect(() => host.hook('a')).toThrow();
  });

  test('whatever an object says, hello is fine', async () => {
    const host = await start({ processes: { a: peer({ 'hook.hello': result('{"ok":false}') }) } });
    expect(host.initError).toBeUndefined();
  });

  test('hello has no deadline', async () => {
    const starting = startPicoclaw({ processes: { a: peer({ 'hook.hello': null }) }, interceptorMs: 50 });
    expect(await Promise.race([starting.then(() => 'started'), Bun.sleep(700).then(() => 'waiting')])).toBe(
      'waiting',
    );
    // The peer leaves with this process: its input ends.
  });

  test.each([
    ['a stage that does not exist', { intercept: ['before_bash'] }, 'unsupported intercept'],
    ['no stage at all', { intercept: [] }, 'no hook modes enabled'],
    ['a dotted name before 0.2.9', { observe: ['agent.turn.end'] }, 'unsupported observe'],
  ])('%s is a configuration error', async (_name, config, error) => {
    const host = await start({ version: '0.2.8', processes: { a: peer({}, config) } });
    expect(host.initError).toContain(error);
  });

  test('a hook that stays after the end of its input is killed after two seconds', async () => {
    const host = await start({ processes: { a: peer({}, { env: { PEER_IGNORES_EOF: '1' } }) } });
    const hook = host.hook('a');
    const startedAt = performance.now();
    await host.close();
    expect(performance.now() - startedAt).toBeGreaterThan(1900);
    expect(hook.signal).toBe('SIGKILL');
  });

  test('a dead hook is not started again: tools pass unless it approved them', async () => {
    const host = await start({ processes: { a: peer({}, { intercept: ['before_tool'] }) } });
    await host.hook('a').crash();
    expect((await host.turn(LS)).ran).toEqual(RAN_LS);
  });
});

describe('notifications', () => {
  test.each([
    ['0.2.8', { method: 'hook.event', params: { Kind: 0 } }],
    ['0.2.9', { method: 'hook.runtime_event', params: { kind: 'agent.turn.start' } }],
  ] as const)('in %s have their own form and no id', async (version, expected) => {
    const log = logFile();
    const host = await start({
      version,
      processes: { a: peer({}, { intercept: [], observe: ['turn_start'], env: { PEER_LOG: log } }) },
    });
    await host.turn({ user: 'hi', answers: [{ content: 'done' }] });
    await host.close();
    const messages = messagesIn(log);
    expect(messages).toHaveLength(2);
    expect(messages[1]).toMatchObject(expected);
    expect(messages[1]).not.toHaveProperty('id');
  });
});
