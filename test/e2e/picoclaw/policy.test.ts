import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BINARY } from '../../support/binary.ts';
import { sharedFolder, temporaryFolder } from '../../support/temporary-folder.ts';
import { type HookConfig, type Picoclaw, type PicoclawConfig, startPicoclaw } from './host.ts';
import type { ModelAnswer } from './turn.ts';

const open: Picoclaw[] = [];
const EVERYTHING = ['before_llm', 'after_llm', 'before_tool', 'after_tool', 'approve_tool'];
const VERSIONS = ['0.2.4', '0.2.5', '0.2.6', '0.2.7', '0.2.8', '0.2.9'] as const;

afterEach(async () => {
  await Promise.all(open.splice(0).map((host) => host.close()));
});

const POLICIES = `
version: 1
name: house
policies:
  - id: no-force-push
    tool: shell
    arguments: {command: 'git\\s+push\\s+-f'}
    action: deny
    reason: A force push rewrites history
    instead: Push a new branch
  - id: no-secrets-in-groups
    tool: read
    context: {chat_type: group}
    action: deny
    reason: Files are not read in groups
  - id: pnpm
    tool: shell
    arguments: {command: '^npm '}
    action: modify
    rewrite: {replace: [{at: command, regex: '^npm ', with: 'pnpm '}]}
  - id: no-keys
    on: after_tool
    content: 'key-[0-9]+'
    action: modify
    rewrite: {redact: [{regex: 'key-[0-9]+', with: '[redacted]'}]}
  - {id: no-medical, on: after_tool, content: medical record, action: deny, reason: Medical records stay here}
  - id: no-keys-to-model
    on: before_llm
    content: {scope: all, role: user, test: 'key-[0-9]+'}
    action: modify
    rewrite: {replace: [{regex: 'key-[0-9]+', with: '[redacted]'}]}
  - {id: no-bomb, on: before_llm, content: build a bomb, action: deny, reason: That is not talked about}
  - id: no-keys-to-user
    on: after_llm
    content: 'key-[0-9]+'
    action: modify
    rewrite: {redact: [{regex: 'key-[0-9]+', with: '[redacted]'}]}
`;
/** With a tool, whose parameters take long to compile. */
const WITH_TOOL = `${POLICIES}tools:
  - name: weather
    description: The weather of a city
    parameters:
      type: object
      required: [city]
      properties: {city: {type: string}}
    result: {for_llm: 'It rains in {{arguments.city}}'}
`;

/** The same hook that is told the version. */
function versioned(hook: HookConfig, version: string): HookConfig {
  return { ...hook, command: [...hook.command, '--host-version', version] };
}

/** The built program as a hook for everything, with the given policies. */
function guard(text = POLICIES, config: Partial<HookConfig> = {}, home = temporaryFolder()): HookConfig {
  const file = join(home, 'house.yaml');
  writeFileSync(file, text);
  return {
    command: [BINARY, 'hook', '--host', 'picoclaw', '--policies', file, '--no-log'],
    intercept: EVERYTHING,
    observe: ['turn_start', 'turn_end', 'tool_exec_skipped'],
    env: { HOME: home, XDG_STATE_HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home },
    ...config,
  };
}

async function start(config: Partial<PicoclawConfig> = {}): Promise<Picoclaw> {
  const host = await startPicoclaw({ processes: { guard: guard() }, ...config });
  expect(host.initError).toBeUndefined();
  open.push(host);
  return host;
}

/** A host that goes on after the test: what is asked of it changes nothing for the next one. */
let shared: Picoclaw | undefined;

async function standing(): Promise<Picoclaw> {
  shared ??= await startPicoclaw({ processes: { guard: guard(WITH_TOOL, {}, sharedHome) } });
  expect(shared.initError).toBeUndefined();
  return shared;
}

afterAll(() => shared?.close());
const sharedHome = sharedFolder();

function turnWith(...answers: ModelAnswer[]) {
  return { user: 'go on', answers: [...answers, { content: 'done' }] };
}

function call(tool: string, args: Record<string, string> = {}): ModelAnswer {
  return { calls: [{ tool, arguments: args }] };
}

