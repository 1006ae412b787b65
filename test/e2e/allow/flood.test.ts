import { expect, test } from 'bun:test';
import { onTerminal } from '../../support/pty.ts';
import { type LineClient, startLines } from '../hook/line-client.ts';
import { workplace } from '../hook/workplace.ts';
import { keptCode } from './call.ts';

const POLICIES = `version: 1
policies:
  - {id: no-push, command: {subcommand: [git, push]}, action: deny, reason: Ask first}
`;
/** Far more than are kept in a second. */
const FLOOD = 200;
const COUNTS_WITHIN_MS = 1_000;

function push(id: number, branch: string): string {
  const params = {
    meta: {},
    tool: 'exec',
    arguments: { action: 'run', command: `git push origin ${branch}` },
  };
  return `${JSON.stringify({ jsonrpc: '2.0', id, method: 'hook.before_tool', params })}\n`;
}

async function flood(client: LineClient, from: number): Promise<void> {
  client.send(Array.from({ length: FLOOD }, (_, index) => push(from + index, `b${index}`)).join(''));
  await client.answerTo(from + FLOOD - 1);
}

test('a grant counts within a second where a process refuses one call after the other', async () => {
  const place = workplace({ 'home/.config/policy/mine.yaml': POLICIES });
  const client = startLines(place, []);
  client.send(push(1, 'main'));
  expect(await client.answerTo(1)).toContain('ask first');
  const code = keptCode(place) ?? '';
  await flood(client, 1_000);
  const terminal = onTerminal(['allow', code], { env: place.env, cwd: place.folder });
  await terminal.sees('[y/N]');
  await flood(client, 2_000);
  terminal.types('y\r');
  expect(await terminal.ended).toBe(0);
  const endMs = performance.now() + COUNTS_WITHIN_MS;
  let answer = 'deny_tool';
  for (let id = 10_000; answer.includes('deny_tool') && performance.now() < endMs; id += 2 * FLOOD) {
    await flood(client, id);
    client.send(push(id + FLOOD, 'main'));
    answer = await client.answerTo(id + FLOOD);
  }
  expect(answer).not.toContain('deny_tool');
  client.send(push(100_000, 'main'));
  expect(await client.answerTo(100_000)).toContain('ask first');
  client.close();
  expect(await client.ended).toBe(0);
});
