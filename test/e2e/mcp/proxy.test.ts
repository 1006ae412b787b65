import { afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { BINARY } from '../../support/binary.ts';
import { sharedFolder, temporaryFolder } from '../../support/temporary-folder.ts';
import { writeFiles } from '../../support/write-files.ts';

const bundle = sharedFolder();
/** In one file: reading the hundreds of the SDK takes as long as all that a test is about. */
const SERVER = [process.execPath, join(bundle, 'server.js')];
const POLICIES = `version: 1
name: house
policies:
  - {id: no-drop, description: d, tool_matcher: mcp__box__drop, action: deny, reason: Tables stay}
  - {id: no-oath, description: d, tool_matcher: mcp__box__say, arguments: {words: {contains: oath}}, action: deny, reason: No oaths}
  - {id: stop, description: d, tool_matcher: mcp__box__say, arguments: {words: halt}, action: hard_abort, reason: Enough}
  - {id: ask, description: d, tool_matcher: mcp__box__say, arguments: {words: ask me}, action: ask, reason: Somebody has to agree}
  - {id: tidy, description: d, tool_matcher: mcp__box__say, arguments: {words: draft}, action: modify, rewrite: {set: {words: final}}}
  - {id: canned, description: d, tool_matcher: mcp__box__say, arguments: {words: canned}, action: respond, result: {for_llm: from the can}}
  - {id: round, description: d, tool_matcher: mcp__box__number, arguments: {value: {exists: true}, note: {exists: true}}, action: modify, rewrite: {remove: [note]}}
  - {id: no-keys, description: d, on: after_tool, content: key-123, action: modify, rewrite: {redact: [{regex: key-123, with: "[key]"}]}}
  - {id: kept, description: d, on: after_tool, content: secret, action: deny, reason: That stays here}
`;

beforeAll(async () => {
  const entrypoints = [join(import.meta.dir, 'server.ts')];
  expect((await Bun.build({ entrypoints, target: 'bun', outdir: bundle })).success).toBe(true);
});

const open: Client[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

interface Connection {
  readonly client: Client;
  readonly home: string;
  /** What the server has been told to say. */
  readonly notes: () => string;
}

/** A client of the SDK that is connected through the proxy. */
async function connect(
  policies = POLICIES,
  options: readonly string[] = ['--name', 'box'],
  files: Readonly<Record<string, string>> = {},
): Promise<Connection> {
  const home = temporaryFolder();
  const path = join(home, 'house.yaml');
  writeFileSync(path, policies);
  writeFiles(home, files);
  const notes = join(home, 'notes');
  const client = new Client({ name: 'test', version: '1' });
  open.push(client);
  const args = ['mcp-proxy', '--policies', path, ...options, '--', ...SERVER];
  const env = { HOME: home, PATH: process.env['PATH'] ?? '', NOTES: notes };
  await client.connect(new StdioClientTransport({ command: BINARY, args, env, stderr: 'ignore' }));
  return { client, home, notes: () => (existsSync(notes) ? readFileSync(notes, 'utf8') : '') };
}

async function say({ client }: Connection, words: string): Promise<readonly [string, boolean]> {
  const { content, isError = false } = await client.callTool({ name: 'say', arguments: { words } });
  const [first] = content as readonly { readonly text: string }[];
  return [first?.text ?? '', isError === true];
}

describe('policy mcp-proxy', () => {
  test('judges calls: what is refused never reaches the server', async () => {
    const connection = await connect();
    expect(await say(connection, 'hello')).toEqual(['you said hello', false]);
    for (const [words, reason] of [
      ['an oath', 'no oaths'],
      ['halt', 'enough'],
      ['ask me', 'somebody has to agree'],
    ] as const) {
      const [text, isError] = await say(connection, words);
      expect([text, isError]).toEqual([expect.stringContaining(reason), true]);
    }
    expect(await say(connection, 'canned')).toEqual(['from the can', false]);
    expect(await say(connection, 'draft')).toEqual(['you said final', false]);
    expect(connection.notes()).toBe('hello\nfinal\n');
  });

  test('knows what the server says of its tools once it has listed them', async () => {
    const policy = `version: 1
policies:
  - {id: read-only, description: d, tool: mcp, not: {event: {annotations.readOnlyHint: true}}, action: deny, reason: Only what reads}
`;
    const { client } = await connect(policy);
    const call = async (name: string) => {
      const { content } = await client.callTool({ name, arguments: { value: 1, words: 'a' } });
      return (content as readonly { readonly text: string }[])[0]?.text;
    };
    expect(await call('number')).toContain('only what reads');
    await client.listTools();
    expect(await call('number')).toBe('a number');
    expect(await call('say')).toContain('only what reads');
  });

  test('answers an equal call with the result of the last one, and an error never', async () => {
    const connection = await connect(
      `${POLICIES}  - {id: cached, description: d, tool_matcher: mcp__box__*, action: respond, cache: {ttl: 5m}}\n`,
    );
    for (const words of ['hello', 'hello', 'key-123', 'key-123']) await say(connection, words);
    expect(await say(connection, 'key-123')).toEqual(['you said [key]', false]);
    for (const words of ['fail', 'fail']) expect((await say(connection, words))[1]).toBe(true);
    const record = () => connection.client.callTool({ name: 'record', arguments: {} });
    expect(await record()).toEqual(await record());
    expect(connection.notes()).toBe('hello\nkey-123\nfail\nfail\n');
  });

  test('answers a call that a recording lacks with an error', async () => {
    const policy = `version: 1
policies:
  - {id: replay, description: d, tool: mcp, action: respond, recorded: calls.yaml}
`;
    const recorded = 'results: [{tool: mcp__box__say, arguments: {words: hi}, result: as recorded}]';
    const connection = await connect(policy, undefined, { 'calls.yaml': recorded });
    expect(await say(connection, 'hi')).toEqual(['as recorded', false]);
    expect(await say(connection, 'ho')).toEqual([expect.stringContaining('calls.yaml has no result'), true]);
  });

  test('redacts results, structured ones and errors too, and withholds them', async () => {
    const connection = await connect();
    expect(await say(connection, 'key-123')).toEqual(['you said [key]', false]);
    expect(await say(connection, 'fail')).toEqual([expect.stringContaining('the key is [key]'), true]);
    expect(await say(connection, 'a secret')).toEqual([expect.stringContaining('that stays here'), true]);
    const record = await connection.client.callTool({ name: 'record', arguments: {} });
    expect(record).toMatchObject({
      content: [{ type: 'text', text: '[key]' }],
      structuredContent: { key: '[key]', count: 3 },
    });
  });

  test('lists no tool that is refused whatever its arguments are', async () => {
    const { client } = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['say', 'number', 'record']);
    const { isError } = await client.callTool({ name: 'drop', arguments: {} });
    expect(isError).toBe(true);
  });

  test('passes everything else through', async () => {
    const { client } = await connect();
    expect(client.getServerVersion()).toMatchObject({ name: 'the box' });
    await client.ping();
    expect(await client.readResource({ uri: 'file:///readme' })).toMatchObject({
      contents: [{ text: 'key-123 stands here' }],
    });
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['greet']);
    expect(await client.getPrompt({ name: 'greet' })).toMatchObject({ messages: [{ role: 'user' }] });
    await expect(client.callTool({ name: 'say', arguments: { words: 1 } })).resolves.toMatchObject({
      isError: true,
    });
  });

  test('calls the server what it calls itself', async () => {
    const policies = POLICIES.replaceAll('mcp__box__', 'mcp__the_box__');
    const connection = await connect(policies, []);
    expect(await say(connection, 'an oath')).toEqual([expect.stringContaining('no oaths'), true]);
  });

  test('refuses every call where a policy is broken, and says so', async () => {
    const connection = await connect('version: 1\npolicies: [');
    const [text, isError] = await say(connection, 'hello');
    expect([text, isError]).toEqual([expect.stringContaining('house.yaml'), true]);
    expect(connection.notes()).toBe('');
  });

  test('writes decisions into the log', async () => {
    const connection = await connect();
    await say(connection, 'an oath');
    await connection.client.close();
    const env = { HOME: connection.home, PATH: process.env['PATH'] ?? '' };
    const { stdout } = Bun.spawnSync([BINARY, 'report'], { env, cwd: connection.home });
    expect(stdout.toString()).toContain('house/no-oath');
  });
});

