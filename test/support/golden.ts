import { expect } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Compares text with a file of the folder `golden` beside a test. `UPDATE_GOLDEN=1` writes the file instead: read the
 * difference before you keep it.
 */
export function expectGolden(testFolder: string, name: string, text: string): void {
  const path = join(testFolder, 'golden', name);
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  expect(text).toBe(existsSync(path) ? readFileSync(path, 'utf8') : `no golden file ${path}`);
}
