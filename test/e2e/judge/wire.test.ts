import { describe, expect, test } from 'bun:test';
import { workplace } from '../hook/workplace.ts';
import { askHost, HOST_NAMES, judgeFile } from './ask-host.ts';
import type { ModelServer } from './model-server.ts';
import { serveModel } from './serve-model.ts';

/** Asks once through a host by a judge with these settings. */
async function ask(
  server: ModelServer,
  settings: Readonly<Record<string, unknown>>,
  {
    host = 'gemini',
    command = 'make all',
    env = {},
    policy = {},
  }: {
    host?: (typeof HOST_NAMES)[number];
    command?: string;
    env?: Readonly<Record<string, string>>;
    policy?: Readonly<Record<string, unknown>>;
  } = {},
) {
  const place = workplace({ 'house.yaml': judgeFile({ base_url: `${server.url}/v1`, ...settings }, policy) });
  return askHost(host, place, command, { args: ['--policies', `${place.folder}/house.yaml`], env });
}

const PROVIDERS = [
  ['openai-compatible', 'gpt-oss', '/v1/chat/completions', 'authorization', 'Bearer the-key'],
  ['anthropic', 'claude-3-haiku', '/v1/messages', 'x-api-key', 'the-key'],
  ['anthropic', 'claude-sonnet-4-5', '/v1/messages', 'x-api-key', 'the-key'],
  ['google', 'gemini-2.5-flash', '/v1/models/gemini-2.5-flash:generateContent', 'x-goog-api-key', 'the-key'],
] as const;

describe.each(PROVIDERS)('a judge by %s with %s', (provider, model, path, header, value) => {
  test.each(HOST_NAMES)('decides for %s', async (host) => {
    const server = serveModel(({ user }) => ({
      verdict: user.includes('rm') ? 'deny' : 'approve',
      reason: 'it deletes',
    }));
    const settings = { provider, model, api_key_env: 'JUDGE_KEY' };
    const env = { JUDGE_KEY: 'the-key' };
    const denied = await ask(server, settings, { host, command: 'rm -r build', env });
    expect([denied.refused, denied.reason]).toEqual([true, 'Refused by house/judged: it deletes.']);
    expect((await ask(server, settings, { host, command: 'make all', env })).refused).toBe(false);
    expect(server.received.map((received) => [received.path, received.headers.get(header)])).toEqual([
      [path, value],
      [path, value],
    ]);
  });

  test('is asked without streaming, for one answer of bounded length in the given form', async () => {
    const server = serveModel(() => ({ verdict: 'approve' }));
    await ask(server, { provider, model, max_tokens: 300 });
    const body = JSON.stringify(server.received[0]?.body);
    expect(body).toContain('"nonce"');
    expect(body).toContain('300');
    expect(body).not.toMatch(/"stream":true/);
  });

  test('is asked plainly where the server takes no schema', async () => {
    const server = serveModel(({ body }) =>
      /json_schema|input_schema|output_format|output_config|responseSchema/.test(JSON.stringify(body))
        ? { response: () => Response.json({ error: { message: 'unsupported' } }, { status: 400 }) }
        : { verdict: 'deny', reason: 'asked plainly' },
    );
    expect((await ask(server, { provider, model })).reason).toBe('Refused by house/judged: asked plainly.');
    expect(server.received).toHaveLength(2);
    await ask(server, { provider, model, structured_output: false });
    expect(server.received).toHaveLength(3);
  });
});

