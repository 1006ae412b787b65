import { describe, expect, test } from 'bun:test';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import { diagnosticsGithub } from '../../src/tools/report/diagnostics/diagnostics-github.ts';
import { diagnosticsJson } from '../../src/tools/report/diagnostics/diagnostics-json.ts';
import { diagnosticsSarif } from '../../src/tools/report/diagnostics/diagnostics-sarif.ts';
import { diagnosticsText, summaryText } from '../../src/tools/report/diagnostics/diagnostics-text.ts';
import { createPaint } from '../../src/tools/report/layout/paint.ts';
import { expectGolden, expectGoldenJson } from '../support/golden.ts';

const SOURCES: Readonly<Record<string, string>> = {
  '.policy/git.yaml': [
    'version: 1',
    'policies:',
    '  - id: no-force-push',
    "    arguments: {command: '(foo'}",
    '    argument: {command: git}',
    '\taction: deny\u001b[2J',
    `    reason: "${'long '.repeat(60)}culprit${' tail'.repeat(60)}"`,
    '    # 策略 策略 here',
  ].join('\r\n'),
};

function at(line: number, column: number, length: number, parts: Partial<Diagnostic> = {}): Diagnostic {
  return {
    code: 'bad-value',
    severity: 'error',
    position: { file: '.policy/git.yaml', line, column, length },
    message: 'Cannot use value "x": it is odd',
    ...parts,
  };
}

const DIAGNOSTICS: readonly Diagnostic[] = [
  at(5, 5, 8, {
    code: 'unknown-key',
    message: 'Cannot use key "argument" in policy "no-force-push"',
    hint: 'did you mean "arguments"?',
  }),
  at(4, 26, 4, { code: 'regex', message: 'Cannot compile regex "(foo": missing closing parenthesis at 1' }),
  at(6, 2, 6, { message: 'Cannot show "\u001b[2J": control characters', hint: 'no\ttabs' }),
  at(7, 314, 7, { hint: 'here' }),
  at(8, 10, 2, { hint: 'the second' }),
  at(1, 1, 1, {
    code: 'file',
    severity: 'warning',
    position: { file: 'a, b:c.yaml', line: 1, column: 1, length: 1 },
    message: 'Cannot read the file: 100 % gone',
    hint: 'look\nelsewhere',
  }),
];

function text(color: boolean): string {
  const paint = createPaint(color);
  const blocks = diagnosticsText(DIAGNOSTICS, { paint, sourceOf: (file) => SOURCES[file] });
  return `${[...blocks, '', summaryText(DIAGNOSTICS, { files: 3, policies: 12 }, paint)].join('\n')}\n`;
}

describe('diagnosticsText', () => {
  test('shows position, line, caret, hint and the count', () => {
    expectGolden(import.meta.dir, 'diagnostics.txt', text(false));
  });

  test('says the same with colours', () => {
    const colored = text(true);
    expect(colored).not.toBe(text(false));
    expect(colored.replace(/\u001b\[\d+m/g, '')).toBe(text(false));
  });

  test('passes no control character of a file or a message on to the terminal', () => {
    expect(text(false)).toMatch(/^[\n\u0020-\u007e\u00a0-\uffff]*$/);
  });
});

test.each([
  [[], 'No problems in 12 policies of 3 files'],
  [['error'], '1 error in 1 of 3 files'],
  [['warning', 'warning'], '2 warnings in 1 of 3 files'],
  [['error', 'error', 'warning'], '2 errors, 1 warning in 1 of 3 files'],
] as const)('summaryText counts %j', (severities, expected) => {
  const diagnostics = severities.map((severity) => at(1, 1, 1, { severity }));
  expect(summaryText(diagnostics, { files: 3, policies: 12 }, createPaint(false))).toBe(expected);
});

test('diagnosticsJson has counts and every fact, sorted', () => {
  const json = diagnosticsJson(DIAGNOSTICS, { files: 3, policies: 12 });
  expectGoldenJson(import.meta.dir, 'diagnostics.json', json);
});

test('diagnosticsGithub writes one escaped command a problem', () => {
  expectGolden(import.meta.dir, 'diagnostics.github.txt', `${diagnosticsGithub(DIAGNOSTICS).join('\n')}\n`);
});

test('diagnosticsSarif names rules, levels and regions', () => {
  const sarif = diagnosticsSarif(DIAGNOSTICS, '1.2.3');
  expectGoldenJson(import.meta.dir, 'diagnostics.sarif.json', sarif);
});
