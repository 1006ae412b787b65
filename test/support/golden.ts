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

/** The same with a value: JSON with a line for all that fits into one. */
export function expectGoldenJson(testFolder: string, name: string, value: unknown): void {
  expectGolden(testFolder, name, `${lineByLine(JSON.parse(JSON.stringify(value)))}\n`);
}

const WIDTH = 180;

function lineByLine(value: unknown, indentation = ''): string {
  const line = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || indentation.length + line.length <= WIDTH) return line;
  const inner = `${indentation}  `;
  const parts = Array.isArray(value)
    ? value.map((each) => lineByLine(each, inner))
    : Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${lineByLine(each, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indentation}${close}`;
}
