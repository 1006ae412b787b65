import { expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { organisationDigest } from '../../src/tools/cli/commands/export.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeFiles } from '../support/write-files.ts';

function filesOf(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'git'));
  writeFiles(folder, files);
  return folder;
}

test('organisationDigest is the same where the files are the same, and another one where one differs', () => {
  const files = { 'a.yaml': 'version: 1', 'git/b.yaml': 'version: 1' };
  const digest = organisationDigest([filesOf(files)]);
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
  expect(organisationDigest([filesOf({ ...files, 'README.md': 'x' })])).toBe(digest);
  for (const other of [
    { ...files, 'a.yaml': 'version: 1\n' },
    { 'a.yaml': 'version: 1' },
    { 'a.yaml': 'version: 1', 'git/c.yaml': 'version: 1' },
  ])
    expect(organisationDigest([filesOf(other)])).not.toBe(digest);
  expect(organisationDigest([filesOf({})])).toBeUndefined();
  expect(organisationDigest([join(filesOf({}), 'gone')])).toBeUndefined();
});
