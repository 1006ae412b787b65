import { expect, test } from 'bun:test';
import { chmodSync, chownSync, copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { BINARY } from '../../support/binary.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { CONFIGURATIONS, environmentOf, policyAsNobody } from './program.ts';

const NOBODY = 65_534;
const PLACE = '/usr/local/lib/policy/bin/policy';
/** Only root, or who may play root, can lay an empty folder over that of the machine. */
const CAN_MOUNT = inOwnMachine('true', '/').exitCode === 0;

/** Runs a script where `/usr/local/lib` is empty and goes away with it. */
function inOwnMachine(script: string, home: string, options = '') {
  const mount = `mount -t tmpfs ${options} none /usr/local/lib`;
  const { exitCode, stdout, stderr } = Bun.spawnSync(
    ['unshare', '--mount', '--map-root-user', 'sh', '-c', `${mount} && { ${script}\n}`],
    {
      cwd: home,
      env: { ...environmentOf(home), GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(home, 'etc/settings.json') },
      stdin: 'ignore',
    },
  );
  return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}

/** A home with a program in it that its user may change. */
function homeWithProgram(): { readonly home: string; readonly program: string } {
  const home = temporaryFolder({ ...CONFIGURATIONS, 'README.md': '' });
  mkdirSync(join(home, 'bin'));
  const program = join(home, 'bin/policy');
  copyFileSync(BINARY, program);
  for (const path of [program, join(home, 'bin')])
    if (process.getuid?.() === 0) chownSync(path, NOBODY, NOBODY);
  return { home, program };
}

test.if(CAN_MOUNT)(
  'install --system puts the program where only root can change it, and hooks start it there',
  () => {
    const { home, program } = homeWithProgram();
    const { exitCode, stdout, stderr } = inOwnMachine(
      `${program} install --system --yes && stat -c '%U %a' ${PLACE} ${PLACE}/../.. && cmp ${program} ${PLACE} &&
     ${program} install --system --yes && ${PLACE} install --yes --host jcli && ${PLACE} doctor --host gemini --host jcli &&
     cat etc/settings.json && ${program} uninstall --system --yes && ls -A /usr/local/lib`.replaceAll(
        '/../..',
        '',
      ),
      home,
    );
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`Copies ${program} to ${PLACE}`);
    expect(stdout).toContain('root 755');
    expect(stdout).toContain(`jcli has no --system configuration: run ${PLACE} install as its user`);
    expect(stdout).toContain('Gemini CLI already runs this hook');
    expect(stdout.match(/hook works +\d+ ms/g)).toHaveLength(2);
    expect(stdout).toContain('No findings');
    expect(stdout).not.toContain(`${program} hook`);
    expect(stdout).toEndWith(`Gemini CLI no longer runs the hook: ${join(home, 'etc/settings.json')}\n`);
  },
);

test.if(CAN_MOUNT)('install --system leaves nothing behind on a disk that is full', () => {
  const { home, program } = homeWithProgram();
  const full = inOwnMachine(
    `${program} install --system --yes; echo $?; find /usr/local/lib; ls etc`,
    home,
    '-o size=1m',
  );
  expect(full.stderr).toMatch(/Cannot write "\/usr\/local\/lib\/policy\/bin\/policy": the disk is full/);
  expect(full.stdout).toEndWith('2\n/usr/local/lib\n');
});

test('install --system says plainly that it takes root', () => {
  const { home, program } = homeWithProgram();
  chmodSync(home, 0o755);
  const { exitCode, stderr } = policyAsNobody(home, ['install', '--system', '--yes'], program);
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringContaining('only root may write there; run this with sudo'),
  ]);
});

test('install says that your own account may change the program', () => {
  const { home, program } = homeWithProgram();
  Bun.spawnSync(['chown', '-R', String(process.getuid?.() === 0 ? NOBODY : process.getuid?.()), home]);
  const { exitCode, stdout } = policyAsNobody(home, ['install', '--yes'], program);
  expect([exitCode, stdout]).toEqual([
    0,
    expect.stringContaining('Your own account may write to the program'),
  ]);
});
