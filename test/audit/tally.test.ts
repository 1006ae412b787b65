import { expect, test } from 'bun:test';
import type { DecisionRecord } from '../../src/hook/audit/record.ts';
import { createTallier } from '../../src/tools/log/tally.ts';

function record(parts: Partial<DecisionRecord>): DecisionRecord {
  return {
    version: 1,
    decision_id: 'p-0',
    time: '2026-11-20T09:00:00.000Z',
    host: 'gemini',
    action: 'continue',
    policies: [],
    skipped: [],
    duration_us: 10,
    ...parts,
  };
}

test('createTallier counts decisions, actions, failures and policies', () => {
  const tallier = createTallier();
  tallier.add(record({ time: '2026-11-20T09:00:02.000Z' }));
  tallier.add(
    record({
      action: 'deny',
      policy: 'a/x',
      duration_us: 30,
      policies: [
        { id: 'a/x', how: 'matched', action: 'deny' },
        { id: 'a/y', how: 'monitored', action: 'deny' },
      ],
      skipped: ['a/z'],
    }),
  );
  tallier.add(
    record({
      policies: [{ id: 'a/y', how: 'unknown', action: 'deny' }],
      duration_us: 20,
      times: [{ id: 'a/y', own_us: 7 }],
    }),
  );
  tallier.add(
    record({
      times: [
        { id: 'a/y', own_us: 12 },
        { id: 'a/slow', own_us: 300 },
      ],
    }),
  );
  tallier.add(record({ policies: [{ id: 'a/y', how: 'inactive', action: 'approve' }] }));
  tallier.add(record({ action: 'deny', policy: 'a/judge', failed: 'the judge is away' }));
  tallier.add(record({ action: 'deny', failed: 'not JSON' }));

  const none = {
    ownUs: 0,
    maxOwnUs: 0,
    measured: 0,
    matched: 0,
    unknown: 0,
    skipped: 0,
    monitored: 0,
    inactive: 0,
    unasked: 0,
    excepted: 0,
    missed: 0,
    failed: 0,
  };
  expect(tallier.result()).toEqual({
    decisions: 7,
    failed: 2,
    totalUs: 100,
    actions: { continue: 4, deny: 3 },
    first: '2026-11-20T09:00:00.000Z',
    last: '2026-11-20T09:00:02.000Z',
    policies: [
      {
        ...none,
        id: 'a/y',
        monitored: 1,
        unknown: 1,
        inactive: 1,
        totalUs: 60,
        decisions: 3,
        ownUs: 19,
        maxOwnUs: 12,
        measured: 2,
      },
      { ...none, id: 'a/judge', failed: 1, totalUs: 10, decisions: 1 },
      { ...none, id: 'a/x', matched: 1, totalUs: 30, decisions: 1 },
      { ...none, id: 'a/z', skipped: 1, totalUs: 30, decisions: 1 },
      { ...none, id: 'a/slow', totalUs: 0, decisions: 0, ownUs: 300, maxOwnUs: 300, measured: 1 },
    ],
  });
});

test('createTallier has nothing to say about an empty log', () => {
  expect(createTallier().result()).toEqual({
    decisions: 0,
    failed: 0,
    totalUs: 0,
    actions: {},
    first: undefined,
    last: undefined,
    policies: [],
  });
});
