import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../../../src/lib/json.ts';
import { BINARY } from '../../support/binary.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { answerIn } from '../hook/in-process.ts';
import type { GenerationName } from './generations.ts';
import { type Call, createJcli, type Jcli } from './host.ts';

const POLICIES = `
version: 1
name: house
policies:
  - {id: no-push, tool: shell, arguments: {command: 'git push'}, action: deny, reason: Pushing is for people}
  - id: no-env
    tool: write
    arguments: {path: '\\.env$'}
    action: deny
    reason: Secrets live there
  - id: dry
    tool: shell
    arguments: {command: '^make all'}
    action: modify
    rewrite: {replace: [{at: command, regex: '^make all', with: 'make -n all'}]}
  - {id: weak-model, tool: edit, model_prefix: weak-, action: deny, reason: This model does not edit}
  - id: no-keys
    on: after_tool
    content: 'key-[0-9]+'
    action: modify
    rewrite: {redact: [{regex: 'key-[0-9]+', with: '[redacted]'}]}
  - id: no-names
    on: before_llm
    action: modify
    rewrite: {redact: [{regex: 'project falcon', with: '[name]'}]}
  - {id: no-insults, on: before_prompt, content: stupid, action: deny, reason: Be kind}
  - id: tests-first
    on: after_turn
    content: all done
    action: retry_feedback
    feedback: Run the tests first
    max_retries: 2
    on_exhausted: continue
`;

const ALL = [
  'session_start',
  'session_end',
  'pre_send_message',
  'pre_llm_request',
  'post_llm_response',
  'pre_tool_execution',
  'post_tool_execution',
  'post_tool_execution_failure',
  'stop',
];

interface Setup {
  readonly policies?: string;
  readonly events?: readonly string[];
  readonly generation?: GenerationName;
  readonly model?: string;
  /** What the shell does with the input, in a process. */
  readonly redirect?: string;
  /** True to answer in processes, too. */
  readonly inProcesses?: boolean;
  /** `--host-version`; only B needs one. */
  readonly version?: string;
}

/** jcli with the built program as its hook, in a folder of its own. */
function start(setup: Setup = {}): Jcli {
  const cwd = temporaryFolder();
  const file = join(cwd, 'house.yaml');
  writeFileSync(file, setup.policies ?? POLICIES);
  const generation = setup.generation ?? 'E';
  const version = setup.version ?? (generation === 'B' ? 'B' : undefined);
  const named = version === undefined ? [] : ['--host-version', version];
  const words = ['--host', 'jcli', ...named, '--policies', file, '--no-log'];
  const command = `'${BINARY}' hook ${words.join(' ')} ${setup.redirect ?? ''}`;
  const place = { project: cwd, run: () => Promise.reject(new Error('no process is wanted')) };
  const answers = (input: string, env: Readonly<Record<string, string>>) =>
    answerIn({ ...place, env }, words, input);
  const isApart = setup.inProcesses === true || setup.redirect !== undefined;
  return createJcli({
    generation,
    hooks: [{ command, events: setup.events ?? ALL, ...(isApart ? {} : { answers }) }],
    cwd,
    env: { HOME: cwd, XDG_STATE_HOME: join(cwd, 'state'), XDG_CONFIG_HOME: join(cwd, 'config') },
    execute: (call) => `ran ${call.arguments}`,
    ...(setup.model === undefined ? {} : { model: setup.model }),
  });
}

function shell(command: string): Call {
  return { name: 'Shell', arguments: JSON.stringify({ command }) };
}

const PUSH = shell('git push');
const WHY = 'Refused by house/no-push: pushing is for people.';

const BROKEN: readonly (readonly [string, Setup])[] = [
  ['a broken policy file', { policies: 'version: 1\npolicies: [' }],
  ['a policy file with a wrong action', { policies: POLICIES.replace('action: deny', 'action: dney') }],
  ['a message that is empty', { redirect: '< /dev/null' }],
  ['a message that is no JSON', { redirect: '< /etc/passwd' }],
];

