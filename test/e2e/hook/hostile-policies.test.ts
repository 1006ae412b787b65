import { describe, expect, test } from 'bun:test';
import { testedHost } from './host-reading.ts';
import { resultOf, shellCall, startLines } from './line-client.ts';
import { callText } from './messages.ts';
import { workplace } from './workplace.ts';

const MEBIBYTE = 1024 * 1024;
const LONG = 'y'.repeat(MEBIBYTE);

const many = (count: number, policy: (index: number) => string) =>
  `version: 1\npolicies:\n${Array.from({ length: count }, (_, index) => `  - ${policy(index)}\n`).join('')}`;

/** What a cloned repository may bring along to make every answer late, and so let every call through. */
const HOSTILE: readonly (readonly [string, string])[] = [
  [
    'a reason that repeats the call',
    many(1, () => `{id: a, action: deny, reason: "${'{{arguments.command}}'.repeat(2_000)}"}`),
  ],
  [
    'many messages that repeat the call',
    many(300, (index) => {
      const text = '{{tool_arguments}}'.repeat(50);
      return `{id: a${index}, action: deny, message: "${text}", add_context: "${text}"}`;
    }),
  ],
  [
    'many patterns without a literal',
    many(1_000, (index) => {
      return `{id: p${index}, tool: shell, arguments: {command: '[0-9]{${(index % 50) + 1}}'}, action: deny}`;
    }),
  ],
  [
    'one policy of many patterns',
    many(1, () => {
      const branches = Array.from({ length: 2_000 }, (_, index) => {
        return `{arguments: {'*': '[0-9]{${(index % 5) + 1}}'}}`;
      });
      return `{id: a, any: [${branches.join(', ')}], action: deny}`;
    }),
  ],
  [
    'patterns in a schema',
    many(1, () => {
      const branches = Array.from({ length: 300 }, (_, index) => `{pattern: '[0-9]{${(index % 5) + 1}}'}`);
      return `{id: a, arguments_match: {properties: {command: {anyOf: [${branches.join(', ')}]}}}, action: deny}`;
    }),
  ],
];

describe.each(HOSTILE)('a project with %s', (what, policies) => {
  const jcli = testedHost('jcli');

  // The only request of a process may take two seconds of work. One set that takes them shows that they end.
  test.skipIf(what === 'one policy of many patterns')('gets a refusal in time', async () => {
    const place = workplace({ 'project/.policy/x.yaml': policies });
    const said = await place.run({
      args: ['hook', '--host', 'jcli', '--host-timeout', '8'],
      input: callText(jcli.host, LONG, place.project),
    });
    expect(jcli.read('before_tool', said)).toBe('prevented');
    expect(said.tookMs).toBeLessThan(8_000);
  });

  test('makes no other request late', async () => {
    const place = workplace({ 'project/.policy/x.yaml': policies });
    const client = startLines(place, ['--host-timeout', '8']);
    client.send(`${shellCall(1, 'short')}\n`);
    await client.answerTo(1);
    const started = performance.now();
    for (const id of [2, 3]) client.send(`${shellCall(id, LONG)}\n`);
    for (const id of [2, 3]) expect(resultOf(await client.answerTo(id))['action']).toBe('deny_tool');
    expect(performance.now() - started).toBeLessThan(8_000);
    client.close();
    expect(await client.ended).toBe(0);
  });
});
