import { expect, test } from 'bun:test';
import { parseMoment } from '../../src/tools/cli/options.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 12);

test.each([
  ['30m', '2026-11-20T11:30:00.000Z'],
  ['24h', '2026-11-19T12:00:00.000Z'],
  ['7d', '2026-11-13T12:00:00.000Z'],
  ['2w', '2026-11-06T12:00:00.000Z'],
  ['2026-11-01', '2026-11-01T00:00:00.000Z'],
  ['2026-11-01T08:30Z', '2026-11-01T08:30:00.000Z'],
])('parseMoment takes %s for %s', (text, expected) => {
  expect(new Date(parseMoment(text, NOW_MS, 'since')).toISOString()).toBe(expected);
});

test.each(['', '7', 'd', '-7d', '7 d', 'yesterday', '2026-13-45', '1234567d', '11'])(
  'parseMoment refuses %j',
  (text) => {
    expect(() => parseMoment(text, NOW_MS, 'since')).toThrow('give a span such as 24h or 7d, or a date');
  },
);
