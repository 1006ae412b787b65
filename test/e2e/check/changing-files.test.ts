import { expect, test } from 'bun:test';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BINARY } from '../../support/binary.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const HOUSE = `version: 1
extends: [../shared]
policies:
  - id: scripts
    command: {run: npm, args: {first: {one_of: {file: names.json}}}}
    action: deny
    reason: Not here
`;
const SHARED =
  'version: 1\npolicies:\n  - {id: yarn, command: {run: yarn}, action: deny, reason: Not here}\n';

function project(): string {
  const folder = temporaryFolder();
  for (const name of ['.git', '.policy', 'shared/team']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, '.policy/house.yaml'), HOUSE);
  writeFileSync(join(folder, 'shared/team/base.yaml'), SHARED);
  writeFileSync(join(folder, 'names.json'), '["a"]');
  return folder;
}

test('files and folders that change while they are read are findings or none, and never a defect', async () => {
  const folder = project();
  const house = join(folder, '.policy/house.yaml');
  const shared = join(folder, 'shared');
  const names = join(folder, 'names.json');
  const changes = [
    () => truncateSync(house, 40),
    () => rmSync(house),
    () => mkdirSync(house),
    () => rmSync(house, { recursive: true }),
    () => symlinkSync('nowhere', house),
    () => rmSync(house),
    () => writeFileSync(house, HOUSE),
    () => rmSync(join(shared, 'team'), { recursive: true }),
    () => renameSync(shared, `${shared}-old`),
    () => renameSync(`${shared}-old`, shared),
    () => mkdirSync(join(shared, 'team')),
    () => writeFileSync(join(shared, 'team/base.yaml'), SHARED),
    () => writeFileSync(names, '["a'),
    () => rmSync(names),
    () => writeFileSync(names, '["a"]'),
  ];
  let isOver = false;
  const writer = (async () => {
    while (!isOver) {
      for (const change of changes) {
        change();
        await Bun.sleep(Math.random() * 4);
      }
    }
  })();
  const codes = new Set<number>();
  for (let run = 0; run < 40; run += 1) {
    const command = run % 2 === 0 ? 'check' : 'test';
    const child = Bun.spawn([BINARY, command, '.policy'], {
      cwd: folder,
      env: { HOME: folder },
      stdout: 'ignore',
      stderr: 'pipe',
    });
    const stderr = await new Response(child.stderr).text();
    expect(stderr).not.toContain('internal error');
    codes.add(await child.exited);
  }
  isOver = true;
  await writer;
  expect(codes).not.toContain(4);
  expect(codes).toContain(3);
  const last = Bun.spawnSync([BINARY, 'check'], { cwd: folder, env: { HOME: folder } });
  expect(last.exitCode).toBe(1);
  expect(last.stdout.toString()).toContain('no-test');
}, 60_000);

test('a folder that cannot be listed is named', () => {
  const folder = project();
  const closed = join(folder, '.policy/closed');
  mkdirSync(closed);
  chmodSync(closed, 0o000);
  chmodSync(folder, 0o755);
  const as = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--clear-groups'] : [];
  const run = (command: string) => {
    const { exitCode, stdout, stderr } = Bun.spawnSync([...as, BINARY, command, '.policy'], {
      cwd: folder,
      env: { HOME: folder, PATH: process.env['PATH'] ?? '' },
    });
    return [exitCode, stdout.toString() + stderr.toString()];
  };
  const cause = expect.stringContaining('reading it is not permitted');
  expect(run('test')).toEqual([2, cause]);
  expect(run('fmt')).toEqual([2, cause]);
  expect(run('check')).toEqual([3, cause]);
});