describe.each<GenerationName>(['A', 'B', 'C', 'D', 'E'])('policy in jcli of generation %s', (generation) => {
  test('lets a call run, rewrites one and refuses one', async () => {
    const jcli = start({ generation, inProcesses: true });
    const round = await jcli.callTools([shell('ls'), shell('make all'), PUSH]);
    expect(round.ran).toEqual([shell('ls'), shell('make -n all')]);
    expect(jcli.broken).toEqual([]);
  });

  // What goes wrong before the host is asked for its words is told to each generation once.
  test.each(generation === 'A' || generation === 'E' ? BROKEN : BROKEN.slice(0, 1))(
    'refuses a call because of %s',
    async (_name, setup) => {
      // What cannot be read does not tell whose it is.
      const version = generation === 'A' && 'redirect' in setup ? { version: 'A' } : {};
      const jcli = start({ generation, ...setup, ...version });
      expect((await jcli.callTools([shell('ls')])).ran).toEqual([]);
      expect(jcli.broken).toEqual([]);
    },
  );

  test('refuses a call whose arguments cannot be read', async () => {
    const jcli = start({ generation });
    expect((await jcli.callTools([{ name: 'Shell', arguments: '{"command":"git push"' }])).ran).toEqual([]);
  });

  test('stops a prompt and takes keys out of a result', async () => {
    const jcli = start({ generation });
    expect(await jcli.sendMessage('you stupid thing')).toBeUndefined();
    expect(await jcli.sendMessage('hello')).toBe('hello');
    const round = await jcli.callTools([shell('echo key-123')]);
    expect(round.told).toEqual([{ name: 'Shell', text: 'ran {"command":"echo [redacted]"}' }]);
  });
});

describe.each<GenerationName>(['A', 'B', 'C', 'D', 'E'])(
  'a request to the model in jcli %s',
  (generation) => {
    test('goes without what is redacted there', async () => {
      const jcli = start({ generation });
      const call = { id: '1', name: 'Shell', arguments: '{"command":"ls"}' };
      const sent = await jcli.requestModel({
        system_prompt: 'You work on project falcon.',
        messages: [
          { role: 'user', content: 'start project falcon' },
          { role: 'assistant', content: '', tool_calls: [call] },
          { role: 'tool', content: 'project falcon.md', tool_call_id: '1' },
        ],
      });
      expect(sent).toEqual({
        system_prompt: 'You work on [name].',
        messages: [
          { role: 'user', content: 'start [name]' },
          { role: 'assistant', content: '', tool_calls: [call] },
          { role: 'tool', content: '[name].md', tool_call_id: '1' },
        ],
      });
      expect(jcli.broken).toEqual([]);
    });
  },
);

describe('policy in jcli tells the model why', () => {
  test('through the failure of the call', async () => {
    const jcli = start({ events: ['pre_tool_execution', 'post_tool_execution_failure'] });
    expect((await jcli.callTools([PUSH])).told).toEqual([{ name: 'Shell', text: WHY }]);
  });

  test('through its result, where there is no hook on the failure', async () => {
    const jcli = start({ events: ['pre_tool_execution', 'post_tool_execution'] });
    const { told } = await jcli.callTools([PUSH, shell('ls')]);
    expect(told).toEqual([
      { name: 'Shell', text: WHY },
      { name: 'Shell', text: 'ran {"command":"ls"}' },
    ]);
  });

  test('for each of several calls, and the results of those that ran stay theirs', async () => {
    const jcli = start();
    const env = { name: 'Write', arguments: '{"path":".env","content":""}' };
    const { ran, told } = await jcli.callTools([shell('ls'), env, PUSH, shell('pwd'), PUSH]);
    expect(ran).toEqual([shell('ls'), shell('pwd')]);
    expect(told).toEqual([
      { name: 'Write', text: 'Refused by house/no-env: secrets live there.' },
      { name: 'Shell', text: WHY },
      { name: 'Shell', text: WHY },
      { name: 'Shell', text: 'ran {"command":"ls"}' },
      { name: 'Shell', text: 'ran {"command":"pwd"}' },
    ]);
  });

  test('of a broken policy file too', async () => {
    const jcli = start({ policies: 'version: 1\npolicies: [' });
    expect((await jcli.callTools([PUSH])).told[0]?.text).toContain('house.yaml');
  });
});

describe('policy in jcli remembers', () => {
  test('the model that the request named, for the calls that follow', async () => {
    const edit = { name: 'Edit', arguments: '{"path":"a","old_string":"b","new_string":"c"}' };
    const request = { system_prompt: '', messages: [{ role: 'user', content: 'hi' }] };
    for (const [model, runs] of [
      ['weak-1', 0],
      ['strong-1', 1],
    ] as const) {
      const jcli = start({ model });
      await jcli.requestModel(request);
      expect((await jcli.callTools([edit])).ran).toHaveLength(runs);
    }
  });

  test('how often it has sent the model back', async () => {
    const jcli = start();
    await jcli.sendMessage('fix it');
    const feedback = async () => (await jcli.endTurn('all done')).feedback;
    expect(await feedback()).toBe('Run the tests first');
    expect(await feedback()).toBe('Run the tests first');
    expect(await feedback()).toBeUndefined();
  });
});

