import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { BINARY } from '../../support/binary.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';
import { runGemini } from './cli.ts';

const folders = temporaryFolders();

test('policy scan reads the session that the real Gemini CLI has written', async () => {
  const folder = folders();
  const { project } = await runGemini({
    folder,
    hooks: {},
    answers: [
      { call: 'run_shell_command', args: { command: 'touch made-by-model' } },
      { call: 'write_file', args: { file_path: 'a.txt', content: 'x' } },
    ],
    files: {
      'project/.policy/house.yaml':
        'version: 1\npolicies: [{id: no-touch, command: {run: [touch]}, action: deny, reason: No}]\n',
    },
  });
  const { stdout } = Bun.spawnSync([BINARY, 'scan', '--json'], {
    cwd: '/',
    env: { HOME: join(folder, 'home') },
  });
  const scan = JSON.parse(stdout.toString());
  expect(scan).toMatchObject({ calls: 2, sessions: 1, refused: 1, unreadable_files: 0 });
  expect(scan.candidates).toMatchObject([
    { policy: 'house/no-touch', host: 'gemini', call: 'run_shell_command touch made-by-model', calls: 1 },
  ]);
  expect(project).toStartWith(folder);
}, 60_000);
