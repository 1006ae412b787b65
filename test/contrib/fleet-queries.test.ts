import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decisionEvent, heartbeat, type LogEvent } from '../../src/fleet/export/decision-event.ts';
import type { DecisionRecord } from '../../src/hook/audit/record.ts';

const QUERIES = join(import.meta.dir, '../../contrib/fleet/queries');
const CLICKHOUSE = Bun.which('clickhouse');
const HOUR_MS = 3_600_000;
const NOW_MS = Date.now();

/** What the queries use of the table that the Collector's exporter for ClickHouse makes. */
const TABLE = `CREATE TABLE otel_logs (
  Timestamp DateTime64(9), ServiceName LowCardinality(String), EventName String, SeverityText LowCardinality(String),
  ResourceAttributes Map(LowCardinality(String), String), LogAttributes Map(LowCardinality(String), String)
) ENGINE = MergeTree() ORDER BY Timestamp`;

let counter = 0;

function decision(hoursAgo: number, parts: Partial<DecisionRecord> = {}, repository?: string): LogEvent {
  const record: DecisionRecord = {
    version: 1,
    decision_id: `p-${counter++}`,
    time: new Date(NOW_MS - hoursAgo * HOUR_MS).toISOString(),
    host: 'gemini',
    session: 's',
    action: 'continue',
    policies: [],
    skipped: [],
    duration_us: 20_000,
    ...parts,
  };
  return decisionEvent({ record, repository }, false);
}

function alive(hoursAgo: number, organisation?: string): LogEvent {
  return heartbeat(NOW_MS - hoursAgo * HOUR_MS, organisation);
}

const REFUSED = { action: 'deny', policy: 'git/no-push' } as const;
const MONITORED = { policies: [{ id: 'team/later', how: 'monitored', action: 'deny' }] } as const;
const TWICE = decision(1, REFUSED, 'github.com/acme/shop');

/** Machines with their versions and what they have sent. */
const FLEET: readonly (readonly [machine: string, version: string, events: readonly LogEvent[]])[] = [
  [
    'busy',
    '0.2.0',
    [
      alive(100, 'old'),
      alive(0, 'new'),
      // Sent again, for the machine has not heard the yes.
      TWICE,
      TWICE,
      decision(2, REFUSED, 'github.com/acme/shop'),
      decision(2, MONITORED, 'github.com/acme/shop'),
      decision(3, { action: 'deny', failed: 'late' }),
      decision(3, { allowed: 'abc', policies: [{ id: 'git/no-push', how: 'excepted', action: 'deny' }] }),
    ],
  ],
  ['idle', '0.2.0', [alive(0, 'new'), decision(24 * 8)]],
  ['never', '0.1.0', [alive(0, 'new')]],
  ['silent', '0.1.0', [alive(30, 'old'), decision(31, REFUSED)]],
];

function literal(value: unknown): string {
  return `'${String(value).replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** As the Collector's exporter writes it: lists are JSON. */
function map(values: Readonly<Record<string, unknown>>): string {
  const text = (value: unknown) => (Array.isArray(value) ? JSON.stringify(value) : String(value));
  return `map(${Object.entries(values).flatMap(([key, value]) => [literal(key), literal(text(value))])})`;
}

function rows(): readonly string[] {
  return FLEET.flatMap(([machine, version, events]) =>
    events.map(({ name, timeMs, severity, attributes }) => {
      const resource = map({ 'host.id': `id-${machine}`, 'host.name': machine, 'service.version': version });
      const values = [
        `fromUnixTimestamp64Milli(${timeMs})`,
        "'policy'",
        literal(name),
        literal(severity.toUpperCase()),
      ];
      const logged =
        Object.keys(attributes).length === 0 ? "CAST(map(), 'Map(String, String)')" : map(attributes);
      return `(${[...values, resource, logged].join(', ')})`;
    }),
  );
}

function answer(query: string): readonly Readonly<Record<string, unknown>>[] {
  const sql = readFileSync(join(QUERIES, `${query}.sql`), 'utf8');
  const statements = [TABLE, `INSERT INTO otel_logs VALUES ${rows().join(', ')}`, sql];
  const args = ['local', '--output-format', 'JSONEachRow', '--query', statements.join(';\n')];
  const { stdout, stderr, exitCode } = Bun.spawnSync([CLICKHOUSE ?? '', ...args]);
  expect([exitCode, stderr.toString()]).toEqual([0, '']);
  const lines = stdout.toString().trim().split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

describe.skipIf(CLICKHOUSE === null)('contrib/fleet in ClickHouse', () => {
  test('tells which versions run where', () => {
    expect(
      answer('versions').map(({ machine, version, organisation }) => [machine, version, organisation]),
    ).toEqual([['silent', '0.1.0', 'old'], expect.anything(), expect.anything(), expect.anything()]);
    expect(answer('versions')).toContainEqual(
      expect.objectContaining({ machine: 'busy', version: '0.2.0', organisation: 'new' }),
    );
    expect(answer('spread').map((row) => Object.values(row).map(String))).toEqual([
      ['0.2.0', 'new', '2'],
      expect.anything(),
      expect.anything(),
    ]);
  });

  test('tells what is refused most, each decision once', () => {
    const refused = answer('refused').map(({ policy, action, refused: count, machines, repositories }) =>
      [policy, action, count, machines, repositories].map(String),
    );
    expect(refused).toEqual([
      ['git/no-push', 'deny', '3', '2', '1'],
      ['a failure', 'deny', '1', '1', '0'],
    ]);
    expect(answer('repositories').map((row) => Object.values(row).map(String))).toContainEqual([
      'https://github.com/acme/shop',
      '3',
      '2',
      'git/no-push',
    ]);
  });

  test('tells who is without a guard', () => {
    expect(answer('silent').map(({ machine }) => machine)).toEqual(['silent']);
    expect(answer('unguarded').map(({ machine }) => machine)).toEqual(['never', 'idle']);
  });

  test('tells what monitored policies would do, what was let past, and what fails', () => {
    expect(answer('monitored').map((row) => Object.values(row).map(String))).toEqual([
      ['team/later', 'https://github.com/acme/shop', '1', '1', '1'],
    ]);
    expect(answer('let-past').map((row) => Object.values(row).map(String))).toEqual([
      ['git/no-push', 'a person', '1', '1'],
    ]);
    expect(answer('failures').map((row) => Object.values(row).map(String))).toEqual([
      ['busy', 'gemini', '1'],
    ]);
  });

  test('counts by time, and measures', () => {
    const total = answer('decisions').reduce((sum, { decisions }) => sum + Number(decisions), 0);
    expect(total).toBe(6);
    expect(answer('duration')).toEqual([
      expect.objectContaining({ agent: 'gemini', median: 0.02, longest: 0.02 }),
    ]);
  });
});
