import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileDigest } from '../../../src/tools/cli/install/file-digest.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';

const folders = temporaryFolders();

test.each([0, 5, 1024 * 1024, 3 * 1024 * 1024 + 1])('is the SHA-256 of a file of %d bytes', (length) => {
  const bytes = Uint8Array.from({ length }, (_, index) => index * 7919);
  const path = join(folders(), 'file');
  writeFileSync(path, bytes);
  expect(fileDigest(path)).toBe(createHash('sha256').update(bytes).digest('hex'));
});

test('of a file that is not there is an error of the file system', () => {
  expect(() => fileDigest('/nonexistent/file')).toThrow('ENOENT');
});
