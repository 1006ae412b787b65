import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolders } from '../../support/temporary-folder.ts';
import { layOut, policy } from '../install/program.ts';
import { runGemini, toolResults } from './cli.ts';

const folders = temporaryFolders();
const HOUSE = `version: 1
policies:
  - id: no-marks
    description: No marks
    tool: shell
    command: {run: touch}
    action: deny
    reason: marks are for a person
`;

test('Gemini CLI reads what policy install has written, and nothing of it after policy uninstall', async () => {
  const played = async (isInstalled: boolean) => {
    let before = '';
    let home = '';
    const run = await runGemini({
      folder: folders(),
      hooks: {},
      answers: [{ call: 'run_shell_command', args: { command: 'touch mark' } }],
      prepare: (at) => {
        home = at;
        before = readFileSync(join(home, '.gemini/settings.json'), 'utf8');
        layOut(home, { '.config/policy/house.yaml': HOUSE });
        expect(policy(home, ['install', '--yes', '--host', 'gemini'])).toMatchObject({
          exitCode: 0,
          stderr: '',
        });
        if (!isInstalled) policy(home, ['uninstall', '--yes', '--host', 'gemini']);
      },
    });
    if (!isInstalled) expect(readFileSync(join(home, '.gemini/settings.json'), 'utf8')).toBe(before);
    return { ran: existsSync(join(run.project, 'mark')), told: JSON.stringify(toolResults(run.requests[1])) };
  };
  expect(await played(true)).toEqual({ ran: false, told: expect.stringContaining('marks are for a person') });
  expect(await played(false)).toMatchObject({ ran: true });
}, 60_000);
