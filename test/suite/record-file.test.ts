import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findSuites } from '../../src/tools/cli/test/find-suites.ts';
import { suitePorts } from '../../src/tools/cli/test/suite-ports.ts';
import { recordFile } from '../../src/tools/suite/record/record-file.ts';
import { expectGolden } from '../support/golden.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { outcomeOf, resultsIn } from './suite-in.ts';

const POLICY = `version: 1
name: demo
policies:
  - {id: no-rm, tool: shell, arguments: {command: '^rm '}, action: deny, reason: It deletes for good}
`;
const TESTS = readFileSync(join(import.meta.dir, 'golden', 'recording.test.yaml'), 'utf8');

function record(tests: string) {
  const at = temporaryFolder({ '.policy/demo.yaml': POLICY, '.policy/a.test.yaml': tests });
  const [plan] = findSuites([], at);
  const [planned] = plan?.testFiles ?? [];
  if (plan === undefined || planned === undefined) throw new Error('no suite');
  return { at, ...recordFile(plan, planned, suitePorts({ cwd: at, env: {} })) };
}

describe('recordFile', () => {
  test('writes the outputs that are missing or differ, and leaves everything else as it is', () => {
    const { text, count, diagnostics } = record(TESTS);
    expectGolden(import.meta.dir, 'recorded.test.yaml', text ?? '');
    expect(count).toBe(6);
    expect(diagnostics.map(({ position, message }) => `${position.line} ${message}`)).toEqual([
      '43 Cannot record the output of case "braces": it is written in braces, or shared by an alias',
    ]);
  });

  test('what it has recorded passes, and is not recorded again', () => {
    const { text = '' } = record(TESTS);
    const sound = text.replace(/^ {2}- \{name: braces.*\n/m, '');
    const { at, count } = record(sound);
    expect(count).toBe(0);
    expect(new Set(resultsIn(at).map(outcomeOf))).toEqual(new Set(['passed', 'skipped: later']));
  });

  test('keeps the line breaks of the file', () => {
    const { text = '' } = record(TESTS.replaceAll('\n', '\r\n'));
    expect(text.split('\n').filter((line) => !line.endsWith('\r'))).toEqual(['']);
  });

  test.each([
    ['expect: &e {stdout: x}', 'expect: *e'],
    ['expect: {stdout: &o x}', 'skip: *o\n    expect: {exit: 0}'],
    ['expect: &e\n      exit: 7', 'expect: *e'],
  ])('leaves %j to the case that has %j', (anchored, alias) => {
    const head = (name: string) =>
      `  - name: ${name}\n    host: gemini\n    stdin: {hook_event_name: SomethingNew}\n`;
    const { diagnostics, count } = record(`cases:\n${head('a')}    ${anchored}\n${head('b')}    ${alias}\n`);
    expect(count).toBe(0);
    expect(diagnostics[0]?.message).toContain('shared by an alias');
  });

  test('records nothing of a file or policies that are broken', () => {
    expect(record('cases: [{host: gemini, stdin: 7}]\n')).toMatchObject({ text: undefined, count: 0 });
  });
});
