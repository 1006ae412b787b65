import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileDigest, fileIdentity, isInstalledFile } from '../../../src/tools/cli/install/file-digest.ts';
import { createInstallStore, type InstallRecord } from '../../../src/tools/cli/install/install-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test.each([0, 5, 1024 * 1024, 3 * 1024 * 1024 + 1])('is the SHA-256 of a file of %d bytes', (length) => {
  const bytes = Buffer.alloc(length, '7919 bytes, over and over ');
  const path = join(temporaryFolder(), 'file');
  writeFileSync(path, bytes);
  expect(fileDigest(path)).toBe(createHash('sha256').update(bytes).digest('hex'));
});

test('of a file that is not there is an error of the file system', () => {
  expect(() => fileDigest('/nonexistent/file')).toThrow('ENOENT');
});

test('a file is no longer the one that was installed once it is written to, replaced, or gone', () => {
  const path = join(temporaryFolder(), 'policy');
  const times = [1_700_000_000, 1_700_000_000] as const;
  const put = (text: string) => {
    writeFileSync(path, text);
    utimesSync(path, ...times);
    return { programFile: fileIdentity(path) } as InstallRecord;
  };
  const installed = put('first');
  expect(isInstalledFile(installed, path)).toBe(true);
  // Of the same size and date, a tick of the clock of files later.
  Bun.sleepSync(20);
  put('other');
  expect(isInstalledFile(installed, path)).toBe(false);
  Bun.sleepSync(20);
  const again = put('first');
  copyFileSync(path, `${path}2`);
  utimesSync(`${path}2`, ...times);
  renameSync(`${path}2`, path);
  expect(isInstalledFile(again, path)).toBe(false);
  expect(isInstalledFile({ programFile: undefined } as InstallRecord, `${path}3`)).toBe(false);
});

test('a record that cannot be read hides the digest in no other', () => {
  const home = temporaryFolder();
  const store = createInstallStore({ XDG_STATE_HOME: home });
  const record = {
    before: undefined,
    written: 'w',
    made: [],
    program: '/p',
    programDigest: 'd',
    programFile: 'f',
  };
  store.keep('/agent/hooks.json', record);
  mkdirSync(join(home, 'policy', 'installed', '0.json'));
  expect(store.digestOf('f')).toBe('d');
});
