import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import type { GenerationName } from './generations.ts';
import { GENERATIONS } from './generations.ts';
import { parseHookResult, topLevelKeys } from './hook-result.ts';
import { createJcli, type JcliOptions } from './host.ts';
import type { HookDefinition } from './run-hook.ts';

const PRE_TOOL = ['pre_tool_execution'];
const LS = { name: 'Shell', arguments: '{"command":"ls"}' };

function host(
  generation: GenerationName,
  hooks: readonly (string | (Omit<HookDefinition, 'events'> & { events?: readonly string[] }))[],
  options: Partial<JcliOptions> = {},
) {
  const cwd = options.cwd ?? temporaryFolder();
  return createJcli({
    generation,
    // No profile of the person who runs the tests.
    env: { HOME: cwd },
    ...options,
    cwd,
    hooks: hooks.map((hook) =>
      typeof hook === 'string' ? { command: hook, events: PRE_TOOL } : { events: PRE_TOOL, ...hook },
    ),
  });
}

async function ran(generation: GenerationName, command: string): Promise<boolean> {
  return (await host(generation, [command]).callTools([LS])).ran.length === 1;
}

const say = (output: string) => `printf '%s' '${output}'`;

describe('the emulated jcli runs a call', () => {
  test.each([
    ['after silence', 'true'],
    ['after an empty object', say('{}')],
    ['after a deny in words of other hosts', say('{"decision":"deny","reason":"no"}')],
    ['after a stop', say('{"action":"stop"}')],
    ['after a skip with a failing exit code', `${say('{"action":"skip"}')}; exit 2`],
    ['after a skip with a line before it', `echo hello; ${say('{"action":"skip"}')}`],
    ['after a skip with another object behind it', say('{"action":"skip"}{}')],
    ['after a skip behind a byte order mark', `printf '\\357\\273\\277{"action":"skip"}'`],
    ['after two actions', say('{"action":"skip","action":"skip"}')],
    ['after an unknown action', say('{"action":"deny"}')],
    ['after an action in capitals', say('{"action":"SKIP"}')],
    ['after a skip with arguments that are an object', say('{"action":"skip","tool_arguments":{}}')],
    [
      'after a skip with messages of an unknown role',
      say('{"action":"skip","messages":[{"role":"x","content":""}]}'),
    ],
    ['after null', 'echo null'],
    ['after a hook that cannot be found', 'no-such-hook-anywhere'],
    ['after a hook that is killed', 'kill -9 $$'],
  ])('%s', async (_name, command) => {
    expect(await ran('E', command)).toBe(true);
    expect(await ran('D', command)).toBe(true);
  });
});

describe('the emulated jcli skips a call', () => {
  test.each([
    ['after a skip', say('{"action":"skip"}')],
    [
      'after a skip with unknown keys and nulls',
      say('{"action":"skip","reason":"no","tool_error":null,"x":{}}'),
    ],
    ['after a skip in spaces', say('\n {"action":"skip"} \n')],
    ['after a skip whose input was not read', `exec <&-; ${say('{"action":"skip"}')}`],
  ])('%s', async (_name, command) => {
    expect(await ran('E', command)).toBe(false);
    expect(await ran('C', command)).toBe(false);
  });

  test('after an abort where that is the word, and not where it is unknown or means a stop', async () => {
    const abort = say('{"abort":true}');
    const outcomes = await Promise.all((['A', 'B', 'C', 'D', 'E'] as const).map((name) => ran(name, abort)));
    expect(outcomes).toEqual([false, false, true, true, true]);
  });

  test('after a broken hook in generation A only', async () => {
    expect(await ran('A', 'exit 1')).toBe(false);
    expect(await ran('B', 'exit 1')).toBe(true);
  });

  test('not after a skip and an abort together in C', async () => {
    expect(await ran('C', say('{"action":"skip","abort":true}'))).toBe(true);
    expect(await ran('C', say('{"action":"skip","abort":null}'))).toBe(true);
  });
});

