import { expect, test } from 'bun:test';
import { DELIVERY } from '../../support/delivery.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';
import { claudeSession, sessionIn } from './claude-session.ts';

const folders = temporaryFolders();

test('policy log shows what is remembered of a session, and forgets it for a person alone', async () => {
  const session = claudeSession(folders(), DELIVERY);
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
