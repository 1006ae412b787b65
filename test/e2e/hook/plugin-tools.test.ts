import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { request, resultOf, startLines } from './line-client.ts';
import { workplace } from './workplace.ts';

/** A hook with a tool that makes a file after two seconds. */
function startSlow(timeoutS: number, ...args: string[]) {
  const place = workplace();
  const late = join(place.folder, 'late');
  place.write({
    'tools.yaml': `
version: 1
tools:
  - name: slow
    description: Takes its time
    parameters: {type: object}
    run: {argv: [sh, -c, '(sleep 2; touch ${late}) & wait'], timeout: ${timeoutS}}
`,
  });
  return { late, client: startLines(place, ['--policies', join(place.folder, 'tools.yaml'), ...args]) };
}

test('a plugin tool that is late is answered with an error, and nothing of it goes on', async () => {
  const { late, client } = startSlow(1);
  client.send(`${request(1, 'hook.before_tool', { tool: 'slow', arguments: {} })}\n`);
  const answer = resultOf(await client.answerTo(1));
  expect(answer).toMatchObject({ action: 'respond', result: { is_error: true } });
  await Bun.sleep(2_000);
  expect(existsSync(late)).toBe(false);
  client.close();
  await client.ended;
}, 60_000);

test('a plugin tool that may take longer than the host waits is answered with an error in time', async () => {
  const { client } = startSlow(60, '--host-timeout', '2');
  client.send(`${request(1, 'hook.before_tool', { tool: 'slow', arguments: {} })}\n`);
  const answer = resultOf(await client.answerTo(1));
  expect(answer).toMatchObject({ action: 'respond', result: { is_error: true } });
  client.close();
  await client.ended;
}, 60_000);

test('a plugin tool does not outlive the hook', async () => {
  const { late, client } = startSlow(60);
  client.send(`${request(1, 'hook.before_tool', { tool: 'slow', arguments: {} })}\n`);
  await Bun.sleep(300);
  client.close();
  await client.ended;
  await Bun.sleep(2_500);
  expect(existsSync(late)).toBe(false);
}, 60_000);