/** What comes of lines, each as it is: from the proxy, with `cat` or a script as the server. */
async function lines(input: readonly string[], server: readonly string[], options: readonly string[] = []) {
  const home = temporaryFolder();
  const path = join(home, 'house.yaml');
  writeFileSync(path, POLICIES);
  const child = Bun.spawn(
    [BINARY, 'mcp-proxy', '--policies', path, '--name', 'box', ...options, '--', ...server],
    {
      cwd: home,
      env: { HOME: home, PATH: process.env['PATH'] ?? '' },
      stdin: Buffer.from(input.map((line) => `${line}\n`).join('')),
      stdout: 'pipe',
      stderr: 'pipe',
      timeout: 30_000,
    },
  );
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { out: stdout.split('\n').filter((line) => line !== ''), stderr, exitCode };
}

const call = (args: string, id = '1') =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"say","arguments":${args}}}`;

describe('the lines of policy mcp-proxy', () => {
  test('pass byte by byte where nothing is changed', async () => {
    const input = [
      '{"jsonrpc":"2.0", "method":"notifications/x","params":{"n":12345678901234567890,"e":1.50}}',
      call('{"words": "a", "id": 12345678901234567890}'),
      '{"jsonrpc":"2.0","id":"s","result":{"big":12345678901234567890}}',
    ];
    const { out, stderr } = await lines(input, ['sh', '-c', 'cat >&2']);
    expect(stderr).toBe(input.map((line) => `${line}\n`).join(''));
    expect(out).toEqual([]);
  });

  test('are refused where a rewrite would change a number that the model wrote', async () => {
    const line =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"number","arguments":{"value":12345678901234567890,"note":"x"}}}';
    const { out } = await lines([line], ['sh', '-c', 'cat >&2']);
    expect(out.join()).toContain('"isError":true');
  });

  test.each([
    ['no JSON', 'tools/call'],
    ['a batch', `[${call('{"words":"an oath"}')}]`],
    [
      'a call that nobody could be answered',
      '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"say"}}',
    ],
    ['a message with more beside', call('{}').replace('"id"', '"x":1,"id"')],
  ])('do not reach the server where they are %s', async (_what, line) => {
    const { stderr } = await lines([line], ['sh', '-c', 'sed "s/^/GOT /" >&2']);
    expect(stderr).not.toContain('GOT');
    expect(stderr).not.toBe('');
  });

  /** What other programs read otherwise than this one: each hides the oath, or the tool that is refused. */
  test.each([
    ['the name twice', call('{}').replace('"name":"say"', '"name":"drop","name":"say"')],
    ['the name in another letter case', call('{}').replace('"name":"say"', '"name":"say","Name":"drop"')],
    ['the name in another letter case alone', call('{}').replace('"name"', '"NAME"')],
    [
      'the arguments twice',
      call('{"words":"a"}').replace('"arguments"', '"arguments":{"words":"an oath"},"arguments"'),
    ],
    [
      'the arguments in another letter case',
      call('{"words":"a"}').replace('"arguments"', '"Arguments":{"words":"an oath"},"arguments"'),
    ],
    ['the parameters twice', call('{"words":"a"}').replace('"params"', '"params":{"name":"drop"},"params"')],
    ['an argument twice', call('{"words":"an oath","words":"a"}')],
    ['an argument twice, escaped', call('{"\\u0077ords":"an oath","words":"a"}')],
    ['an argument in another letter case', call('{"Words":"an oath","words":"a"}')],
    ['an argument with a long s', call('{"words":"a","word\u017f":"an oath"}')],
    ['an argument twice, deep down', call('{"words":"a","x":[{"y":{"z":1,"z":2}}]}')],
    ['the method twice', call('{"words":"a"}').replace('"method"', '"method":"ping","method"')],
  ])('do not reach the server where they have %s, and are answered', async (_what, line) => {
    const { out, stderr } = await lines([line], ['sh', '-c', 'sed "s/^/GOT /" >&2']);
    expect(stderr).not.toContain('GOT');
    expect(out).toHaveLength(1);
    expect(JSON.parse(out[0] ?? '')).toMatchObject({ id: 1 });
    expect(out[0]).toMatch(/Refused by policy|no message of MCP/);
  });

  test.each([
    ['the same keys in different objects', call('{"words":"a","x":{"words":"b"},"y":[{"k":1},{"k":2}]}')],
    ['keys in texts', call('{"words":"{\\"a\\":1,\\"a\\":2}"}')],
    ['another argument', call('{"words":"a","Word":"b"}')],
  ])('reach the server byte by byte where they have %s', async (_what, line) => {
    const { stderr } = await lines([line], ['sh', '-c', 'cat >&2']);
    expect(stderr).toBe(`${line}\n`);
  });

  test('do not reach the server where an argument is a declared one in another letter case', async () => {
    const listed =
      '{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"say","inputSchema":{"type":"object","properties":{"words":{}}}}]}}';
    const script = `read line; echo '${listed}'; sed "s/^/GOT /" >&2`;
    const home = temporaryFolder({ 'house.yaml': POLICIES, server: script });
    const client = `echo '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'; sleep 1; echo '${call('{"Words":"an oath"}', '2')}'; sleep 1`;
    const { stdout, stderr } = Bun.spawnSync(
      ['sh', '-c', `(${client}) | ${BINARY} mcp-proxy --policies house.yaml --name box -- sh server`],
      { cwd: home, env: { HOME: home, PATH: process.env['PATH'] ?? '' }, stderr: 'pipe' },
    );
    expect(stderr.toString()).not.toContain('GOT');
    expect(stdout.toString()).toContain('letter case');
  });

  test('of the server are an error where a key occurs twice in them', async () => {
    const answer =
      '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"key-123","text":"a"}]}}';
    const { out } = await lines(
      [call('{"words":"a"}')],
      ['sh', '-c', `read line; echo '${answer}'; cat >/dev/null`],
    );
    expect(out).toHaveLength(1);
    expect(out[0]).toContain('"error"');
    expect(out[0]).not.toContain('key-123');
  });

  test('of the server are redacted in the keys of structured results', async () => {
    const answer =
      '{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"a key-123 b":{"key-123":[{"key-123":1}]},"Id":1,"id":2}}}';
    const { out } = await lines(
      [call('{"words":"a"}')],
      ['sh', '-c', `read line; echo '${answer}'; cat >/dev/null`],
    );
    expect(out).toEqual([answer.replaceAll('key-123', '[key]')]);
  });

  test('of the server are withheld where a key of a structured result is refused', async () => {
    const answer = '{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"a secret":1}}}';
    const { out } = await lines(
      [call('{"words":"a"}')],
      ['sh', '-c', `read line; echo '${answer}'; cat >/dev/null`],
    );
    expect(out[0]).not.toContain('a secret');
    expect(out[0]).toContain('that stays here');
  });

  test('of tasks that began elsewhere are judged, and what they say of themselves', async () => {
    const asks = ['tasks/result', 'tasks/get', 'tasks/list', 'tasks/cancel'].map(
      (method, index) => `{"jsonrpc":"2.0","id":${index + 1},"method":"${method}","params":{"taskId":"t9"}}`,
    );
    const task = '{"taskId":"t9","status":"working","statusMessage":"key-123"}';
    const answers = [
      '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"key-123"}]}}',
      `{"jsonrpc":"2.0","id":2,"result":${task}}`,
      `{"jsonrpc":"2.0","id":3,"result":{"tasks":[${task}]}}`,
      '{"jsonrpc":"2.0","id":4,"result":{"taskId":"t9","status":"cancelled","statusMessage":"a secret"}}',
      `{"jsonrpc":"2.0","method":"notifications/tasks/status","params":${task}}`,
    ];
    const script = `read a; read b; read c; read d; ${answers.map((line) => `echo '${line}'`).join('; ')}; cat >/dev/null`;
    const { out } = await lines(asks, ['sh', '-c', script]);
    expect(out).toHaveLength(5);
    expect(out.join('\n')).not.toMatch(/key-123|a secret/);
    expect(out[1]).toContain('"statusMessage":"[key]"');
    expect(out[3]).toContain('"error"');
    expect(out[4]).toContain('"statusMessage":"[key]"');
  });

  test('in which a server asks the model are judged, and the calls that it asks for', async () => {
    const ask =
      '{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"key-123"}}],"maxTokens":9}}';
    const reply = (words: string) =>
      `{"jsonrpc":"2.0","id":7,"result":{"role":"assistant","model":"m","content":[{"type":"tool_use","id":"u","name":"say","input":{"words":"${words}"}}]}}`;
    const script = `echo '${ask}'; sed "s/^/GOT /" >&2`;
    const passed = await lines([reply('hello')], ['sh', '-c', script]);
    expect(passed.out).toEqual([ask.replace('key-123', '[key]')]);
    expect(passed.stderr).toContain(`GOT ${reply('hello')}`);
    const refused = await lines([reply('an oath')], ['sh', '-c', script]);
    expect(refused.stderr).toContain('GOT {"jsonrpc":"2.0","id":7,"error"');
    expect(refused.stderr).not.toContain('an oath');
  });

  test('with millions of keys are answered before anything reads them', async () => {
    const line = call(`{${'"a key with a name":1,'.repeat(2_500_000)}"z":1}`);
    const { out, stderr } = await lines([line], ['sh', '-c', 'sed "s/^/GOT /" >&2']);
    expect(stderr).not.toContain('GOT');
    expect(out).toEqual([expect.stringContaining('"error"')]);
  });

  test('answer an id that has no answer yet with an error', async () => {
    const { out } = await lines(
      [call('{"words":"a"}'), call('{"words":"b"}')],
      ['sh', '-c', 'cat >/dev/null'],
    );
    expect(out).toEqual([expect.stringContaining('"error"')]);
  });

  test('of the server pass only where somebody waits for them', async () => {
    const answer = (text: string) =>
      `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"${text}"}]}}`;
    const script = `read line; echo '${answer('key-123')}'; echo '${answer('key-123 again')}'; echo nonsense; cat >/dev/null`;
    const { out, stderr } = await lines([call('{"words":"a"}')], ['sh', '-c', script]);
    expect(out).toEqual([answer('[key]')]);
    expect(stderr).toContain('nobody waits');
  });

  test('of a task are judged where its result is asked for', async () => {
    const task = '{"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"t1","status":"working"}}}';
    const result = '{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"key-123"}]}}';
    const script = `read line; echo '${task}'; read line; echo '${result}'; cat >/dev/null`;
    const client = `echo '${call('{"words":"a"}')}'; sleep 1; echo '{"jsonrpc":"2.0","id":2,"method":"tasks/result","params":{"taskId":"t1"}}'; sleep 1`;
    const home = temporaryFolder({ 'house.yaml': POLICIES, server: script });
    const { stdout } = Bun.spawnSync(
      ['sh', '-c', `(${client}) | ${BINARY} mcp-proxy --policies house.yaml --name box -- sh server`],
      { cwd: home, env: { HOME: home, PATH: process.env['PATH'] ?? '' } },
    );
    expect(stdout.toString()).toBe(`${task}\n${result.replace('key-123', '[key]')}\n`);
  });

  test('end with the server, by its exit code', async () => {
    expect(await lines([call('{"words":"a"}')], ['sh', '-c', 'exit 7'])).toMatchObject({
      out: [],
      exitCode: 7,
    });
  });

  test('of a server that cannot be started are a failure', async () => {
    const { out, stderr, exitCode } = await lines([call('{"words":"a"}')], ['/nonexistent/server']);
    expect([out, exitCode]).toEqual([[], 1]);
    expect(stderr).toContain('Cannot start "/nonexistent/server"');
  });
});

test('policy mcp-proxy without a server says what is missing', () => {
  const { stderr, exitCode } = Bun.spawnSync([BINARY, 'mcp-proxy'], { stderr: 'pipe' });
  expect(stderr.toString()).toContain('Cannot start a server');
  expect(exitCode).toBe(2);
});
