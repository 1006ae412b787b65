import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writeFiles } from '../../support/write-files.ts';
import { policy } from '../install/program.ts';
import { runGemini, toolResults } from './cli.ts';

const HOUSE = `version: 1
policies:
  - id: no-marks
    description: No marks
    tool: shell
    command: {run: touch}
    action: deny
    reason: marks are for a person
`;

test('Gemini CLI reads what policy install has written, and policy scan what Gemini CLI has written', async () => {
  let before = '';
  let home = '';
  const settings = () => readFileSync(join(home, '.gemini/settings.json'), 'utf8');
  const { project, requests } = await runGemini({
    folder: temporaryFolder(),
    hooks: {},
    answers: [
      { call: 'run_shell_command', args: { command: 'touch mark' } },
      { call: 'write_file', args: { file_path: 'a.txt', content: 'x' } },
    ],
    prepare: (at) => {
      home = at;
      before = settings();
      writeFiles(home, { '.config/policy/house.yaml': HOUSE });
      expect(policy(home, ['install', '--yes', '--host', 'gemini'])).toMatchObject({
        exitCode: 0,
        stderr: '',
      });
    },
  });
  expect(existsSync(join(project, 'mark'))).toBe(false);
  expect(JSON.stringify(toolResults(requests[1]))).toContain('marks are for a person');
  // The settings that it runs calls with, as other tests show.
  policy(home, ['uninstall', '--yes', '--host', 'gemini']);
  expect(JSON.parse(settings())).toEqual(JSON.parse(before));

  // The session that it has written is there to be judged again.
  const scan = JSON.parse(policy(home, ['scan', '--json']).stdout);
  expect(scan).toMatchObject({ calls: 2, sessions: 1, refused: 1, unreadable_files: 0 });
  expect(scan.candidates).toMatchObject([
    { policy: 'house/no-marks', host: 'gemini', call: 'gemini run_shell_command touch mark', calls: 1 },
  ]);
}, 60_000);
