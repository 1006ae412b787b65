import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { EXPECT_KEYS } from '../../src/tools/suite/expect/expect-keys.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeFiles } from '../support/write-files.ts';
import { outcomeOf, resultsIn } from './suite-in.ts';

const POLICY = `version: 1
name: demo
policies:
  - {id: no-rm, tool: shell, arguments: {command: '^rm '}, action: deny, reason: It deletes for good, message: 'rm is off', add_context: Use a trash folder}
  - {id: watch, tool: shell, arguments: {command: '^rm '}, action: deny, mode: monitor}
  - {id: pnpm, tool: shell, arguments: {command: '^npm '}, action: modify, rewrite: {replace: [{at: command, regex: '^npm ', with: 'pnpm '}]}}
  - {id: path, tool: write, action: modify, rewrite: {set: {path: /tmp/x}}}
  - {id: weather, tool_matcher: weather, action: respond, result: {for_llm: 'sunny in {{arguments.city}}', silent: true}}
  - {id: secret, on: after_tool, content: s3cret, action: modify, rewrite: {replace: [{at: '*', regex: s3cret, with: '[gone]'}]}}
  - {id: tests, on: after_turn, content: done, action: retry_feedback, feedback: Run the tests first}
  - {id: model, on: before_llm, action: modify, rewrite: {model: small}}
  - {id: prompt, on: before_prompt, content: foo, action: modify, rewrite: {replace: [{at: prompt, regex: foo, with: bar}]}}
  - {id: answer, on: after_llm, content: foo, action: modify, rewrite: {replace: [{at: '*', regex: foo, with: bar}]}}
`;

/** Key, call, what it should be, what it should not be, and how that shows. */
const TABLE = load(readFileSync(join(import.meta.dir, 'expect-keys.yaml'), 'utf8')) as readonly (readonly [
  key: string,
  call: string,
  good: string,
  bad: string,
  shown: string,
])[];

/** The same for cases that run on a host. */
const ON_HOSTS: readonly (readonly [key: string, call: string, good: string, bad: string, shown: string])[] =
  [
    [
      'stdout',
      '{command: rm x}',
      '{decision: deny}',
      '{decision: allow}',
      'stdout decision "allow" | stdout decision "deny"',
    ],
    ['stdout', '{command: rm x}', '"\\"decision\\":\\"deny\\""', 'nothing', ''],
    ['stderr', '{command: rm x}', '/.*/', 'oops', 'stderr containing "oops" | stderr ""'],
    ['exit', '{command: rm x}', '2', '0', 'exit 0 | exit 2'],
    [
      'call',
      '{tool: write, path: /etc/x, content: a}',
      '{path: /tmp/x}',
      '{path: /etc/x}',
      'call with file_path "/etc/x" | file_path "/tmp/x"',
    ],
  ];

describe('expect', () => {
  const rows = [
    ...TABLE.map((row) => [...row, ''] as const),
    ...ON_HOSTS.map((row) => [...row, 'hosts: [gemini], '] as const),
  ];
  for (const [key, call, good, bad, shown, hosts] of rows) {
    test(`${key} passes for ${good} and fails for ${bad}: ${call}`, () => {
      const at = temporaryFolder();
      const test = (value: string) => `  - {call: ${call}, ${hosts}expect: {${key}: ${value}}}\n`;
      writeFiles(at, {
        '.policy/demo.yaml': POLICY,
        '.policy/a.test.yaml': `cases:\n${test(good)}${test(bad)}`,
      });
      const [first, second] = resultsIn(at).map(outcomeOf);
      expect(first).toBe('passed');
      expect(second).toStartWith(`${key}: `);
      if (shown !== '') expect(second).toBe(`${key}: ${shown}`);
    });
  }

  test('every key is seen passing and failing here', () => {
    const seen = new Set(rows.map(([key]) => key));
    expect(EXPECT_KEYS.map(({ key }) => key).filter((key) => !seen.has(key))).toEqual([]);
  });

  test('what a decision does not give is said to be missing', () => {
    const at = temporaryFolder();
    const keys = [
      'call: {command: ls}',
      'result: x',
      'reason: x',
      'feedback: x',
      'message: x',
      'monitored: x',
    ];
    const cases = keys.map((key) => `  - {call: {command: ls}, expect: {${key}}}\n`).join('');
    writeFiles(at, { '.policy/demo.yaml': POLICY, '.policy/a.test.yaml': `cases:\n${cases}` });
    expect(resultsIn(at).map(outcomeOf)).toEqual([
      'call: a rewritten call | continue, which leaves none',
      'result: another result | continue, which gives none',
      'reason: reason containing "x" | no reason',
      'feedback: feedback containing "x" | no feedback',
      'message: message containing "x" | no message',
      'monitored: x matches in monitor mode | no policy does',
    ]);
  });

  test('every difference is told, in the order of the keys', () => {
    const at = temporaryFolder();
    const expected = '{reason: x, policy: y, action: ask}';
    writeFiles(at, {
      '.policy/demo.yaml': POLICY,
      '.policy/a.test.yaml': `cases:\n  - {call: {command: rm x}, expect: ${expected}}\n`,
    });
    const [result] = resultsIn(at);
    expect(result?.status).toMatchObject({
      type: 'failed',
      differences: [{ key: 'action' }, { key: 'policy' }, { key: 'reason' }],
    });
  });
});
