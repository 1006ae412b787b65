import { describe, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { BINARY } from '../../support/binary.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writeFiles } from '../../support/write-files.ts';

describe('the binary', () => {
  test('takes neither environment nor code from the directory it is started in', () => {
    const folder = temporaryFolder();
    const home = join(folder, 'home');
    mkdirSync(home);
    writeFiles(folder, {
      '.env': 'POLICY_PATH=/nowhere/at-all.yaml\n',
      'bunfig.toml': 'preload = ["./preload.ts"]\n',
      'preload.ts': 'console.log("preloaded");\n',
    });
    const event = {
      hook_event_name: 'BeforeTool',
      session_id: 's',
      cwd: folder,
      tool_name: 'list_directory',
      tool_input: { dir_path: '.' },
    };
    const { status, stdout } = spawnSync(BINARY, ['hook', '--host', 'gemini', '--no-log'], {
      cwd: folder,
      env: { HOME: home, XDG_STATE_HOME: join(home, 'state') },
      input: JSON.stringify(event),
      encoding: 'utf8',
    });
    // What the .env file names is not there: taking it would refuse the call.
    expect([status, stdout]).toEqual([0, '{}']);
  });

  test('says what it is', () => {
    const { status, stdout } = spawnSync(BINARY, ['--version'], { encoding: 'utf8' });
    expect(status).toBe(0);
    expect(stdout).toMatch(/^policy \d+\.\d+\.\d+ \((?:[0-9a-f]{12}|unknown), [a-z]+-[a-z0-9-]+\)\n$/);
  });
});
