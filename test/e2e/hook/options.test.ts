import { describe, expect, test } from 'bun:test';
import { temporaryFolders } from '../../support/temporary-folder.ts';
import { TESTED_HOSTS } from './host-reading.ts';
import { request, resultOf, shellCall, startLines } from './line-client.ts';
import { messageText } from './messages.ts';
import { workplaceIn } from './workplace.ts';

const folders = temporaryFolders();

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

describe.each(TESTED_HOSTS.filter(({ host, version }) => host.framing === 'document' && !version))(
  '$title',
  ({ host, preventable, read }) => {
    const events = ['before_tool', 'before_prompt', 'after_tool'] as const;

    test.each(UNUSABLE)('refuses where the command line says %p', async (args, cause) => {
      const place = workplaceIn(folders());
      for (const on of events.filter((each) => preventable.includes(each))) {
        const input = messageText(host, { on, tool: 'shell', prompt: 'x', result: 'x' });
        const said = await place.run({ args: ['hook', '--host', host.name, ...args], input });
        expect([on, read(on, said)]).toEqual([on, 'prevented']);
        if (host.name === 'gemini') expect(JSON.parse(said.stdout).reason).toContain(cause);
      }
    });

    test('does no harm with a command line that cannot be used where nothing can be prevented', async () => {
      const place = workplaceIn(folders());
      const input = messageText(host, { on: 'after_turn', response: 'done' });
      const said = await place.run({ args: ['hook', '--host', host.name, '--nonsense'], input });
      expect(JSON.parse(said.stdout)).toEqual({});
      expect(said.exitCode).toBe(0);
    });
  },
);

describe('picoclaw', () => {
  test.each(UNUSABLE)('shakes hands, then refuses where the command line says %p', async (args, cause) => {
    const client = startLines(workplaceIn(folders()), args);
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
  const input = '{"hook_event_name":"BeforeTool","tool_name":"x","tool_input":{}}';
  const [gemini, jcli] = TESTED_HOSTS;

  /** What every host that reads objects takes for a refusal. */
  async function expectRefusal(args: readonly string[], env: Record<string, string>, cause: string) {
    const said = await workplaceIn(folders()).run({ args: ['hook', ...args], env, input });
    expect(said.exitCode).toBe(0);
    expect(JSON.parse(said.stdout)).toEqual({
      decision: 'deny',
      action: 'skip',
      reason: expect.stringContaining(cause),
    });
    expect(jcli?.read('before_tool', said)).toBe('prevented');
    expect(gemini?.read('before_tool', { ...said, stderr: '' })).toBe('prevented');
    expect(said.stderr.trimEnd().split('\n')).toHaveLength(1);
  }

  test('is refused in everybody’s words if nothing tells it', async () => {
    await expectRefusal([], {}, 'start the hook with --host NAME');
    await expectRefusal(['--host', 'claude'], {}, '"claude" is not known');
    await expectRefusal(['--host', ''], {}, 'start the hook with --host NAME');
    await expectRefusal(['--host'], {}, 'start the hook with --host NAME');
  });

  test('is refused in everybody’s words if the environment shows two', async () => {
    const env = { JCLI_HOOK_EVENT: 'pre_tool_execution', GEMINI_SESSION_ID: 's1' };
    await expectRefusal([], env, 'the environment shows gemini and jcli');
  });

  test('is refused where "-h" was meant to name it', async () => {
    await expectRefusal(['-h', 'gemini'], {}, 'start the hook with --host NAME');
  });

  test('is known by its environment', async () => {
    const place = workplaceIn(folders());
    place.write({ 'project/house.yaml': 'version: 1\npolicies: [{id: a, tool_matcher: x, action: deny}]\n' });
    const args = ['hook', '--policies', 'house.yaml'];
    const gem = await place.run({ args, env: { GEMINI_SESSION_ID: 's1' }, input });
    expect(gem.exitCode).toBe(2);
    expect(gemini?.read('before_tool', gem)).toBe('prevented');
    const jay = async (message: string) => {
      const env = { JCLI_HOOK_EVENT: 'pre_tool_execution' };
      return JSON.parse((await place.run({ args, env, input: message })).stdout);
    };
    const call = '"event":"pre_tool_execution","tool_name":"x","tool_arguments":"{}"';
    expect(await jay(`{${call},"session_id":"s"}`)).toEqual({ action: 'skip' });
    expect(await jay(`{${call}}`)).toEqual({ abort: true });
    const old = await place.run({
      args: [...args, '--host-version', 'A'],
      env: { JCLI_HOOK_EVENT: 'pre_tool_execution' },
      input: '',
    });
    expect(JSON.parse(old.stdout)).toEqual({ abort: true });
  });
});
