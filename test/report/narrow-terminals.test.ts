import { describe, expect, test } from 'bun:test';
import type { Tally } from '../../src/hook/audit/tally.ts';
import { createPaint } from '../../src/tools/report/paint.ts';
import { tallyText } from '../../src/tools/report/tally-text.ts';

const POLICY = { decisions: 9, unknown: 0, skipped: 0, monitored: 1, inactive: 0, failed: 0 };
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

test('on a wide terminal, and where nobody reads along, each has a line', () => {
  for (const columns of [undefined, 200]) {
    const paint = createPaint(false, columns);
    expect(tallyText(TALLY, 0, paint)).toContain('policy                            matched  unknown');
  }
});
