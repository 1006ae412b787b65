import { describe, expect, test } from 'bun:test';
import type { DecisionRecord } from '../../src/hook/audit/record.ts';
import { recordText } from '../../src/tools/report/history/log.ts';
import { displayWidth } from '../../src/tools/report/layout/display-width.ts';
import { createPaint } from '../../src/tools/report/layout/paint.ts';
import { expectGolden } from '../support/golden.ts';

function record(parts: Partial<DecisionRecord>): DecisionRecord {
  return {
    version: 1,
    decision_id: '8f2ac0de11223344-3',
    time: '2026-11-20T09:38:00.123Z',
    host: 'gemini',
    event: 'before_tool',
    tool: 'run_shell_command',
    action: 'continue',
    policies: [],
    skipped: [],
    duration_us: 41,
    ...parts,
  };
}

const DENIED = { action: 'deny', policy: 'git-safety/no-force-push', code: 'K7Q2M9' } as const;
const RECORDS = [
  record({ command: 'npm test' }),
  record({
    ...DENIED,
    command: 'git push --force origin topic && echo "pushed the topic branch to origin once more"',
    policies: [{ id: 'git-safety/no-force-push', how: 'matched', action: 'deny' }],
    reason: 'Refused by git-safety/no-force-push: a force push rewrites history that others have pulled.',
  }),
  record({
    ...DENIED,
    policy: 'baseline/secrets-read',
    tool: 'read_file',
    target: '/work/shop/.env',
    host: 'claude',
  }),
  record({ action: 'ask', policy: 'team/production', command: 'make deploy' }),
  record({
    action: 'deny',
    failed: 'the message is not JSON',
    tool: undefined as never,
    event: undefined as never,
  }),
  record({ event: 'before_prompt', tool: undefined as never }),
];

describe('recordText says when, what was decided, for whom, by which policy and about what', () => {
  test.each([
    ['where nobody reads along', 'log-piped.txt', createPaint(false), false],
    ['on a wide terminal, with the code', 'log-wide.txt', createPaint(false, 140), false],
    ['on a terminal of 80 columns', 'log-80-columns.txt', createPaint(false, 80), false],
    ['on a terminal of 40 columns', 'log-40-columns.txt', createPaint(false, 40), false],
    ['verbosely on a terminal of 40 columns', 'log-verbose-40-columns.txt', createPaint(false, 40), true],
    ['in colours', 'log-colours.txt', createPaint(true, 140), false],
  ])('%s', (_where, name, paint, verbose) => {
    const text = RECORDS.map((each) => recordText(each, verbose, paint)).join('');
    expectGolden(import.meta.dir, name, text);
    for (const line of text.split('\n')) {
      const isWord = !line.trim().includes(' ');
      expect([line, isWord || displayWidth(line) <= (paint.columns ?? Number.POSITIVE_INFINITY)]).toEqual([
        line,
        true,
      ]);
    }
  });
});
