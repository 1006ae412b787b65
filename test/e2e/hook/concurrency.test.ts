import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testedHost } from './host-reading.ts';
import { shellCall } from './line-client.ts';
import { callText, messageText } from './messages.ts';
import { workplace } from './workplace.ts';

const [gemini, jcli] = [testedHost('gemini'), testedHost('jcli')];
const PROCESSES = 12;
const DECISIONS = 100;
const STAYING = 4;
/** Of each process that stays. */
const LINES = 20;

const POLICIES = `
version: 1
policies:
  - {id: never, tool: shell, arguments: {command: 'git push'}, action: deny, reason: Pushing is for people}
  - {id: weak-models-read, tool: write, model_prefix: weak-, action: deny, reason: This model does not write}
`;

test('many processes at once answer right, remember what they should and write a whole log', async () => {
  const place = workplace({ 'project/.policy/house.yaml': POLICIES });
  /** One event of a session of its own, and what must become of it. */
  const events = Array.from({ length: PROCESSES }, (_, index) => {
    const tested = index % 2 === 0 ? gemini : jcli;
    const denied = index % 3 === 0;
    const context = { cwd: place.project, session: `session-${index}` };
    const command = denied ? 'git push' : `echo ${'x'.repeat(index * 125)}`;
    const call = messageText(tested.host, {
      on: 'before_tool',
      tool: 'shell',
      arguments: { command },
      context,
    });
    const model = `${index % 5 === 0 ? 'weak' : 'strong'}-1`;
    const llm = messageText(tested.host, { on: 'before_llm', model, prompt: 'hello', context });
    const file = { path: 'a.txt', content: 'x' };
    const writing = messageText(tested.host, { on: 'before_tool', tool: 'write', arguments: file, context });
    return { tested, denied, weak: index % 5 === 0, call, llm, writing };
  });
  const all = async (input: (event: (typeof events)[number]) => string) =>
    Promise.all(
      events.map((event) =>
        place.run({ args: ['hook', '--host', event.tested.host.name], input: input(event) }),
      ),
    );

  for (const [index, said] of (await all(({ call }) => call)).entries()) {
    const event = events[index];
    expect(event?.tested.read('before_tool', said)).toBe(event?.denied ? 'prevented' : 'happens');
  }
  for (const [index, said] of (await all(({ llm }) => llm)).entries()) {
    expect(events[index]?.tested.read('before_llm', said)).toBe('happens');
  }
  for (const [index, said] of (await all(({ writing }) => writing)).entries()) {
    const event = events[index];
    expect(event?.tested.read('before_tool', said)).toBe(event?.weak ? 'prevented' : 'happens');
  }

  const log = readFileSync(join(place.state, 'decisions.jsonl'), 'utf8');
  expect(log.endsWith('\n')).toBe(true);
  // Whoever appends while another line is being written leaves an empty one.
  const records = log
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  expect(records).toHaveLength(3 * PROCESSES);
  expect(new Set(records.map((record) => record.decision_id)).size).toBe(3 * PROCESSES);
  for (const index of events.keys()) {
    expect(records.filter((record) => record.session === `session-${index}`)).toHaveLength(3);
  }
  expect(records.filter((record) => record.policy === 'house/never')).toHaveLength(
    events.filter(({ denied }) => denied).length,
  );
});

test('many refusals at once in one session of jcli give each call its reason', async () => {
  const place = workplace({
    'project/.policy/house.yaml':
      "version: 1\npolicies: [{id: never, tool: shell, action: deny, reason: 'No {{arguments.command}}'}]\n",
  });
  // Time for all processes on a machine that is busy with other things, too.
  const args = ['hook', '--host', 'jcli', '--host-timeout', '60'];
  const all = async (inputs: readonly string[]) =>
    Promise.all(inputs.map((input) => place.run({ args, input, env: { JCLI_HOOK_DIR: '' } })));
  const context = { cwd: place.project };
  const calls = Array.from({ length: PROCESSES }, (_, index) =>
    callText(jcli.host, `call ${index}`, place.project),
  );
  for (const said of await all(calls)) expect(said.stdout).toBe('{"action":"skip"}');
  const failure = messageText(jcli.host, {
    on: 'tool_failure',
    tool: 'shell',
    result: '该工具调用被 hook 跳过',
    context,
  });
  const told = (await all(calls.map(() => failure))).map(({ stdout }) => stdout);
  expect(new Set(told).size).toBe(PROCESSES);
  for (const index of calls.keys()) expect(told.join()).toContain(`no call ${index}.`);
});

test('decisions that many processes log at once lose no line, and the log can be verified', async () => {
  const place = workplace();
  place.write({
    'project/.policy/house.yaml': POLICIES,
    message: callText(gemini.host, 'ls', place.project),
    lines: Array.from({ length: LINES }, (_, index) => `${shellCall(index + 1, 'ls')}\n`).join(''),
  });
  // Processes of both kinds: those that write one line and end, and those that stay and gather what they write. On a busy
  // machine they need time.
  const shell = `
    for i in $(seq ${STAYING}); do "$@" picoclaw < ../lines > /dev/null & done
    for i in $(seq ${DECISIONS - STAYING * LINES}); do "$@" gemini < ../message > /dev/null & done
    wait`;
  expect(await place.run({ shell, args: ['hook', '--host-timeout', '60', '--host'] })).toMatchObject({
    exitCode: 0,
  });
  const shown = await place.run({ args: ['log', '--json', '--action', 'continue'] });
  const lines = shown.stdout.trimEnd().split('\n');
  expect(new Set(lines.map((line) => JSON.parse(line).decision_id)).size).toBe(DECISIONS);
  const verified = await place.run({ args: ['log', 'verify', '--json'] });
  expect(JSON.parse(verified.stdout)).toMatchObject({ lines: DECISIONS, findings: [] });
});
