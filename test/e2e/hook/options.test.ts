import { describe, expect, test } from 'bun:test';
import { DOCUMENT_HOSTS, shareOf, TESTED_HOSTS } from './host-reading.ts';
import { answerIn } from './in-process.ts';
import { request, resultOf, shellCall, startLines } from './line-client.ts';
import { messageText } from './messages.ts';
import { workplace } from './workplace.ts';

/** Command lines that cannot be used, beside the host's name, and what the refusal must say of them. */
const UNUSABLE: readonly (readonly [args: readonly string[], cause: string])[] = [
  [['--host-version', 'Z'], 'Cannot use --host-version "Z"'],
  [['--host-version'], 'Cannot use --host-version: give it a V'],
  [['--host-timeout', 'soon'], 'Cannot use --host-timeout "soon"'],
  [['--host-timeout', '0'], 'Cannot use --host-timeout "0"'],
  [['--host-timeout=-5'], 'Cannot use --host-timeout "-5"'],
  [['--host-timeout', '1e99'], 'Cannot use --host-timeout "1e99"'],
  [['--host-timeout', 'Infinity'], 'Cannot use --host-timeout "Infinity"'],
  [['--log-days', '0'], 'Cannot use --log-days "0"'],
  [['--log-days', '1.5'], 'Cannot use --log-days "1.5"'],
  [['--polices', 'x.yaml'], 'Cannot use option "--polices": did you mean "--policies"?'],
  [['--interactive=yes'], 'Cannot use value "yes" for --interactive'],
  [['-x'], 'Cannot use option "-x"'],
  [['--workspace='], 'Cannot use --workspace: give it a DIR'],
  [['--workspace', '/a', '--workspace', '/b'], 'Cannot use --workspace twice'],
  [['-h', 'gemini'], 'Cannot use option "-h"'],
  [['extra'], 'Cannot use "extra"'],
  [['--', '--no-log'], 'Cannot use "--no-log"'],
  [['--policies', 'nowhere.yaml'], 'nowhere.yaml:1:1'],
  [['--policies', '.'], 'cannot be read'],
  [['--policies', 'builtin:nothing'], 'builtin:nothing:1:1'],
];

describe.each(DOCUMENT_HOSTS)('$title', (tested) => {
  const { host, preventable, read } = tested;
  const events = (['before_tool', 'before_prompt', 'after_tool'] as const).slice(
    0,
    host.name === 'gemini' ? 1 : 3,
  );
  // The cause is found before the host is asked for its words. The host whose answer says the cause takes all.
  const mine = host.name === 'gemini' ? UNUSABLE : shareOf(UNUSABLE, tested);

  test.each(mine)('refuses where the command line says %p', async (args, cause) => {
    const place = workplace();
    for (const on of events.filter((each) => preventable.includes(each))) {
      const input = messageText(host, { on, tool: 'shell', prompt: 'x', result: 'x' });
      const said = await answerIn(place, ['--host', host.name, ...args], input);
      expect([on, read(on, said)]).toEqual([on, 'prevented']);
      if (host.name === 'gemini') expect(JSON.parse(said.stdout).reason).toContain(cause);
    }
  });

  test('does no harm with a command line that cannot be used where nothing can be prevented', async () => {
    const place = workplace();
    const input = messageText(host, { on: 'after_turn', response: 'done' });
    const said = await answerIn(place, ['--host', host.name, '--nonsense'], input);
    expect(JSON.parse(said.stdout)).toEqual({});
    expect(said.exitCode).toBe(0);
  });
});

describe('picoclaw', () => {
  test.each(UNUSABLE)('shakes hands, then refuses where the command line says %p', async (args, cause) => {
    const client = startLines(workplace(), args);
    client.send(
      `${request(1, 'hook.hello', {})}\n${shellCall(2, 'ls')}\n${shellCall(3, 'ls', 'hook.approve_tool')}\n`,
    );
    expect(resultOf(await client.answerTo(1))).toMatchObject({ ok: true });
    const denied = resultOf(await client.answerTo(2));
    expect(denied['action']).toBe('deny_tool');
    expect(denied['reason']).toContain(cause);
    expect(resultOf(await client.answerTo(3))).toMatchObject({ approved: false });
    client.close();
    expect(await client.ended).toBe(0);
    expect(client.stderr()).toBe('');
  });
});

describe('a host that is not named', () => {
  const call = '{"hook_event_name":"BeforeTool","tool_name":"x","tool_input":{}}';
  const [gemini, jcli] = TESTED_HOSTS;

  const say = (args: readonly string[], input: string, env: Record<string, string> = {}) =>
    workplace().run({ args: ['hook', ...args], env, input });

  test('is refused in the form that most hosts take for a refusal if nothing tells it', async () => {
    for (const [args, input] of [
      [[], ''],
      [[], 'x'],
      [[], '{}'],
      [[], '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}'],
      [['--host', 'nobody'], '{}'],
    ] as const) {
      const said = await say(args, input, { JCLI_HOOK_EVENT: 'pre_tool_execution' });
      expect([said.exitCode, said.stdout]).toEqual([2, '']);
      expect(said.stderr.trimEnd().split('\n')).toHaveLength(1);
      expect(said.stderr).toMatch(/start the hook with --host NAME|"nobody" is not known/);
    }
  });

  test('is refused in its own words where its name is not known', async () => {
    for (const args of [['--host', 'nobody'], ['--host', ''], ['--host'], ['-h', 'gemini']]) {
      const said = await say(args, call);
      expect(gemini?.read('before_tool', said)).toBe('prevented');
    }
    const jay = await say(['--host', 'j'], '{"event":"pre_tool_execution","tool_name":"x","session_id":"s"}');
    expect(jcli?.read('before_tool', jay)).toBe('prevented');
  });

  test.each(TESTED_HOSTS.filter(({ version }) => version === undefined))(
    'is known by its message: $title',
    async ({ host, read }) => {
      const place = workplace({
        'project/house.yaml': 'version: 1\npolicies: [{id: a, tool: shell, action: deny}]\n',
      });
      const message = host.compose({ on: 'before_tool', tool: 'shell', arguments: { command: 'ls' } });
      const said = await place.run({
        args: ['hook', '--policies', 'house.yaml'],
        input: `${JSON.stringify(message)}\n`,
      });
      expect(read('before_tool', said)).toBe('prevented');
    },
  );
});
