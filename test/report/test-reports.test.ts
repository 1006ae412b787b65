import { describe, expect, test } from 'bun:test';
import { createEngine } from '../../src/language/engine/engine.ts';
import { createPaint } from '../../src/tools/report/layout/paint.ts';
import { percent } from '../../src/tools/report/layout/quantity.ts';
import {
  mutationJson,
  mutationText,
  type Survivor,
  survivorGithub,
  survivorLines,
} from '../../src/tools/report/test/test-mutants.ts';
import { createTestReporter, TEST_FORMATS } from '../../src/tools/report/test/test-reporters.ts';
import { coverageText } from '../../src/tools/report/test/test-text.ts';
import type { CaseResult, SuiteEvent } from '../../src/tools/suite/case-result.ts';
import type { TestCase } from '../../src/tools/suite/cases/test-case.ts';
import { answerCase } from '../../src/tools/suite/run-case.ts';
import { program, rule } from '../support/builders.ts';
import { expectGolden } from '../support/golden.ts';

const FILE = 'policies/git-safety/policy.test.yaml';

const ENGINE = createEngine(
  program([
    rule({
      id: 'git-safety/no-force-push',
      action: 'deny',
      when: { tool: 'shell', command: { subcommand: ['git', 'push'], flags: { any: ['-f', '--force'] } } },
      params: { reason: 'A force push rewrites history' },
      position: { file: 'policies/git-safety/policy.yaml', line: 4, column: 9, length: 13 },
    }),
    rule({
      id: 'git-safety/no-reset',
      action: 'deny',
      when: { tool: 'shell', command: { subcommand: ['git', 'reset'] } },
      params: { reason: 'Work is lost' },
    }),
    rule({
      id: 'git-safety/weak',
      action: 'deny',
      when: { model_prefix: 'small' },
      params: { reason: 'No' },
    }),
  ]),
);

function answerTo(command: string, host: string | undefined) {
  const test: TestCase = {
    name: '',
    position: { file: FILE, line: 1, column: 1, length: 1 },
    index: 0,
    input: { type: 'call', call: { on: 'before_tool', arguments: { command } } },
    history: [],
    host,
    interactive: false,
    skip: undefined,
    checks: [],
  };
  return answerCase(test, { engine: ENGINE, trace: { nowUs: () => 0 } }).answer;
}

function result(parts: Partial<CaseResult>): SuiteEvent {
  const position = { file: FILE, line: 12, column: 5, length: 3 };
  return {
    type: 'case',
    done: 0.5,
    result: {
      suite: 'policies/git-safety',
      name: 'a plain push passes',
      position,
      host: undefined,
      durationUs: 41,
      status: { type: 'passed' },
      ...parts,
    },
  };
}

const EVENTS: readonly SuiteEvent[] = [
  { type: 'suite_started', suite: 'policies/git-safety' },
  result({}),
  result({
    name: 'not <decided> "yet" # 100 %',
    status: { type: 'skipped', reason: 'the team argues, still' },
  }),
  result({
    name: 'leaves a dry run alone',
    host: 'gemini',
    position: { file: FILE, line: 88, column: 7, length: 3 },
    status: {
      type: 'failed',
      differences: [
        { key: 'action', expected: 'continue', actual: 'deny by git-safety/no-force-push' },
        { key: 'reason', expected: 'reason containing "x\u001b[2J"', actual: 'no reason' },
      ],
      answer: answerTo('cd repo && git push --force --dry-run origin main', 'gemini'),
    },
  }),
  result({
    name: 'hit of git-safety/no-reset: shell git clean',
    status: {
      type: 'failed',
      differences: [{ key: 'example', expected: 'hit', actual: 'no match' }],
      answer: undefined,
    },
  }),
  {
    type: 'problems',
    suite: 'policies/git-safety',
    kind: 'tests',
    diagnostics: [
      {
        code: 'bad-value',
        severity: 'error',
        position: { file: 'policies/git-safety/broken.test.yaml', line: 2, column: 3, length: 4 },
        message: 'Cannot find call "psuh"',
        hint: 'did you mean "push"?',
      },
    ],
  },
  {
    type: 'suite_ended',
    suite: 'policies/git-safety',
    counts: { passed: 1, failed: 2, skipped: 1, broken: 1, durationUs: 1_234 },
  },
  { type: 'suite_started', suite: 'policies/secrets' },
  result({ suite: 'policies/secrets', name: 'all is well' }),
  {
    type: 'suite_ended',
    suite: 'policies/secrets',
    counts: { passed: 1, failed: 0, skipped: 0, broken: 0, durationUs: 99 },
  },
  { type: 'suite_started', suite: 'policies/empty' },
  {
    type: 'suite_ended',
    suite: 'policies/empty',
    counts: { passed: 0, failed: 0, skipped: 0, broken: 0, durationUs: 1 },
  },
];

