import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DELIVERY } from '../../support/delivery.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { claudeSession, sessionIn } from './claude-session.ts';

test('policy log shows what is remembered of a session, and forgets it for a person alone', async () => {
  const session = claudeSession(temporaryFolder(), DELIVERY);
  await session.edit('src/a.js');
  await session.shell('npm test | tail -3');
  await session.shell('npm test', 1);
  await sessionIn(session.place, { session_id: 'other' }).edit('src/b.js');
  const log = async (...args: string[]) => session.place.run({ args: ['log', '--session', ...args] });
  const { stdout } = await log('session');
  expect(stdout.replace(/^\S+ {2}/gm, '').replace(/ {2,}/g, '  ')).toBe(
    [
      'succeeded  claude  Write  delivery/edited',
      'succeeded  claude  Bash  delivery/tested  (pipe)',
      'failed  claude  Bash  delivery/tested',
      '',
    ].join('\n'),
  );
  expect(JSON.parse((await log('session', '--json')).stdout)).toMatchObject([
    { fact: 'delivery/edited', result: 'succeeded', met: true },
    { fact: 'delivery/tested', hidden_by: 'pipe' },
    { result: 'failed', hidden_by: null },
  ]);
  expect((await log('nobody')).stdout).toBe('Nothing is remembered of session nobody\n');
  const forgotten = await log('session', '--forget');
  expect(forgotten.stderr).toContain('must be a terminal');
  expect(forgotten.exitCode).not.toBe(0);
  expect((await log('session')).stdout).toBe(stdout);
});

test('the log and the report say which earlier calls a refusal rested on', async () => {
  const session = claudeSession(temporaryFolder(), DELIVERY);
  await session.edit('src/a.js');
  await session.shell('npm test | tail -3');
  expect(await session.call('Bash', { command: 'git push' })).toBe(false);
  const { stdout } = await session.place.run({ args: ['log', '-v', '--action', 'deny'] });
  const before = [
    expect.stringMatching(/^delivery\/edited at [\d:]{8}: succeeded$/),
    expect.stringMatching(/^delivery\/tested at [\d:]{8}: succeeded, a pipe hid its result: run it alone/),
  ];
  expect([...stdout.matchAll(/^ +before +(.*)$/gm)].map(([, text]) => text)).toEqual(before);
  const { stdout: raw } = await session.place.run({ args: ['log', '--json', '--action', 'deny'] });
  expect(JSON.parse(raw)).toMatchObject({ policy: 'delivery/tests-before-push', before });
  await session.place.run({ args: ['report', '--html', 'page.html'] });
  const page = readFileSync(join(session.place.project, 'page.html'), 'utf8');
  expect(page).toMatch(/Before: delivery\/edited at [\d:]{8}: succeeded</);
});
