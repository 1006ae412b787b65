import { describe, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../../src/tools/cli/table.ts';
import { displayWidth } from '../../src/tools/report/layout/display-width.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runCli } from './test-io.ts';

const POLICIES = `
version: 1
policies:
  - id: approve-a-long-list-of-commands-that-only-read-something
    on: approve_tool
    command: {subcommand: [git, [status, log, diff, show, blame, shortlog, describe]]}
    action: approve
  - id: no-force-push
    command: {subcommand: [git, push], flags: {any: --force}}
    action: deny
    reason: a force push rewrites the history that others have pulled
`;
const TESTS = `
policies: [.]
cases:
  - {name: a case with a name that is longer than many a terminal is wide, call: {command: git push --force origin main}, expect: continue}
`;
const BROKEN = `
version: 1
policies:
  - {id: a, argument: {command: a pattern with many words that go on and on}, action: block, reason: because it is so}
`;

function project(): string {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, '.policy'));
  writeFileSync(join(cwd, '.policy/a.yaml'), POLICIES);
  writeFileSync(join(cwd, '.policy/a.test.yaml'), TESTS);
  writeFileSync(join(cwd, 'broken.yaml'), BROKEN);
  return cwd;
}

const CALLS: readonly (readonly string[])[] = [
  ['--help', '--all'],
  ['check'],
  ['check', 'broken.yaml'],
  ['test'],
  ['test', '--coverage'],
  ['explain', '--effective'],
  [
    'explain',
    '--command',
    'cd /srv && git push --force origin main && echo done | tee -a /var/log/pushes.log',
  ],
  ['trust'],
  ['diff'],
  ['lock'],
  ['frobnicate-and-more-of-it', 'a', 'b'],
];

describe.each([40, 60, 80])('on a terminal of %d columns', (columns) => {
  test.each(CALLS)('the lines of policy %s %s fit, and words stay whole', async (...args) => {
    const cwd = project();
    const options = { cwd, env: { HOME: cwd, TERM: 'dumb' }, stdin: '\n' };
    const words = args.filter((arg) => typeof arg === 'string');
    const narrow = await runCli(words, { ...options, isTTY: true, columns });
    expect(tooLong(narrow.stdout + narrow.stderr, columns)).toEqual([]);
  });

  test.each(COMMANDS.map(({ name }) => name))('the help of policy %s fits', async (name) => {
    const { stdout } = await runCli([name, '--help'], { isTTY: true, columns, env: { TERM: 'dumb' } });
    const [help = ''] = stdout.split('\nExample\n');
    expect(tooLong(help, columns)).toEqual([]);
  });
});

test('what people copy, and what is no terminal, keeps its lines', async () => {
  const cwd = temporaryFolder();
  const stdin = '{"permissions": {"deny": ["Bash(docker compose down *)", "Bash(terraform destroy *)"]}}';
  const args = ['import', 'claude', '-'];
  const { stdout } = await runCli(args, { cwd, stdin, columns: 40, isTTY: true });
  expect(stdout).toBe((await runCli(args, { cwd, stdin })).stdout);
  const broken = { cwd: project(), columns: 40 };
  expect(tooLong((await runCli(['check', 'broken.yaml'], broken)).stdout, 40)).not.toEqual([]);
});

/** Lines that do not fit although they could be broken at a space. */
function tooLong(text: string, columns: number): readonly string[] {
  return text.split('\n').filter((line) => displayWidth(line) > columns && /\S\s+\S/.test(line));
}
