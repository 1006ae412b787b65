import { afterAll, onTestFinished } from 'bun:test';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Files, writeFiles } from './write-files.ts';

/** Makes a folder with these files in a test, which is deleted after it. */
export function temporaryFolder(files?: Files): string {
  return folderUntil(onTestFinished, files);
}

/** Makes a folder with these files beside tests, which is deleted after all of them. */
export function sharedFolder(files?: Files): string {
  return folderUntil(afterAll, files);
}

function folderUntil(end: (act: () => void) => void, files: Files = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'policy-test-')));
  end(() => rmSync(folder, { recursive: true, force: true }));
  writeFiles(folder, files);
  return folder;
}
