import { expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expectGolden } from '../support/golden.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeFiles } from '../support/write-files.ts';
import { runCli } from './test-io.ts';

const TEAM = `version: 1
applies_to: {repositories: [github.com/acme/*, github.com/other/*]}
parameters: {hosts: {type: list of hosts, default: [a.example], may: extend}, lines: {type: integer, default: 3}}
policies:
  - {id: fetch, tool: fetch, url: {except: {$parameter: hosts}}, action: deny, reason: no}
  - {id: lines, tool: write, arguments: {lines: {gt: {$parameter: lines}}}, action: deny, reason: no, mode: monitor}
  - {id: some, command: curl, action: deny, reason: no, mode: {canary: {percent: 10}}, locked: true}
`;

const EXCEPTIONS = `version: 1
exceptions:
  - {policy: team/fetch, context: {repository: github.com/acme/old}, owner: ada, reason: it moves, expires: 2999-12-31}
  - {policy: team/lines, context: {repository: github.com/acme/old}, owner: ada, reason: over, expires: 2020-12-31}
`;

function laidOut(): { readonly cwd: string; readonly env: Readonly<Record<string, string>> } {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'home'));
  writeFiles(folder, {
    'shop/.git/HEAD': 'ref: refs/heads/main',
    'shop/.git/config': '[remote "origin"]\n\turl = https://github.com/acme/shop.git\n',
    'shop/.policy/own.yaml':
      'version: 1\nsettings: {team/hosts: [b.example]}\npolicies: [{id: yes, command: ls, action: approve}]\n',
    'shop/team/exceptions.yaml': EXCEPTIONS,
    'shop/team/team.yaml': TEAM,
  });
  return { cwd: join(folder, 'shop'), env: { HOME: join(folder, 'home') } };
}

test('policy explain --effective shows files, digests, values, exceptions and what keeps policies from counting', async () => {
  const { cwd, env } = laidOut();
  const args = ['explain', '--effective', '--policies', 'team', '--policies', '.policy', '--host', 'gemini'];
  const { stdout, exitCode } = await runCli(args, { cwd, env });
  expect(exitCode).toBe(0);
  expectGolden(
    import.meta.dir,
    'effective.txt',
    stdout.replaceAll(cwd, '/home/me/shop').replace(/set [0-9a-f]{12}/, 'set DIGEST'),
  );
  const json = await runCli([...args, '--json'], { cwd, env });
  const { digest, files } = JSON.parse(json.stdout) as {
    digest: string;
    files: { file: string; digest: string }[];
  };
  expect(stdout).toContain(`set ${digest.slice(0, 12)}`);
  const { stdout: sum } = Bun.spawnSync(['sha256sum', join(cwd, 'team/team.yaml')]);
  expect(files.map(({ file, digest: of }) => [file, of])).toContainEqual([
    'team/team.yaml',
    `sha256:${sum.toString().slice(0, 64)}`,
  ]);
});

test('policy explain --effective without options shows the layers, and settings of a project that is not trusted do not count', async () => {
  const { cwd, env } = laidOut();
  const home = env['HOME'] ?? '';
  writeFiles(home, { '.config/policy/team.yaml': TEAM });
  const { stdout } = await runCli(['explain', '--effective'], { cwd, env });
  expect(stdout).toContain('builtin  builtin:baseline\n');
  expect(stdout).toContain('hosts = ["a.example"]  default\n');
  expect(stdout).toContain('approve  own/yes  not trusted\n');
});

test('policy explain --effective takes no call', async () => {
  const { exitCode, stderr } = await runCli(['explain', '--effective', '-c', 'ls']);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('leave one of them out')]);
});
