import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { diagnosticsText } from '../../src/tools/report/diagnostics/diagnostics-text.ts';
import { createPaint } from '../../src/tools/report/layout/paint.ts';
import { parseTestFile } from '../../src/tools/suite/cases/parse-test-file.ts';
import type { TestCase } from '../../src/tools/suite/cases/test-case.ts';
import { expectGolden } from '../support/golden.ts';

const BROKEN = join(import.meta.dir, 'golden', 'broken');

describe('parseTestFile', () => {
  for (const name of readdirSync(BROKEN)
    .filter((each) => each.endsWith('.yaml'))
    .sort()) {
    test(`says everything that is wrong with ${name}`, () => {
      const text = readFileSync(join(BROKEN, name), 'utf8');
      const parsed = parseTestFile(text, name);
      if (parsed.ok) throw new Error(`${name} is not broken`);
      const blocks = diagnosticsText(parsed.diagnostics, { paint: createPaint(false), sourceOf: () => text });
      expectGolden(import.meta.dir, `broken/${name}.txt`, `${blocks.join('\n')}\n`);
    });
  }

  test('makes a run of each call and host', () => {
    const cases = read(`
cases:
  - {calls: [{command: ls}, {command: pwd}], hosts: [gemini, jcli], model: m, cwd: /repo, expect: continue}`);
    expect(cases.map(({ name, host }) => [name, host])).toEqual([
      ['shell ls', 'gemini'],
      ['shell ls', 'jcli'],
      ['shell pwd', 'gemini'],
      ['shell pwd', 'jcli'],
    ]);
    for (const { input } of cases) {
      expect(input).toMatchObject({ type: 'call', call: { model: 'm', context: { cwd: '/repo' } } });
    }
  });

  test('makes a run of each cell of a matrix, at the place of its expectation', () => {
    const cases = read(`
calls: {ls: {command: ls}, rm: {command: rm x}}
cases:
  - name: table
    matrix:
      calls: [ls, rm]
      hosts: [gemini, jcli]
      models: [a, b]
      expect:
        ls: continue
        rm:
          gemini: {action: deny}
          jcli: {a: deny, b: {action: continue}}`);
    expect(cases.map(({ name, host, position }) => `${name} ${host} ${position.line}`)).toEqual([
      'table: ls with a gemini 10',
      'table: ls with b gemini 10',
      'table: ls with a jcli 10',
      'table: ls with b jcli 10',
      'table: rm with a gemini 12',
      'table: rm with b gemini 12',
      'table: rm with a jcli 13',
      'table: rm with b jcli 13',
    ]);
  });

  test('lays what the case says over its calls, and the call keeps the rest', () => {
    const [found] = read(`
calls: {chat: {command: ls, model: a, context: {channel: x, sender: y}}}
cases:
  - {call: chat, model: b, cwd: /b, context: {sender: z}, history: [chat], expect: continue}`);
    const call = { model: 'b', context: { channel: 'x', sender: 'z', cwd: '/b' } };
    expect(found?.input).toMatchObject({ type: 'call', call });
    expect(found?.history).toMatchObject([call]);
  });

  test('takes a raw case without an expectation only while outputs are recorded', () => {
    const text = 'cases:\n  - {host: gemini, stdin: {a: 1}}\n';
    expect(parseTestFile(text, 'a.test.yaml').ok).toBe(false);
    expect(parseTestFile(text, 'a.test.yaml', true).ok).toBe(true);
  });
});

function read(text: string): readonly TestCase[] {
  const parsed = parseTestFile(text, 'a.test.yaml');
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.diagnostics));
  return parsed.testFile.cases;
}