describe('the emulated jcli', () => {
  test('gives the hook its context, its event and its folder', async () => {
    const cwd = temporaryFolder();
    const seen = join(cwd, 'seen');
    await host('E', [`{ cat; echo; echo "$JCLI_HOOK_EVENT|$JCLI_CWD|$JCLI_HOOK_DIR"; } > '${seen}'`], {
      cwd,
      sessionId: 's-9',
    }).callTools([LS]);
    const [context = '', env] = (await Bun.file(seen).text()).split('\n');
    expect(JSON.parse(context)).toEqual({
      event: 'pre_tool_execution',
      tool_name: 'Shell',
      tool_arguments: '{"command":"ls"}',
      session_id: 's-9',
      cwd,
    });
    expect(env).toBe(`pre_tool_execution|${cwd}|${cwd}`);
  });

  test('sends neither a session nor a folder in generation A, and the session in B', async () => {
    const cwd = temporaryFolder();
    const seen = join(cwd, 'seen');
    await host('A', [`cat > '${seen}'; echo "\${JCLI_HOOK_DIR-unset}" >> '${seen}'`], { cwd }).callTools([
      LS,
    ]);
    const text = await Bun.file(seen).text();
    expect(text).not.toContain('session_id');
    expect(text).toEndWith('unset\n');
    await host('B', [`cat > '${seen}'`], { cwd }).callTools([LS]);
    expect(await Bun.file(seen).text()).toContain('session_id');
  });

  test('rewrites the arguments with a text and tells the result', async () => {
    const jcli = host('E', [say('{"tool_arguments":"{\\"command\\":\\"ls -l\\"}"}')], {
      execute: (call) => `ran ${call.arguments}`,
    });
    expect(await jcli.callTools([LS])).toEqual({
      ran: [{ name: 'Shell', arguments: '{"command":"ls -l"}' }],
      told: [{ name: 'Shell', text: 'ran {"command":"ls -l"}' }],
    });
  });

  test('keeps a hook from ending whose answer does not fit into the pipe, in A only', async () => {
    const command = `printf '{"user_input":"%070000d"}' 0`;
    const fits = `printf '{"user_input":"%060000d"}' 0`;
    const send = async (generation: GenerationName, said: string) => {
      const jcli = host(generation, [{ command: said, events: ['pre_send_message'], timeout: 2 }]);
      return [(await jcli.sendMessage('hi'))?.length, jcli.broken];
    };
    expect(await send('A', command)).toEqual([undefined, ['timed out after 2 s']]);
    expect(await send('A', fits)).toEqual([60_000, []]);
    expect(await send('B', command)).toEqual([70_000, []]);
  });

  test('kills a late hook and goes on', async () => {
    const jcli = host('E', [{ command: 'sleep 20; echo', timeout: 1 }]);
    const startMs = performance.now();
    expect((await jcli.callTools([LS])).ran).toHaveLength(1);
    expect(performance.now() - startMs).toBeLessThan(10_000);
    expect(jcli.broken).toEqual(['timed out after 1 s']);
  });

  test('fails at once where the timeout is 0', async () => {
    const jcli = host('D', [{ command: say('{"action":"skip"}'), timeout: 0 }]);
    expect((await jcli.callTools([LS])).ran).toHaveLength(1);
  });

  test('loses the answer of a hook whose profile prints, in E only', async () => {
    const cwd = temporaryFolder();
    for (const name of ['.bash_profile', '.profile']) writeFileSync(join(cwd, name), 'echo welcome\n');
    const skip = say('{"action":"skip"}');
    expect((await host('E', [skip], { cwd }).callTools([LS])).ran).toHaveLength(1);
    expect((await host('D', [skip], { cwd }).callTools([LS])).ran).toHaveLength(0);
  });

  test('retries a broken hook', async () => {
    const cwd = temporaryFolder();
    const command = `if [ -e '${cwd}/again' ]; then ${say('{"action":"skip"}')}; else touch '${cwd}/again'; exit 1; fi`;
    const jcli = host('E', [{ command, retry: 1 }], { cwd });
    expect((await jcli.callTools([LS])).ran).toHaveLength(0);
    expect(jcli.broken).toEqual(['exit 1']);
  });

  test('starts no further hook when the time of the chain is used up', async () => {
    const jcli = host('E', ['true', say('{"action":"skip"}')], { chainBudgetMs: 0.001 });
    expect((await jcli.callTools([LS])).ran).toHaveLength(1);
  });

  test('does not block a call by on_error: stop', async () => {
    const jcli = host('E', [{ command: 'exit 1', on_error: 'stop' }, say('{"action":"skip"}')]);
    expect((await jcli.callTools([LS])).ran).toHaveLength(1);
  });

  test('hands the arguments of one hook to the next and keeps the last', async () => {
    const swap = (from: string, to: string) => `grep -q ${from} && printf '%s' '{"tool_arguments":"${to}"}'`;
    const jcli = host('E', [say('{"tool_arguments":"one"}'), swap('one', 'two')]);
    expect((await jcli.callTools([LS])).ran).toEqual([{ name: 'Shell', arguments: 'two' }]);
  });

  test('filters by exact names and by the model where the event has one', async () => {
    const skip = say('{"action":"skip"}');
    const runs = async (filter: NonNullable<HookDefinition['filter']>) =>
      (await host('E', [{ command: skip, filter }]).callTools([LS])).ran.length;
    expect(await runs({ tool_matcher: 'Bash | Shell' })).toBe(0);
    expect(await runs({ tool_matcher: 'Sh*' })).toBe(1);
    expect(await runs({ tool_name: 'Shell', tool_matcher: 'Read' })).toBe(0);
    expect(await runs({ model_prefix: 'gpt' })).toBe(1);
  });

  test('tells the model fixed words, or what the hooks after the call say', async () => {
    const skip = { command: say('{"action":"skip"}') };
    const error = { command: say('{"tool_error":"because"}'), events: ['post_tool_execution_failure'] };
    const result = { command: say('{"tool_result":"finally"}'), events: ['post_tool_execution'] };
    expect((await host('E', [skip]).callTools([LS])).told[0]?.text).toContain('hook');
    expect((await host('E', [skip, error]).callTools([LS])).told[0]?.text).toBe('because');
    expect((await host('E', [skip, error, result]).callTools([LS])).told[0]?.text).toBe('finally');
  });

  test('drops the edits of earlier hooks on a halt', async () => {
    const events = ['pre_send_message'];
    const edit = { command: say('{"user_input":"edited"}'), events };
    const stop = { command: say('{"action":"stop","user_input":"gone"}'), events };
    expect(await host('E', [edit]).sendMessage('hi')).toBe('edited');
    expect(await host('E', [edit, stop]).sendMessage('hi')).toBeUndefined();
    expect((await host('E', [edit, stop]).runChain('pre_send_message', { user_input: 'hi' })).texts).toEqual(
      {},
    );
  });

  test('adds messages to a request and stops it', async () => {
    const events = ['pre_llm_request'];
    const request = { system_prompt: 'p', messages: [{ role: 'user', content: 'a' }] };
    const add = { command: say('{"inject_messages":[{"role":"user","content":"b"}]}'), events };
    expect(await host('E', [add, add]).requestModel(request)).toEqual({
      system_prompt: 'p',
      messages: [...request.messages, { role: 'user', content: 'b' }, { role: 'user', content: 'b' }],
    });
    expect(
      await host('E', [{ command: say('{"action":"stop"}'), events }]).requestModel(request),
    ).toBeUndefined();
  });

  test('sends feedback at the end of a turn without an action, and after an answer with a stop only', async () => {
    const command = say('{"retry_feedback":"again"}');
    const both = say('{"action":"stop","retry_feedback":"again","system_message":"look"}');
    expect(await host('E', [{ command, events: ['stop'] }]).endTurn('done')).toEqual({
      error: false,
      feedback: 'again',
    });
    expect((await host('E', [{ command, events: ['post_llm_response'] }]).finishReply('x')).reply).toBe('x');
    expect(await host('E', [{ command: both, events: ['post_llm_response'] }]).finishReply('x')).toEqual({
      reply: undefined,
      feedback: 'again',
      toast: 'look',
    });
  });
});

test('topLevelKeys finds the keys of the outermost object only', () => {
  expect(topLevelKeys('{"a":{"b":1,"b":2},"c":["d","e:"],"a" : "x\\":\\\\"}')).toEqual(['a', 'c', 'a']);
});

test('parseHookResult reads nothing as no change', () => {
  for (const output of ['', ' \n', '{}', ' {} '])
    expect(parseHookResult(output, GENERATIONS.E).halt).toBeUndefined();
});
