import { expect, test } from 'bun:test';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../../src/lib/json.ts';
import { onTerminal } from '../../support/pty.ts';
import { type LineClient, request, resultOf, startLines } from './line-client.ts';
import { workplace } from './workplace.ts';

const CACHE = `
version: 1
name: kept
policies:
  - {id: search, tool: web_search, action: respond, cache: {ttl: 10m}}
`;

/** Ids of requests, which a process must not see twice. */
let id = 0;

/** Calls of one session, with their results, before one hook. */
function callsTo(client: LineClient, session = 's', sender?: string) {
  const from = sender === undefined ? {} : { context: { inbound: { channel: 'c', sender_id: sender } } };
  const ask = async (method: string, params: JsonObject) => {
    id += 1;
    client.send(
      `${request(id, method, { meta: { SessionKey: session, TurnID: 't', AgentID: 'main' }, ...from, ...params })}\n`,
    );
    return resultOf(await client.answerTo(id));
  };
  const before = (args: JsonObject, tool = 'web_search') =>
    ask('hook.before_tool', { tool, arguments: args });
  const after = (args: JsonObject, result: JsonObject, tool = 'web_search') =>
    ask('hook.after_tool', {
      tool,
      arguments: args,
      result: {
        for_llm: 'pages about it',
        for_user: '',
        silent: true,
        is_error: false,
        async: false,
        ...result,
      },
      duration: 5,
    });
  /** The call, and its result where it runs; true if it ran. */
  const run = async (args: JsonObject, result: JsonObject = {}): Promise<boolean> => {
    const { action, reason } = await before(args);
    if (action === 'respond') return false;
    if (action !== 'continue') throw new Error(String(reason));
    await after(args, result);
    return true;
  };
  return { ask, before, after, run };
}

function start(policies: string, place = workplace()) {
  place.write({ 'kept.yaml': policies });
  const client = startLines(place, ['--policies', join(place.folder, 'kept.yaml')]);
  return { place, client, ...callsTo(client) };
}

async function end({ client }: { readonly client: LineClient }): Promise<void> {
  client.close();
  await client.ended;
}

test('a second equal call is answered with the result as it was, a different one runs', async () => {
  const hook = start(CACHE);
  const result = { for_user: 'for you', silent: false, media: ['media://1'], response_handled: true };
  expect(await hook.run({ query: 'bun' }, result)).toBe(true);
  expect(await hook.before({ query: 'bun' })).toMatchObject({
    action: 'respond',
    result: { for_llm: 'pages about it', is_error: false, ...result },
  });
  expect(await hook.run({ query: 'deno' })).toBe(true);
  expect(await hook.run({ query: 'bun', count: 5 })).toBe(true);
  expect((await hook.before({ query: 'bun' }, 'web_fetch'))['action']).toBe('continue');
  await end(hook);
}, 60_000);

test('equal calls that are under way together both run, and the next is answered', async () => {
  const hook = start(CACHE);
  const args = { query: 'bun' };
  const both = [await hook.before(args), await hook.before(args)];
  expect(both.map(({ action }) => action)).toEqual(['continue', 'continue']);
  await hook.after(args, {});
  await hook.after(args, {});
  expect(await hook.run(args)).toBe(false);
  await end(hook);
}, 60_000);

test('a result is kept no longer than it says', async () => {
  const hook = start(CACHE.replace('10m', '1s'));
  expect(await hook.run({ query: 'bun' })).toBe(true);
  expect(await hook.run({ query: 'bun' })).toBe(false);
  await Bun.sleep(1_100);
  expect(await hook.run({ query: 'bun' })).toBe(true);
  await end(hook);
}, 60_000);

test('results are for one agent and one person; without a sender, for one session', async () => {
  const hook = start(CACHE);
  const args = { query: 'my mail' };
  const as = (session: string, sender?: string) => callsTo(hook.client, session, sender);
  expect(await as('a', 'alice').run(args)).toBe(true);
  expect(await as('b', 'bob').run(args)).toBe(true);
  expect(await as('c', 'alice').run(args)).toBe(false);
  expect(await as('c').run(args)).toBe(true);
  expect(await as('d').run(args)).toBe(true);
  expect(await as('d').run(args)).toBe(false);
  const meta = { SessionKey: 'd', TurnID: 't', AgentID: 'other' };
  const other = await as('d').ask('hook.before_tool', { meta, tool: 'web_search', arguments: args });
  expect(other['action']).toBe('continue');
  await end(hook);
}, 60_000);