describe('a judge', () => {
  test('is asked again after an error that may pass', async () => {
    const server = serveModel((_received, index) =>
      index === 0
        ? { response: () => new Response('', { status: 429, headers: { 'retry-after': '1' } }) }
        : { verdict: 'deny', reason: 'second try' },
    );
    const answer = await ask(server, { retry: 1 });
    expect(answer.reason).toBe('Refused by house/judged: second try.');
    expect(answer.tookMs).toBeGreaterThan(1_000);
  });

  test('does what its verdicts are mapped to', async () => {
    const server = serveModel(() => ({ verdict: 'modify' }));
    const place = workplace();
    const verdicts = { approve: 'approve', modify: { rewrite: { set: { command: 'make --dry-run' } } } };
    place.write({ 'house.yaml': judgeFile({ base_url: `${server.url}/v1` }, { verdicts }) });
    const input = {
      hook_event_name: 'BeforeTool',
      session_id: 's',
      transcript_path: '',
      cwd: place.project,
      timestamp: '',
      tool_name: 'run_shell_command',
      tool_input: { command: 'make' },
    };
    const said = await place.run({
      args: ['hook', '--host', 'gemini', '--policies', `${place.folder}/house.yaml`],
      input: JSON.stringify(input),
    });
    expect(JSON.parse(said.stdout).hookSpecificOutput.tool_input).toEqual({ command: 'make --dry-run' });
  });

  test("of several ends the others' questions when it refuses", async () => {
    const quick = serveModel(() => ({ verdict: 'deny', reason: 'quick' }));
    const slow = serveModel(async () => {
      await Bun.sleep(5_000);
      return { verdict: 'approve' };
    });
    const place = workplace();
    const policy = (id: string, url: string) => ({
      id,
      type: 'llm_judge',
      tool: 'shell',
      prompt: 'May it?',
      base_url: `${url}/v1`,
      model: 'm',
    });
    place.write({
      'house.yaml': JSON.stringify({
        version: 1,
        name: 'house',
        policies: [policy('slow', slow.url), policy('quick', quick.url)],
      }),
    });
    const answer = await askHost('gemini', place, 'make', {
      args: ['--policies', `${place.folder}/house.yaml`],
    });
    expect(answer.reason).toBe('Refused by house/quick: quick.');
    expect(answer.tookMs).toBeLessThan(2_000);
  });

  test('of several ends no question when its refusal is one that the host may not have', async () => {
    const quick = serveModel(() => ({ verdict: 'deny' }));
    const slow = serveModel(async () => {
      await Bun.sleep(500);
      return { verdict: 'deny', reason: 'slow' };
    });
    const place = workplace();
    const policy = (id: string, url: string, verdicts: object) => ({
      id,
      type: 'llm_judge',
      tool: 'shell',
      prompt: 'May it?',
      base_url: `${url}/v1`,
      model: 'm',
      verdicts,
    });
    const stepBack = { approve: 'approve', deny: { action: 'hard_abort', on_unsupported: 'continue' } };
    place.write({
      'house.yaml': JSON.stringify({
        version: 1,
        name: 'house',
        policies: [
          policy('quick', quick.url, stepBack),
          policy('slow', slow.url, { approve: 'approve', deny: 'deny' }),
        ],
      }),
    });
    const answer = await askHost('jcli', place, 'make', {
      args: ['--policies', `${place.folder}/house.yaml`],
    });
    expect([answer.refused, answer.reason]).toEqual([true, 'Refused by house/slow: slow.']);
  });

  test('is not asked when a rule refuses', async () => {
    const server = serveModel(() => ({ verdict: 'approve' }));
    const place = workplace({
      'house.yaml': judgeFile({ base_url: `${server.url}/v1` }),
      'rule.yaml': 'version: 1\npolicies: [{id: never, tool: shell, action: deny}]\n',
    });
    const args = ['--policies', `${place.folder}/house.yaml`, '--policies', `${place.folder}/rule.yaml`];
    expect((await askHost('gemini', place, 'make', { args })).reason).toBe('Refused by rule/never.');
    expect(server.received).toEqual([]);
  });

  test("keeps jcli's prompts and answers", async () => {
    const prompt =
      '审查工具调用是否安全:工具={{tool_name}} 参数={{tool_arguments}}\n如果不安全,返回 {"action":"skip"},否则返回 {}';
    const server = serveModel(({ user }) => ({ text: user.includes('rm') ? '{"action":"skip"}' : '{}' }));
    const policy = { format: 'jcli', prompt };
    expect((await ask(server, {}, { host: 'jcli', command: 'rm x', policy })).refused).toBe(true);
    expect((await ask(server, {}, { host: 'jcli', command: 'ls', policy })).refused).toBe(false);
    expect(server.received[1]?.user).toMatch(
      /^审查工具调用是否安全:工具=<data-(\w+)>Shell<\/data-\1> 参数=<data-\1>\{"command":"ls"\}<\/data-\1>\n如果不安全,返回 \{"action":"skip"\},否则返回 \{\}$/,
    );
  });

  test('never sees secrets, unless redaction is off', async () => {
    const key = `ghp_${'a1B2'.repeat(9)}`;
    const server = serveModel(() => ({ verdict: 'approve' }));
    await ask(server, {}, { command: `curl -H "token: ${key}" https://example.com` });
    await ask(server, { redact: false }, { command: `curl -H "token: ${key}" https://example.com` });
    expect(server.received[0]?.user).toContain('[redacted:github]');
    expect(JSON.stringify(server.received[0]?.body)).not.toContain(key);
    expect(server.received[1]?.user).toContain(key);
  });

  test('takes neither address nor key from variables that the policy does not name', async () => {
    const trap = serveModel(() => ({ verdict: 'approve' }));
    const server = serveModel(() => ({ verdict: 'deny', reason: 'the right one' }));
    const env = {
      OPENAI_API_KEY: 'theirs',
      OPENAI_BASE_URL: trap.url,
      ANTHROPIC_API_KEY: 'theirs',
      ANTHROPIC_BASE_URL: trap.url,
      GOOGLE_GENERATIVE_AI_API_KEY: 'theirs',
    };
    for (const provider of ['openai-compatible', 'anthropic', 'google']) {
      expect((await ask(server, { provider }, { env })).reason).toBe(
        'Refused by house/judged: the right one.',
      );
    }
    expect(trap.received).toEqual([]);
    expect(JSON.stringify(server.received.map(({ headers }) => [...headers]))).not.toContain('theirs');
  });
});