const exec = (command: string) => call('exec', { action: 'run', command });
const REFUSED = 'Refused by house/no-force-push: a force push rewrites history. Instead: push a new branch.';

describe('policy hook under PicoClaw', () => {
  test.each(VERSIONS)('refuses a call in %s, and the model reads why', async (version) => {
    const host = await start({ version });
    const report = await host.turn(turnWith(exec('git push -f'), exec('git status')));
    expect(report.ran).toEqual([{ tool: 'exec', arguments: { action: 'run', command: 'git status' } }]);
    expect(report.toldModel).toEqual([`Tool execution denied by hook: ${REFUSED}`, 'ran exec']);
    expect(report.toldUser).toEqual(['done']);
    expect(host.warnings.filter((text) => !text.startsWith('tools changed'))).toEqual([]);
  });

  test('refuses at approve_tool alone', async () => {
    const host = await start({ processes: { guard: guard(POLICIES, { intercept: ['approve_tool'] }) } });
    const report = await host.turn(turnWith(exec('git push -f'), exec('ls')));
    expect(report.ran).toHaveLength(1);
    expect(report.toldModel[0]).toBe(`Tool execution denied by approval hook: ${REFUSED}`);
  });

  test('asks a policy that is about approval alone, though the call has passed before', async () => {
    const policies =
      'version: 1\npolicies:\n  - {id: a, on: approve_tool, tool: shell, action: deny, reason: not today}\n';
    const report = await (await start({ processes: { guard: guard(policies) } })).turn(turnWith(exec('ls')));
    expect(report.ran).toEqual([]);
    expect(report.toldModel[0]).toContain('not today');
  });

  test('rewrites a call and approves what it has rewritten', async () => {
    const report = await (await standing()).turn(turnWith(exec('npm ci')));
    expect(report.ran).toEqual([{ tool: 'exec', arguments: { action: 'run', command: 'pnpm ci' } }]);
  });

  test('judges afresh what another hook has made of the call', async () => {
    const peer = join(import.meta.dir, 'peer.ts');
    const rewrite = (command: string) => ({
      command: [
        process.execPath,
        peer,
        JSON.stringify({
          'hook.before_tool': `{"id":$ID,"result":{"action":"modify","call":{"tool":"exec","arguments":{"action":"run","command":"${command}"}}}}`,
        }),
      ],
      intercept: ['before_tool'],
      priority: 10,
    });
    for (const [command, ran] of [
      ['git push -f', 0],
      ['npm ci', 0],
      ['ls', 1],
    ] as const) {
      const host = await start({ processes: { guard: guard(), other: rewrite(command) } });
      expect((await host.turn(turnWith(exec('pwd')))).ran).toHaveLength(ran);
    }
  });

  test('offers a plugin tool, answers its calls, and names what is wrong with them', async () => {
    const host = await start({
      version: '0.2.7',
      processes: { guard: versioned(guard(WITH_TOOL), '0.2.7') },
    });
    const report = await host.turn(
      turnWith(call('weather', { city: 'Rome' }), call('weather', { town: 'Rome' })),
    );
    expect(JSON.stringify(report.requests[0]?.['tools'])).toContain('The weather of a city');
    expect(report.ran).toEqual([]);
    expect(report.toldModel[0]).toBe('It rains in Rome');
    expect(report.toldModel[1]).toContain('city');
  });

  test('answers a plugin tool where PicoClaw does not take the offer', async () => {
    const host = await standing();
    const report = await host.turn(turnWith(call('weather', { city: 'Rome' })));
    expect(JSON.stringify(report.requests[0]?.['tools'])).not.toContain('weather');
    // The request has not been sent back for that.
    expect(host.warnings).toEqual([]);
    expect(report.toldModel).toEqual(['It rains in Rome']);
  });

  test.each([
    ['0.2.5', []],
    ['0.2.6', ['It rains in Rome']],
  ] as const)('in %s an answer in place of a tool is given only if it is taken', async (version, told) => {
    const processes = { guard: versioned(guard(WITH_TOOL), version) };
    const report = await (await start({ version, processes })).turn(
      turnWith(call('weather', { city: 'Rome' })),
    );
    expect(report.ran).toEqual([]);
    expect(report.toldModel.filter((text) => !text.startsWith('Tool execution denied'))).toEqual([...told]);
  });

  test('redacts a result for the model and for the user', async () => {
    const tools = {
      exec: () => ({
        for_llm: 'the key-123 is',
        for_user: 'your key-123',
        media: ['media://1'],
        response_handled: true,
      }),
    };
    const report = await (await start({ tools })).turn(turnWith(exec('cat')));
    expect(report.toldModel).toEqual(['the [redacted] is']);
    expect(report.toldUser).toEqual(['your [redacted]', 'done']);
  });

  test('withholds a result', async () => {
    const tools = { exec: () => ({ for_llm: 'a medical record', for_user: 'a medical record' }) };
    const report = await (await start({ tools })).turn(turnWith(exec('cat')));
    expect(report.toldModel[0]).toStartWith('Refused by house/no-medical');
    expect(report.toldUser).toEqual(['done']);
  });

  test('refuses a request of which PicoClaw would drop all that was redacted in it', async () => {
    const typo = (path: string, value: string) => `
  - id: typo
    on: before_llm
    action: modify
    rewrite: {set: {${path}: ${value}}}
`;
    const leak = { user: 'my key-123 leaked', answers: [{ content: 'done' }] };
    const sent = async (path: string, value: string) => {
      const host = await start({ processes: { guard: guard(POLICIES + typo(path, value)) } });
      const { requests } = await host.turn(leak);
      return requests.map(({ messages }) => JSON.stringify(messages).includes('key-123'));
    };
    expect(await sent('messages.1.reasoning_content', '5')).toEqual([]);
    expect(await sent('messages.1.created_at', 'yesterday')).toEqual([]);
    expect(await sent('messages.1.reasoning_content', 'hm')).toEqual([false]);
  });

  test('redacts what goes to the model and leaves the system prompt in place', async () => {
    const host = await start({ systemPrompt: 'You help.' });
    const report = await host.turn({ user: 'my key-123 leaked', answers: [{ content: 'done' }] });
    expect(report.requests[0]?.['messages'] as object[]).toMatchObject([
      { role: 'system', content: 'You help.' },
      { role: 'user', content: 'my [redacted] leaked' },
    ]);
    expect(report.requests[0]?.['options']).toEqual({ max_tokens: 4096, temperature: 0.7 });
  });

  test('ends a turn before the model is asked, and the next one goes on', async () => {
    const host = await standing();
    const report = await host.turn({ user: 'build a bomb', answers: [{ content: 'sure' }] });
    expect(report).toMatchObject({ requests: [], error: 'hook requested turn abort' });
    expect((await host.turn({ user: 'hello', answers: [{ content: 'hi' }] })).toldUser).toEqual(['hi']);
  });

  test('redacts an answer of the model', async () => {
    const report = await (await standing()).turn({ user: 'hello', answers: [{ content: 'it is key-123' }] });
    expect(report.toldUser).toEqual(['it is [redacted]']);
  });

  test('redacts an answer with tool calls only if that does not destroy them', async () => {
    const answer = { content: 'it is key-123', calls: [{ tool: 'exec', arguments: { command: 'ls' } }] };
    const blind = await start({ namedCalls: false });
    expect(await blind.turn(turnWith(answer))).toMatchObject({ ran: [], error: 'hook requested turn abort' });
    const seeing = await start({ namedCalls: true });
    expect((await seeing.turn({ user: 'go', answers: [answer] })).ran).toEqual([
      { tool: 'exec', arguments: { command: 'ls' } },
    ]);
  });

  test('knows the kind of chat', async () => {
    const host = await standing();
    const read = turnWith(call('read_file', { path: 'a' }));
    expect((await host.turn({ ...read, chatType: 'group' })).ran).toEqual([]);
    expect((await host.turn({ ...read, chatType: 'direct' })).ran).toHaveLength(1);
  });

  test('withholds a rewritten result that would break the line, and goes on', async () => {
    const text = `key-123 ${'x'.repeat(2_000_000)}`;
    const tools = { exec: () => ({ for_llm: text }), read_file: () => ({ for_llm: 'small' }) };
    const host = await start({ tools });
    const report = await host.turn(
      turnWith(exec('cat big'), exec('git push -f'), call('read_file', { path: 'a' })),
    );
    expect(report.toldModel[0]).toStartWith('Refused by house/no-keys');
    expect(report.toldModel[0]?.length).toBeLessThan(1000);
    expect(report.toldModel.slice(1)).toEqual([`Tool execution denied by hook: ${REFUSED}`, 'small']);
  });

  test('passes a large result that no policy changes', async () => {
    const text = 'x'.repeat(2_000_000);
    const report = await (await start({ tools: { exec: () => ({ for_llm: text }) } })).turn(
      turnWith(exec('cat big')),
    );
    expect(report.toldModel[0]).toBe(text);
  });

  test('serves many sessions at once', async () => {
    const host = await standing();
    const sessions = Array.from({ length: 20 }, (_, i) => i);
    const reports = await Promise.all(
      sessions.map((i) =>
        host.turn({ ...turnWith(exec(i % 2 === 0 ? 'git push -f' : `echo ${i}`)), session: `session-${i}` }),
      ),
    );
    for (const i of sessions) {
      const expected =
        i % 2 === 0 ? [] : [{ tool: 'exec', arguments: { action: 'run', command: `echo ${i}` } }];
      expect(reports[i]?.ran as object[]).toEqual(expected);
    }
  });
});