test('a call with a number that JavaScript does not keep runs, and is not kept', async () => {
  const hook = start(CACHE);
  const large = '9007199254740993';
  const call = (method: string, number: string, more = '') => {
    id += 1;
    const meta = '{"SessionKey":"s","TurnID":"t","AgentID":"main"}';
    hook.client.send(
      `{"jsonrpc":"2.0","id":${id},"method":"hook.${method}","params":{"meta":${meta},"tool":"web_search","arguments":{"id":${number}}${more}}}\n`,
    );
    return hook.client.answerTo(id);
  };
  const result = ',"result":{"for_llm":"of 993","is_error":false}';
  await call('before_tool', large);
  await call('after_tool', large, result);
  for (const number of [large, '9007199254740992'])
    expect(resultOf(await call('before_tool', number))['action']).toBe('continue');
  await end(hook);
}, 60_000);

test.each([
  ['an error', { is_error: true, for_llm: 'no network' }],
  ['what goes on in the background', { async: true }],
  ['a result with a secret', { for_llm: `token ghp_${'a1B2c3D4e5F6'.repeat(3)}` }],
  ['a result over 256 KiB', { for_llm: 'x'.repeat(300_000) }],
])(
  '%s is not kept',
  async (_what, result) => {
    const hook = start(CACHE);
    expect(await hook.run({ query: 'bun' }, result)).toBe(true);
    expect(await hook.run({ query: 'bun' })).toBe(true);
    await end(hook);
  },
  60_000,
);

test('what policies took out of a result is not in the answer; a result that they withheld is none', async () => {
  const hook = start(`${CACHE}
  - {id: mail, on: after_tool, tool: web_search, action: modify, rewrite: {redact: [email]}}
  - {id: inside, on: after_tool, content: internal, action: deny, reason: it is ours}
`);
  await hook.run({ query: 'who' }, { for_llm: 'write to ada@example.com' });
  const answer = await hook.before({ query: 'who' });
  expect(JSON.stringify(answer)).toContain('[redacted:email]');
  expect(JSON.stringify(answer)).not.toContain('ada@');
  await hook.run({ query: 'plans' }, { for_llm: 'an internal page' });
  expect(await hook.run({ query: 'plans' })).toBe(true);
  await end(hook);
}, 60_000);

test('a result without its call is not kept, and neither is that of a refused or a rewritten call', async () => {
  const hook = start(`${CACHE}
  - {id: no-cats, tool: web_search, arguments: {query: cats}, action: deny, reason: no}
  - {id: safe, tool: web_search, arguments: {query: dogs}, action: modify, rewrite: {set: {arguments.safe: true}}}
`);
  for (const query of ['bun', 'cats']) {
    await hook.after({ query }, {});
    expect((await hook.before({ query }))['action']).toBe(query === 'bun' ? 'continue' : 'deny_tool');
  }
  expect((await hook.before({ query: 'dogs' }))['action']).toBe('modify');
  await hook.after({ query: 'dogs', safe: true }, {});
  await hook.after({ query: 'dogs' }, {});
  expect((await hook.before({ query: 'dogs' }))['action']).toBe('modify');
  await end(hook);
}, 60_000);

test('"key" names the arguments that count, and facts of the context that count as well', async () => {
  const hook = start(CACHE.replace('ttl: 10m', 'ttl: 10m, key: [arguments.query, session]'));
  expect(await hook.run({ query: 'bun', count: 1 })).toBe(true);
  expect(await hook.run({ query: 'bun', count: 2 })).toBe(false);
  expect(await hook.run({ query: 'deno', count: 1 })).toBe(true);
  expect(await callsTo(hook.client, 'another').run({ query: 'bun', count: 1 })).toBe(true);
  // A name that no call has makes none of them equal.
  expect(await hook.run({ count: 1 })).toBe(true);
  expect(await hook.run({ count: 2 })).toBe(true);
  await end(hook);
}, 60_000);

test.each([
  ['adds to it', '{id: note, on: after_tool, tool: web_search, action: continue, add_context: UNTRUSTED}'],
  ['goes by who asks', '{id: who, on: after_tool, context: {sender: eve}, action: deny, reason: no}'],
  [
    'goes by the event',
    '{id: turn, on: after_tool, any: [{event: {meta.TurnID: t2}}], action: deny, reason: no}',
  ],
  [
    'is in force for some',
    '{id: some, on: after_tool, content: page, mode: {canary: {percent: 50}}, action: deny, reason: no}',
  ],
])(
  'nothing is kept where a policy on results %s',
  async (_what, policy) => {
    const hook = start(`${CACHE}  - ${policy}\n`);
    const run = async () => {
      const { action } = await hook.before({ query: 'bun' });
      if (action === 'continue') await hook.after({ query: 'bun' }, { for_llm: 'nothing of it' });
      return action;
    };
    expect([await run(), await run()]).toEqual(['continue', 'continue']);
    await end(hook);
  },
  60_000,
);

