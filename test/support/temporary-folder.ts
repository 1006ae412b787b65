import { afterEach } from 'bun:test';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Files, writeFiles } from './write-files.ts';

/** A function that makes folders with these files, which are deleted after the test that made them. */
export function temporaryFolders(): (files?: Files) => string {
  const made: string[] = [];
  afterEach(() => {
    for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
  return (files = {}) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'policy-test-')));
    made.push(folder);
    writeFiles(folder, files);
    return folder;
  };
}
