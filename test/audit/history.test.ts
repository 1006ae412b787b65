import { expect, test } from 'bun:test';
import { createHistorian } from '../../src/hook/audit/history.ts';
import type { DecisionRecord } from '../../src/hook/audit/record.ts';

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

test('createHistorian counts refusals by hour, policy and host', () => {
  const history = historyOf([
    { hour: 0, policy: 'a/x' },
    { hour: 2, policy: 'a/y', host: 'jcli' },
    { hour: 2, policy: 'a/y', action: 'ask' },
    { hour: 1, action: 'continue' },
    { hour: 9, action: 'modify', policy: 'a/z' },
    { hour: 0, failed: 'late' },
  ]);
  expect(history.timesMs).toEqual([0, 1, 2].map((hour) => START_MS + hour * HOUR_MS));
  expect(history.byPolicy).toEqual([
    { name: 'a/y', counts: [0, 0, 2] },
    { name: 'a/x', counts: [1, 0, 0] },
    { name: 'a failure', counts: [1, 0, 0] },
  ]);
  expect(history.byHost).toEqual([
    { name: 'gemini', counts: [2, 0, 1] },
    { name: 'jcli', counts: [0, 0, 1] },
  ]);
  expect(history.hosts).toEqual([
    { name: 'gemini', decisions: 5, refused: 3 },
    { name: 'jcli', decisions: 1, refused: 1 },
  ]);
  expect(history.refused).toBe(4);
  expect(history.tally.decisions).toBe(6);
  expect(history.newest.map(({ decision_id }) => decision_id)).toEqual(['p-5', 'p-2', 'p-1', 'p-0']);
});

test('createHistorian sums up what is too much to be shown, and loses nothing', () => {
  const history = historyOf(
    Array.from({ length: 5_000 }, (_, index) => ({ hour: index, policy: `p/${index % 40}` })),
  );
  expect(history.timesMs.length).toBeLessThanOrEqual(180);
  expect(history.stepMs).toBe(28 * HOUR_MS);
  expect(history.byPolicy).toHaveLength(7);
  expect(history.byPolicy.at(-1)?.name).toBe('others');
  const all = history.byPolicy.flatMap(({ counts }) => counts).reduce((sum, each) => sum + each, 0);
  expect(all).toBe(5_000);
  expect(history.newest).toHaveLength(50);
});