test('a call that somebody is asked about is asked about each time', async () => {
  const place = workplace();
  place.write({
    'yes.sh': `#!/bin/sh\necho asked >> "${place.folder}/asked"\necho allow\n`,
    'kept.yaml': `${CACHE}  - {id: person, tool: web_search, action: ask, reason: may it}\n`,
  });
  chmodSync(join(place.folder, 'yes.sh'), 0o755);
  const client = startLines(place, [
    '--policies',
    join(place.folder, 'kept.yaml'),
    '--approve-with',
    join(place.folder, 'yes.sh'),
  ]);
  const calls = callsTo(client);
  for (const _ of [1, 2]) {
    expect((await calls.before({ query: 'bun' }))['action']).toBe('continue');
    await calls.after({ query: 'bun' }, {});
  }
  await end({ client });
  expect(readFileSync(join(place.folder, 'asked'), 'utf8')).toBe('asked\nasked\n');
}, 60_000);

test('a call that failed leaves nothing behind that a later result could use', async () => {
  const hook = start(CACHE.replace('ttl: 10m', 'ttl: 10m, key: [arguments.query]'));
  expect(await hook.run({ query: 'bun' }, { is_error: true })).toBe(true);
  await hook.after({ query: 'bun', site: 'x' }, {});
  expect(await hook.run({ query: 'bun' })).toBe(true);
  await end(hook);
}, 60_000);

test('what a session with "carries" must not send is not kept for others', async () => {
  const hook = start(`
version: 1
name: kept
facts:
  inside: {tool: web_search, outcome: done}
policies:
  - {id: search, tool: web_search, action: respond, cache: {ttl: 10m}}
  - {id: leak, carries: {from: inside, to: [message], within: session}, action: deny, reason: it leaves}
`);
  expect(await hook.run({ query: 'bun' })).toBe(true);
  expect(await hook.run({ query: 'bun' })).toBe(true);
  await end(hook);
}, 60_000);

test('an answered call may have been seen, and frees nothing', async () => {
  const hook = start(`
version: 1
name: kept
facts:
  looked: {tool: web_search, outcome: done}
policies:
  - {id: search, tool: web_search, action: respond, cache: {ttl: 10m}}
  - {id: looked-first, tool: fetch, history: {not_seen: looked, within: turn}, when_unknown: match, action: deny, reason: look first}
  - {id: not-after, tool: write, history: {seen: looked, within: turn}, when_unknown: match, action: deny, reason: not after a look}
`);
  Bun.spawnSync(['git', 'init', '-q', hook.place.project]);
  const inSession = (session: string) => {
    const calls = callsTo(hook.client, session, 'alice');
    const fetch = async () => (await calls.before({ url: 'https://example.com' }, 'web_fetch'))['action'];
    const write = async () => (await calls.before({ path: 'a', content: 'b' }, 'write_file'))['action'];
    return { ...calls, fetch, write };
  };
  const ran = inSession('ran');
  expect([await ran.fetch(), await ran.write()]).toEqual(['deny_tool', 'continue']);
  expect(await ran.run({ query: 'bun' })).toBe(true);
  expect([await ran.fetch(), await ran.write()]).toEqual(['continue', 'deny_tool']);
  const answered = inSession('answered');
  expect(await answered.run({ query: 'bun' })).toBe(false);
  expect([await answered.fetch(), await answered.write()]).toEqual(['deny_tool', 'deny_tool']);
  await end(hook);
}, 60_000);

const RECORDED = `
version: 1
name: kept
policies:
  - {id: replay, tool: web_search, action: respond, recorded: RECORDING}
`;

