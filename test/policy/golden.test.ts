import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { hookMessage } from '../../src/hook/hook-message.ts';
import { parsePolicyFile } from '../../src/language/policy/parse/parse.ts';
import { compareDiagnostics, type Diagnostic } from '../../src/model/diagnostic.ts';
import { excerptAt } from '../../src/tools/report/layout/source-text.ts';
import { expectGolden, expectGoldenJson } from '../support/golden.ts';

const FOLDER = join(import.meta.dir, 'golden');
const NAMES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => name.slice(0, -'.yaml'.length));

const WRONG = NAMES.filter((name) => {
  const text = readFileSync(join(FOLDER, `${name}.yaml`), 'utf8');
  return parsePolicyFile(text, 'a.yaml', basename(name)).diagnostics.length > 0;
});

/** What is wrong, and its line with « and » around it, before the hint. */
function show({ position, code, message, hint }: Diagnostic, text: string): string {
  const { line, column, length } = position;
  const excerpt = excerptAt(text, line).padEnd(column - 1);
  const [start, end] = [column - 1, column - 1 + length];
  const marked = `${excerpt.slice(0, start)}«${excerpt.slice(start, end)}»${excerpt.slice(end)}`;
  return `${line}:${column} ${code}  ${message}\n    ${marked}${hint === undefined ? '' : `   ${hint}`}\n`;
}

describe('parsePolicyFile', () => {
  test.each(NAMES)('reports what is wrong with golden/%s.yaml, or gives its rules', (name) => {
    const text = readFileSync(join(FOLDER, `${name}.yaml`), 'utf8');
    const { draft, diagnostics } = parsePolicyFile(text, `${name}.yaml`, basename(name));
    const report = [...diagnostics].sort(compareDiagnostics).map((diagnostic) => show(diagnostic, text));
    if (report.length > 0) expectGolden(import.meta.dir, `${name}.txt`, report.join(''));
    else expectGoldenJson(import.meta.dir, `${name}.txt`, draft);
  });

  test.each(WRONG)('every position in golden/%s.yaml lies in the file', (name) => {
    const text = readFileSync(join(FOLDER, `${name}.yaml`), 'utf8');
    const { diagnostics } = parsePolicyFile(text, 'a.yaml', basename(name));
    const lines = text.split(/\r\n|\n|\r/);
    for (const { position } of diagnostics) {
      expect(position.line).toBeLessThanOrEqual(lines.length);
      expect(position.column).toBeLessThanOrEqual((lines[position.line - 1] ?? '').length + 1);
    }
  });
});

describe('hookMessage', () => {
  test.each(WRONG)('says of golden/%s.yaml where and what kind, but nothing that it contains', (name) => {
    const text = readFileSync(join(FOLDER, `${name}.yaml`), 'utf8');
    const { diagnostics } = parsePolicyFile(text, 'a.yaml', basename(name));
    const message = hookMessage(diagnostics);
    expect(message).toMatch(/^Cannot load the policies: a\.yaml:\d+:\d+ /);
    const quoted = diagnostics.flatMap((diagnostic) => diagnostic.message.match(/"[^"]+"/g) ?? []);
    for (const words of quoted) expect(message).not.toContain(words);
  });

  test('is tried', () => {
    expect(WRONG.length).toBeGreaterThan(100);
  });
});
