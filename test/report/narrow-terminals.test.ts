import { describe, expect, test } from 'bun:test';
import { note } from '../../src/hosts/installation.ts';
import type { RefusedCall } from '../../src/model/grant.ts';
import type { Tally } from '../../src/tools/log/tally.ts';
import { allowListText, refusedCallText } from '../../src/tools/report/allow.ts';
import { type DoctorReport, doctorText } from '../../src/tools/report/doctor.ts';
import { tallyText } from '../../src/tools/report/history/tally-text.ts';
import { alignColumns } from '../../src/tools/report/layout/columns.ts';
import { displayWidth } from '../../src/tools/report/layout/display-width.ts';
import { createPaint } from '../../src/tools/report/layout/paint.ts';
import { expectGolden } from '../support/golden.ts';

const POLICY = {
  ...{ decisions: 9, unknown: 0, skipped: 0, monitored: 1, inactive: 0, missed: 0, failed: 0 },
  ...{ unasked: 0, excepted: 0 },
};
const TALLY = {
  decisions: 1202,
  failed: 0,
  totalUs: 60_000,
  first: '2026-11-20T09:38:00.123Z',
  last: '2026-11-21T09:38:00.123Z',
  actions: { deny: 2 },
  policies: [
    {
      ...POLICY,
      id: 'git-safety/no-force-push-to-main',
      matched: 8,
      measured: 1,
      totalUs: 31,
      ownUs: 31,
      maxOwnUs: 31,
    },
    { ...POLICY, id: 'a/b', matched: 0, measured: 0, totalUs: 0, ownUs: 0, maxOwnUs: 0 },
  ],
} as unknown as Tally;
describe('on a terminal of 60 columns', () => {
  const paint = createPaint(false, 60);

  test('tallyText gives each policy a line for its name, and leaves out columns of zeros', () => {
    expect(tallyText(TALLY, 0, paint).split('\n').slice(0, 5)).toEqual([
      'policy  matched  monitored  own time  slowest',
      'git-safety/no-force-push-to-main',
      '              8          1     31 µs    31 µs',
      'a/b',
      '              0          1         -        -',
    ]);
  });
});

test('policies of packs that never matched are a number, and others keep their line', () => {
  const idle = { ...POLICY, matched: 0, monitored: 0, skipped: 3 };
  const ids = ['mine/a', 'baseline/disk', 'baseline/privilege'];
  const text = tallyText(
    { ...TALLY, policies: ids.map((id) => ({ ...idle, id })) } as unknown as Tally,
    0,
    createPaint(false),
  );
  expect(text).toContain('mine/a');
  expect(text).toContain('\n\n2 policies of packs never matched (--json lists them)\n\n');
  expect(text).not.toContain('baseline/disk');
});

test('on a wide terminal, and where nobody reads along, each has a line', () => {
  for (const columns of [undefined, 200]) {
    const paint = createPaint(false, columns);
    expect(tallyText(TALLY, 0, paint)).toContain('policy                            matched  unknown');
  }
});

describe('a table that is too wide', () => {
  const ROWS = [
    ['agent', 'state', 'by'],
    [
      'Gemini CLI',
      'not guarded',
      'a file with a name of several words, and one_that_is_far_too_long_to_fit_anywhere',
    ],
    ['', 'guarded', 'x'],
  ];

  test('breaks its last column at words where there is room for it', () => {
    expect(alignColumns(ROWS, { columns: 50 })).toEqual([
      'agent       state        by',
      'Gemini CLI  not guarded  a file with a name of',
      '                         several words, and',
      '                         one_that_is_far_too_long_to_fit_anywhere',
      '            guarded      x',
    ]);
  });

  test('gives it lines of its own where there is little, and is running text where there is none', () => {
    expect(alignColumns(ROWS, { columns: 40 })).toEqual([
      'agent       state        by',
      'Gemini CLI  not guarded',
      '    a file with a name of several words,',
      '    and',
      '    one_that_is_far_too_long_to_fit_anywhere',
      '            guarded      x',
    ]);
    expect(alignColumns(ROWS, { columns: 22 })).toContain('agent  state  by');
  });

  test('stays as it is where nobody reads along', () => {
    expect(alignColumns(ROWS)).toHaveLength(3);
  });
});

describe('on a terminal of 40 columns, no word is broken and no line too long', () => {
  const paint = createPaint(false, 40);
  const report: DoctorReport = {
    hosts: [
      {
        name: 'gemini',
        title: 'Gemini CLI',
        paths: ['/home/me/.gemini/settings.json'],
        events: ['BeforeTool'],
        elapsedMs: 12,
        proof: undefined,
        findings: [
          note('a', 'the hook takes longer than it did when it was installed', 'run policy install'),
        ],
      },
    ],
    common: [note('a', 'the hook takes longer than it did when it was installed', 'run policy install')],
  };
  const refused: RefusedCall = {
    code: 'K7Q2M9',
    refusedMs: 0,
    grant: undefined,
    isShortened: false,
    reason: 'it overwrites what others have pushed',
    policies: ['git/no-force-push', 'git/main'].map((id) => ({ id, layer: 'user', locked: false })),
    call: {
      host: 'gemini',
      tool: 'run_shell_command',
      directory: '/work',
      session: 's',
      arguments: { command: 'git push -f origin topic' },
    },
  } as unknown as RefusedCall;

  test.each([
    ['doctor', doctorText(report, paint, '/home/me')],
    ['allow list', allowListText([refused], [], true, 60_000, paint)],
    ['allow', refusedCallText(refused, undefined, paint)],
    ['report', tallyText(TALLY, 0, paint)],
  ])('%s', (name, text) => {
    expectGolden(import.meta.dir, `narrow-${name.replace(' ', '-')}.txt`, text);
    for (const line of text.split('\n'))
      if (line.trim().includes(' ')) expect([line, displayWidth(line) <= 40]).toEqual([line, true]);
  });
});