const COUNTS = { passed: 2, failed: 2, skipped: 1, broken: 1, durationUs: 310_000 };
const COVERAGE = { policies: { hit: 54, total: 55 }, alternatives: { hit: 91, total: 100 } };

function report(format: (typeof TEST_FORMATS)[number], events: readonly SuiteEvent[]): string {
  const reporter = createTestReporter(format, {
    paint: createPaint(false),
    sourceOf: () => 'cases:\n  - {call: psuh, expect: deny}\n',
    nameWidth: 'policies/git-safety'.length,
    hintCoverage: true,
  });
  return events.map(reporter.on).join('') + reporter.end({ counts: COUNTS, coverage: COVERAGE });
}

describe('createTestReporter', () => {
  for (const format of TEST_FORMATS) {
    test(`writes ${format}`, () => {
      expectGolden(import.meta.dir, `test-run.${format}.txt`, report(format, EVENTS));
    });

    test(`writes ${format} of nothing at all`, () => {
      expectGolden(import.meta.dir, `test-run-empty.${format}.txt`, report(format, []));
    });
  }

  test('json can be read again, with everything in it', () => {
    const read = JSON.parse(report('json', EVENTS));
    expect(read).toMatchObject({
      version: 1,
      results: [{ status: 'passed' }, { reason: 'the team argues, still' }, { host: 'gemini' }, {}, {}],
      problems: [{ code: 'bad-value', line: 2, hint: 'did you mean "push"?' }],
      summary: { passed: 2, failed: 2, skipped: 1, broken: 1, broken_policies: 0, duration_us: 310_000 },
      coverage: COVERAGE,
    });
    expect(JSON.parse(report('json', []))).toMatchObject({ results: [], problems: [] });
  });

  test('nothing in a result can act on a terminal', () => {
    for (const format of ['text', 'junit', 'github'] as const) {
      expect([format, report(format, EVENTS).includes('\u001b')]).toEqual([format, false]);
    }
  });
});

describe('percent', () => {
  test('is not rounded up to what was not reached', () => {
    expect([percent(999, 1000), percent(9999, 10_000), percent(1, 3), percent(0, 0)]).toEqual([
      '99.9 %',
      '99.9 %',
      '33.3 %',
      '100.0 %',
    ]);
  });

  test('is left out where there is nothing to reach', () => {
    const none = { hit: 0, total: 0 };
    expect(coverageText({ policies: none, alternatives: none }, true)).toBe('');
    expect(coverageText({ policies: { hit: 1, total: 1 }, alternatives: none }, true)).toBe(
      'coverage 100.0 % of policies',
    );
  });
});

describe('mutation reports', () => {
  const survivor: Survivor = {
    type: 'mutant',
    ruleId: 'git-safety/no-force-push',
    position: { file: 'policies/git-safety/policy.yaml', line: 2, column: 5, length: 4 },
    change: 'without "tool"',
    noticed: false,
    done: 1,
  };
  const counts = { noticed: 1_199, survived: 1, durationUs: 2_100_000 };

  test('show the line that was changed', () => {
    const paint = createPaint(false);
    const lines = [
      ...survivorLines(survivor, 'policies:\n    tool: shell\n', paint),
      ...survivorLines({ ...survivor, change: 'without the policy' }, undefined, paint),
      mutationText(counts, paint),
      mutationText({ ...counts, survived: 0 }, paint),
      survivorGithub(survivor),
      JSON.stringify(mutationJson([survivor], counts), null, 2),
    ];
    expectGolden(import.meta.dir, 'mutants.txt', `${lines.join('\n')}\n`);
  });
});