test('policy in jcli leaves the end of a turn and compaction alone when it cannot judge', async () => {
  const events = ['stop', 'pre_micro_compact', 'pre_auto_compact'];
  const jcli = start({ policies: 'version: 1\npolicies: [', events });
  expect(await jcli.endTurn('all done')).toEqual({ error: false, feedback: undefined });
  for (const event of events.slice(1)) {
    expect((await jcli.runChain(event, { messages: [], model: 'gpt-4o' })).halt).toBeUndefined();
  }
});

test('policy in jcli reads a request of a megabyte', async () => {
  const jcli = start();
  const messages = [{ role: 'user', content: 'x'.repeat(1_000_000) }];
  expect(await jcli.requestModel({ system_prompt: '', messages })).toEqual({ system_prompt: '', messages });
  expect(jcli.broken).toEqual([]);
});

test('policy in jcli believes the message where --host-version is of a generation that is gone', async () => {
  const jcli = start({ generation: 'C', version: 'A' });
  expect((await jcli.callTools([PUSH, shell('ls')])).ran).toEqual([shell('ls')]);
});

describe('policy in jcli of generation A, which reads at most 64 KiB', () => {
  const long = (text: string) => `${'x'.repeat(100_000)} ${text}`;

  test('withholds a longer result', async () => {
    const jcli = start({ generation: 'A' });
    const { told } = await jcli.callTools([shell(`echo ${long('key-123')}`)]);
    expect(told[0]?.text).toContain('longer than 65536 bytes');
    expect(told[0]?.text).not.toContain('key-123');
    expect(jcli.broken).toEqual([]);
  });

  test('stops a turn whose request would be longer, unless the policy says to go on', async () => {
    const messages = [{ role: 'user', content: long('project falcon') }];
    const stopped = start({ generation: 'A' });
    expect(await stopped.requestModel({ system_prompt: '', messages })).toBeUndefined();
    expect(stopped.broken).toEqual([]);
    const lenient = POLICIES.replace("with: '[name]'}]}", "with: '[name]'}]}\n    on_unsupported: continue");
    const sent = start({ generation: 'A', policies: lenient });
    expect(await sent.requestModel({ system_prompt: '', messages })).toEqual({ system_prompt: '', messages });
  });

  test('takes a longer one in the others', async () => {
    const messages = [{ role: 'user', content: long('project falcon') }];
    const request = { system_prompt: '', messages: [{ role: 'user', content: long('[name]') }] };
    for (const generation of ['B', 'C'] as const) {
      expect(await start({ generation }).requestModel({ system_prompt: '', messages })).toEqual(request);
    }
  });
});

describe('what policy in jcli adds to a request', () => {
  const ADDING = `
version: 1
name: house
policies:
  - {id: brief, on: before_llm, action: modify, rewrite: {add_messages: [{role: user, content: Be brief}]}}
  - {id: shared, on: before_llm, action: continue, add_context: The branch is shared}
`;

  test.each([['You are j.'], [undefined]])(
    'stands there once for a turn, with system prompt %p',
    async (prompt) => {
      const jcli = start({ policies: ADDING });
      let messages: readonly Json[] = [{ role: 'user', content: 'hi' }];
      for (let round = 0; round < 3; round++) {
        const sent = await jcli.requestModel({
          ...(prompt === undefined ? {} : { system_prompt: prompt }),
          messages,
        });
        if (sent === undefined) throw new Error('stopped');
        const texts = [
          sent.system_prompt ?? '',
          ...sent.messages.map((message) => JSON.stringify(message)),
        ].join();
        expect(texts.split('Be brief')).toHaveLength(2);
        expect(texts.split('The branch is shared')).toHaveLength(2);
        // The host keeps the messages and makes the prompt anew.
        const call = { id: `${round}`, name: 'Shell', arguments: '{"command":"ls"}' };
        messages = [
          ...sent.messages,
          { role: 'assistant', content: '', tool_calls: [call] },
          { role: 'tool', content: 'a.txt', tool_call_id: `${round}` },
        ];
      }
      expect(jcli.broken).toEqual([]);
    },
  );
});

test('policy in jcli stops a request of which tools were to be taken: jcli does not send them', async () => {
  const policies = `
version: 1
name: house
policies:
  - {id: no-agents, on: before_llm, action: modify, rewrite: {remove_tools: [Agent]}}
`;
  const request = { system_prompt: '', messages: [{ role: 'user', content: 'hi' }] };
  expect(await start({ policies }).requestModel(request)).toBeUndefined();
  const lenient = policies.replace('[Agent]}', '[Agent]}, on_unsupported: continue');
  expect(await start({ policies: lenient }).requestModel(request)).toEqual(request);
});
