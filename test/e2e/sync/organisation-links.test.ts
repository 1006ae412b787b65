import { describe, expect, test } from 'bun:test';
import { chmodSync, chownSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { CAN_BE_ROOT, type Machine, machineIn } from './machine.ts';

const TEAM = `version: 1
policies: [{id: no-push, command: {subcommand: [git, push]}, action: deny, reason: pushing is for people}]
`;

function linkedMachine(): Machine {
  const machine = machineIn(temporaryFolder());
  machine.write({ 'etc/store/1-team.yaml': TEAM, 'etc/store/other': '' });
  symlinkSync('store', join(machine.folder, 'etc/current'));
  symlinkSync('../current/1-team.yaml', join(machine.folder, 'etc/policy/team.yaml'));
  return machine;
}

describe.skipIf(!CAN_BE_ROOT)("a link in the organisation's folder", () => {
  test('to a file of root is read, and all of it is guarded', async () => {
    const machine = linkedMachine();
    const fate = async (command: string) => (await machine.fate(command)).fate;
    expect(await machine.fate('git push')).toEqual({
      fate: 'refused',
      said: expect.stringContaining('team/no-push'),
    });
    for (const command of [
      'echo > /etc/store/1-team.yaml',
      'rm /etc/policy/team.yaml',
      'ln -sfn /tmp /etc/current',
      'rm /etc/current',
      'mv /etc/store /tmp/x',
    ])
      expect([command, await fate(command)]).toEqual([command, 'refused']);
    for (const command of ['git pull', 'cat /etc/store/1-team.yaml', 'echo > notes'])
      expect([command, await fate(command)]).toEqual([command, 'runs']);
  });

  test.each<[string, string, (path: string) => void]>([
    ['a file of another user', 'etc/store/1-team.yaml', (path) => chownSync(path, 1234, 0)],
    ['a file that others may change', 'etc/store/1-team.yaml', (path) => chmodSync(path, 0o646)],
    ['a folder that others may change', 'etc/store', (path) => chmodSync(path, 0o777)],
    ['a folder of another user', 'etc/store', (path) => chownSync(path, 1234, 0)],
  ])('to %s refuses every call and says why', async (_, path, open) => {
    const machine = linkedMachine();
    open(join(machine.folder, path));
    expect((await machine.fate('true')).fate).toBe('refused');
    const { exitCode, stdout } = await machine.run('policy check');
    expect([exitCode, stdout]).toEqual([
      3,
      expect.stringContaining(`others than root may change "/${path}" on its way`),
    ]);
  });

  const mounted = [
    'mount -t tmpfs -o mode=777 none /etc/policy && cd /etc/policy && mkdir ..1 && cat > ..1/team.yaml',
    'ln -s ..1 ..data && ln -s ..data/team.yaml team.yaml && cd -',
    'mount --bind /etc/policy /etc/policy',
  ].join(' && ');
  const asked = (command: string) =>
    `echo '${JSON.stringify({ hook_event_name: 'BeforeTool', tool_name: 'run_shell_command', tool_input: { command } })}' | policy hook --host gemini`;

  test('of a config map that is mounted read-only is read, whatever its mode says', async () => {
    const machine = machineIn(temporaryFolder());
    const readOnly = `${mounted} && mount -o remount,bind,ro /etc/policy`;
    expect((await machine.run(`${readOnly} && ${asked('git push')}`, TEAM)).stdout).toContain('team/no-push');
    expect(await machine.run(`${readOnly} && ${asked('git pull')}`, TEAM)).toMatchObject({ exitCode: 0 });
    const writable = await machine.run(`${mounted} && ${asked('git pull')}`, TEAM);
    expect(writable.stdout + writable.stderr).toContain(
      '/etc/policy:1:1 a policy of the organisation that not only root can change',
    );
  });
});
