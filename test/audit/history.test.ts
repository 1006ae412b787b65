import { expect, test } from 'bun:test';
import type { DecisionRecord } from '../../src/hook/audit/record.ts';
import { createHistorian } from '../../src/tools/log/history.ts';

const START_MS = Date.UTC(2026, 10, 1);
const HOUR_MS = 3_600_000;

function historyOf(records: readonly (Partial<DecisionRecord> & { readonly hour: number })[]) {
  const historian = createHistorian();
  records.forEach(({ hour, ...parts }, index) => {
    historian.add({
      version: 1,
      decision_id: `p-${index}`,
      time: new Date(START_MS + hour * HOUR_MS + 1).toISOString(),
      host: 'gemini',
      action: 'deny',
      policies: [],
      skipped: [],
      duration_us: 10,
      ...parts,
    });
  });
  return historian.result();
}

test('createHistorian counts calls and refusals by hour, policy and host', () => {
  const history = historyOf([
    { hour: 0, policy: 'a/x', command: 'one' },
    { hour: 2, policy: 'a/y', host: 'jcli', command: 'two' },
    { hour: 2, policy: 'a/y', action: 'ask', command: 'three', call_digest: 'd' },
    { hour: 3, policy: 'a/y', command: 'three', call_digest: 'd' },
    { hour: 1, action: 'continue' },
    { hour: 3, action: 'modify', policy: 'a/z' },
    { hour: 0, failed: 'late' },
  ]);
  expect(history.stepMs).toBe(HOUR_MS);
  expect(history.spans).toEqual([
    { startMs: START_MS, calls: 2, refused: 2 },
    { startMs: START_MS + HOUR_MS, calls: 1, refused: 0 },
    { startMs: START_MS + 2 * HOUR_MS, calls: 2, refused: 2 },
    { startMs: START_MS + 3 * HOUR_MS, calls: 2, refused: 1 },
  ]);
  expect(history.policies).toEqual([
    { name: 'a/y', refused: 3, most: { text: 'three', count: 2 } },
    { name: 'a/x', refused: 1, most: { text: 'one', count: 1 } },
    { name: 'a failure', refused: 1, most: { text: 'late', count: 1 } },
  ]);
  expect(history.hosts).toEqual([
    { name: 'gemini', decisions: 6, refused: 4, last: '2026-11-01T03:00:00.001Z' },
    { name: 'jcli', decisions: 1, refused: 1, last: '2026-11-01T02:00:00.001Z' },
  ]);
  expect(history.refused).toBe(5);
  expect(history.tally.decisions).toBe(7);
  expect(history.newest.map(({ decision_id }) => decision_id)).toEqual(['p-6', 'p-3', 'p-2', 'p-1', 'p-0']);
});

test.each([
  ['hours', 48, HOUR_MS, 48],
  ['days', 49, 24 * HOUR_MS, 3],
  ['days', 24 * 120, 24 * HOUR_MS, 120],
  ['several days', 24 * 121, 48 * HOUR_MS, 61],
])('createHistorian shows %s where a log has %d hours', (_what, count, stepMs, spans) => {
  const history = historyOf(Array.from({ length: count }, (_, hour) => ({ hour })));
  expect([history.stepMs, history.spans.length]).toEqual([stepMs, spans]);
});

test('createHistorian sums up what is too much to be shown, and loses nothing', () => {
  const history = historyOf(
    Array.from({ length: 5_000 }, (_, index) => ({
      hour: index,
      policy: `p/${index % 40}`,
      command: `c${index}`,
    })),
  );
  expect(history.spans.length).toBeLessThanOrEqual(120);
  expect(history.spans.reduce((sum, { refused }) => sum + refused, 0)).toBe(5_000);
  expect(history.policies).toHaveLength(40);
  expect(history.newest).toHaveLength(300);
});

test('createHistorian passes over times that are none', () => {
  const historian = createHistorian();
  historian.add({
    version: 1,
    decision_id: 'p',
    time: 'soon',
    host: 'h',
    action: 'deny',
    policies: [],
    skipped: [],
    duration_us: 1,
  });
  expect(historian.result()).toMatchObject({ refused: 1, spans: [] });
});