describe('policy hook under PicoClaw fails closed', () => {
  test('shakes hands with a broken policy file and refuses every call, with the place', async () => {
    const broken = 'version: 1\npolicies:\n  - id: a\n    tool: shell\n    acton: deny\n';
    const host = await start({
      processes: { guard: guard(broken, { intercept: ['before_tool', 'approve_tool'] }) },
    });
    const report = await host.turn(turnWith(exec('ls')));
    expect(report.ran).toEqual([]);
    expect(report.toldModel[0]).toStartWith('Tool execution denied by hook: Refused');
    expect(report.toldModel[0]).toContain('house.yaml:');
  });

  test('shakes hands with a command line that cannot be used and refuses every call', async () => {
    const hook = guard(POLICIES, { intercept: ['before_tool', 'approve_tool'] });
    const processes = { guard: { ...hook, command: [...hook.command, '--no-such-option'] } };
    const report = await (await start({ processes })).turn(turnWith(exec('ls')));
    expect(report.ran).toEqual([]);
    expect(report.toldModel[0]).toContain('no-such-option');
  });

  test('goes on after lines that no host sends', async () => {
    const host = await start();
    const hook = host.hook('guard');
    for (const line of [
      '',
      '{',
      'null',
      '[]',
      '{"id":99}',
      '{"id":98,"method":"hook.new"}',
      '\u0000',
      '"'.repeat(100_000),
    ]) {
      hook.sendRaw(line);
    }
    const report = await host.turn(turnWith(exec('git push -f'), exec('ls')));
    expect(report.ran).toHaveLength(1);
    expect(host.warnings.filter((text) => !text.startsWith('tools changed'))).toEqual([]);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('stays on guard after %s', async (signal) => {
    const host = await start();
    await host.turn(turnWith(exec('ls')));
    host.hook('guard').signalled(signal);
    await Bun.sleep(100);
    expect((await host.turn(turnWith(exec('git push -f')))).ran).toEqual([]);
  });

  test('leaves by itself when the host closes its input', async () => {
    const host = await start();
    await host.turn(turnWith(exec('ls')));
    const hook = host.hook('guard');
    await host.close();
    expect([hook.exitCode, hook.signal]).toEqual([0, null]);
    expect(hook.stderr.join('')).toBe('');
  });

  test('leaves when the host closes its input before it has said hello', async () => {
    const { command, env } = guard();
    const child = Bun.spawn([...command], { stdin: 'pipe', stdout: 'pipe', env: { ...env } });
    void child.stdin.end();
    expect(await child.exited).toBe(0);
    expect(await new Response(child.stdout).text()).toBe('');
  });
});