test('a recording answers the calls that it has; the others get an error, or run where the policy says so', async () => {
  const place = workplace({
    'calls.yaml': `results:
  - {tool: web_search, arguments: {query: bun}, result: 'a fast runtime, {{arguments.query}}'}
  - {tool: web_search, arguments: {count: 2, query: deno}, result: {for_llm: another, for_user: shown, silent: true}}
`,
  });
  const strict = start(RECORDED.replace('RECORDING', 'calls.yaml'), place);
  expect(await strict.before({ query: 'bun' })).toMatchObject({
    action: 'respond',
    result: { for_llm: 'a fast runtime, {{arguments.query}}', is_error: false },
  });
  expect(await strict.before({ query: 'deno', count: 2 })).toMatchObject({
    result: { for_llm: 'another', for_user: 'shown', silent: true },
  });
  expect(await strict.before({ query: 'node' })).toMatchObject({
    action: 'respond',
    result: {
      for_llm: 'Cannot answer this call of web_search: calls.yaml has no result for these arguments',
      is_error: true,
    },
  });
  await end(strict);
  const loose = start(RECORDED.replace('RECORDING', '{file: calls.yaml, otherwise: run}'), place);
  expect((await loose.before({ query: 'bun' }))['action']).toBe('respond');
  expect((await loose.before({ query: 'node' }))['action']).toBe('continue');
  await end(loose);
}, 60_000);

test.each([
  ['is not there', undefined, /no such file/i],
  ['has no results', 'calls: []', /has no list "results"/],
  ['has a result of another form', 'results: [{tool: web_search, result: 5}]', /result 1 needs/],
])(
  'calls that a recording should answer are refused if its file %s',
  async (_what, text, why) => {
    const place = workplace();
    if (text !== undefined) place.write({ 'calls.yaml': text });
    const hook = start(RECORDED.replace('RECORDING', 'calls.yaml'), place);
    const answer = await hook.before({ query: 'bun' });
    expect(answer['action']).toBe('deny_tool');
    expect(String(answer['reason'])).toMatch(why);
    await end(hook);
  },
  60_000,
);

test('a person sees how often results answered, and can have them forgotten', async () => {
  const hook = start(CACHE);
  await hook.run({ query: 'bun' });
  await hook.run({ query: 'bun' });
  const { place } = hook;
  expect((await place.run({ args: ['log', '--forget-results'] })).stderr).toContain('terminal');
  expect(await hook.run({ query: 'bun' })).toBe(false);
  const terminal = onTerminal(['log', '--forget-results'], { env: place.env, cwd: place.project });
  await terminal.sees('are forgotten');
  expect(await terminal.ended).toBe(0);
  expect(await hook.run({ query: 'bun' })).toBe(true);
  await end(hook);
  const { stdout } = await place.run({ args: ['report', '--json'] });
  const policies = (JSON.parse(stdout) as { policies: JsonObject[] }).policies;
  expect(policies.find(({ id: name }) => name === 'kept/search')).toMatchObject({ matched: 2, missed: 2 });
  expect((await place.run({ args: ['report'] })).stdout).toContain('no answer');
}, 60_000);

test('a result of the log becomes a recording, without what policies take out and without secrets', async () => {
  const place = workplace();
  const redacts =
    '  - {id: mail, on: after_tool, tool: web_search, action: modify, rewrite: {redact: [email]}}\n';
  place.write({ 'project/.policy/kept.yaml': `version: 1\nname: kept\npolicies:\n${redacts}` });
  await place.run({ args: ['trust', '--yes'] });
  const client = startLines(place, ['--log-input']);
  const calls = callsTo(client);
  const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
  await calls.run({ query: 'who' }, { for_llm: `ada@example.com, ${secret}` });
  await calls.run({ query: 'who' }, { for_llm: 'grace@example.com', silent: false, for_user: 'shown' });
  await end({ client });
  const rows = (await place.run({ args: ['log', '--json'] })).stdout.trim().split('\n');
  const ids = rows.map((row) => JSON.parse(row) as JsonObject).filter(({ event }) => event === 'after_tool');
  const record = (id: unknown, file = 'calls.yaml') =>
    place.run({ args: ['add-test', String(id), '--record', file] });
  const [first, second] = ids.map((row) => row['decision_id']);
  expect(await record(first)).toMatchObject({ stdout: 'Recorded the result of web_search in calls.yaml\n' });
  const text = () => readFileSync(join(place.project, 'calls.yaml'), 'utf8');
  expect(text()).toContain('[redacted:email], [redacted:');
  expect(text()).not.toContain(secret);
  await record(second);
  expect(text()).toContain('for_user: shown');
  expect(text().match(/tool: web_search/g)).toHaveLength(1);
  expect((await record(second, 'calls.txt')).stderr).toContain('name a *.yaml or *.yml file');
  const replay = start(RECORDED.replace('RECORDING', 'project/calls.yaml'), place);
  expect(await replay.before({ query: 'who' })).toMatchObject({
    result: { for_llm: '[redacted:email]', for_user: 'shown' },
  });
  await end(replay);
}, 60_000);
