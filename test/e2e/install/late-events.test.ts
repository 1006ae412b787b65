import { expect, test } from 'bun:test';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writeFiles } from '../../support/write-files.ts';
import { homeWith as homeIn, policy } from './program.ts';

const SETTINGS = '.claude/settings.json';
const SKILLS = 'PreSkillShellCommand';

/** A home in which Claude Code is of this version; `none` for a home without it. */
function homeWith(version: string) {
  const home = homeIn(temporaryFolder(), { '.claude/settings.json': '{}' });
  const env = { PATH: `${home}/bin:/usr/bin:/bin` };
  const update = (to: string) => {
    writeFiles(home, { 'bin/claude': `#!/bin/sh\necho '${to} (Claude Code)'\n` });
    chmodSync(join(home, 'bin/claude'), 0o755);
  };
  if (version !== 'none') update(version);
  const run = (...args: string[]) => policy(home, [...args, '--host', 'claude'], env);
  const events = () => Object.keys(JSON.parse(readFileSync(join(home, SETTINGS), 'utf8')).hooks);
  const found = (): readonly string[] =>
    JSON.parse(run('doctor', '--json').stdout)
      .hosts[0].findings.filter(({ code }: { code: string }) => code === 'events')
      .map(({ message }: { message: string }) => message);
  return { home, update, run, events, found };
}

test.each([
  ['2.1.332', true],
  ['2.2.0', true],
  // Passes over what it does not know, and may be newer tomorrow.
  ['2.1.328', true],
  ['2.1.101', true],
  // Drops the whole file.
  ['2.1.100', false],
  ['1.0.100', false],
  ['none', true],
])('policy install asks for the shell text of skills where Claude Code is %s: %j', (version, isAsked) => {
  const { run, events, found } = homeWith(version);
  expect(run('install', '--yes')).toMatchObject({ exitCode: 0, stderr: '' });
  expect(events().includes(SKILLS)).toBe(isAsked);
  expect(events()).toContain('PreToolUse');
  expect(found()).toEqual([]);
});

test('policy doctor says what an update of Claude Code makes of the file', () => {
  const { run, update, events, found } = homeWith('2.1.100');
  expect(run('install', '--yes')).toMatchObject({ exitCode: 0, stderr: '' });
  update('2.1.332');
  expect(found()).toEqual([
    'Claude Code does not ask about PreSkillShellCommand, which guarding calls or your policies need',
  ]);
  expect(run('install', '--yes')).toMatchObject({ exitCode: 0, stderr: '' });
  expect(events()).toContain(SKILLS);
  expect(found()).toEqual([]);
  update('2.1.100');
  expect(found()).toEqual([
    'Claude Code 2.1.100 does not know PreSkillShellCommand, and ignores the whole file because of it',
  ]);
});
