import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import {
  DECISION_ATTRIBUTES,
  DECISION_EVENT,
  HEARTBEAT_ATTRIBUTES,
  HEARTBEAT_EVENT,
  RESOURCE_ATTRIBUTES,
} from '../../src/fleet/export/attributes.ts';

const FOLDER = join(import.meta.dir, '../../contrib/fleet');
const DASHBOARD = 'grafana/dashboards/policy.json';
const ALERTS = 'grafana/provisioning/alerting/policy.json';
/** The columns of the table that the Collector's exporter for ClickHouse makes, as far as they are used. */
const COLUMNS = [
  'Timestamp',
  'ServiceName',
  'EventName',
  'SeverityText',
  'ResourceAttributes',
  'LogAttributes',
];

interface Target {
  readonly refId: string;
  rawSql: string;
}

interface Panel {
  readonly title: string;
  description: string;
  readonly datasource: { readonly uid: string };
  readonly targets: readonly Target[];
}

interface Rule {
  readonly condition: string;
  readonly data: readonly {
    readonly refId: string;
    readonly datasourceUid: string;
    readonly model: Target & { readonly expression?: string };
  }[];
}

function text(name: string): string {
  return readFileSync(join(FOLDER, name), 'utf8');
}

/** What a query says in its comment, and itself as a panel has it. */
function queries(): ReadonlyMap<
  string,
  { readonly about: string; readonly sql: string; readonly whole: string }
> {
  const names = readdirSync(join(FOLDER, 'queries')).map((file) => file.replace('.sql', ''));
  return new Map(
    names.map((name) => {
      const whole = text(`queries/${name}.sql`);
      const lines = whole.trimEnd().split('\n');
      const comment = lines.filter((line) => line.startsWith('-- ')).map((line) => line.slice(3));
      const sql = lines.filter((line) => !line.startsWith('--')).join('\n');
      return [name, { about: comment.join(' '), sql, whole }];
    }),
  );
}

const QUERIES = queries();
const inPanel = (sql: string) =>
  sql.replace('Timestamp > now() - INTERVAL 7 DAY', '$__timeFilter(Timestamp)');

function keep(name: string, value: unknown): void {
  if (process.env['UPDATE_GOLDEN'] === '1')
    writeFileSync(join(FOLDER, name), `${JSON.stringify(value, null, 2)}\n`);
}

describe('contrib/fleet', () => {
  test.each([...QUERIES])('the query %s asks for nothing but what is sent', (name, { whole, about }) => {
    const used = [...whole.matchAll(/\b(Log|Resource)Attributes\['([^']+)'\]/g)];
    const known = { Log: { ...DECISION_ATTRIBUTES, ...HEARTBEAT_ATTRIBUTES }, Resource: RESOURCE_ATTRIBUTES };
    const unknown = used.filter(
      ([, where, name]) => !Object.hasOwn(known[where as keyof typeof known], name ?? ''),
    );
    expect(unknown.map(([found]) => found)).toEqual([]);
    expect(used.length).toBeGreaterThan(0);
    const columns = [...whole.replace(/--.*|'[^']*'/g, '').matchAll(/\b[A-Z][a-z]+[A-Z]?\w*\b/g)].map(
      ([name]) => name,
    );
    expect(columns.filter((name) => !COLUMNS.includes(name))).toEqual([]);
    const events = [...whole.matchAll(/EventName = '([^']+)'/g)].map(([, name]) => name);
    expect(events.filter((name) => name !== DECISION_EVENT && name !== HEARTBEAT_EVENT)).toEqual([]);
    expect(about).toEndWith('.');
    expect(text('README.md')).toContain(`(queries/${name}.sql)`);
  });

  test('the panels of the dashboard are the queries, for the time that is chosen', () => {
    const dashboard: { readonly panels: readonly Panel[] } = JSON.parse(text(DASHBOARD));
    const filled = structuredClone(dashboard);
    for (const panel of filled.panels) {
      for (const target of panel.targets) {
        const query = QUERIES.get(target.refId);
        target.rawSql = inPanel(query?.sql ?? 'there is no such query');
        panel.description = query?.about ?? '';
      }
    }
    keep(DASHBOARD, filled);
    expect(JSON.parse(text(DASHBOARD))).toEqual(filled);
    const shown = filled.panels.flatMap(({ targets }) => targets.map(({ refId }) => refId));
    expect(shown.toSorted()).toEqual([...QUERIES.keys()].toSorted());
  });

  test('the alert rules are queries and a bound', () => {
    const alerts: { readonly groups: readonly { readonly rules: readonly Rule[] }[] } = JSON.parse(
      text(ALERTS),
    );
    const filled = structuredClone(alerts);
    const rules = filled.groups.flatMap((group) => group.rules);
    for (const { condition, data } of rules) {
      const [query, bound] = data;
      expect([bound?.refId, bound?.datasourceUid]).toEqual([condition, '__expr__']);
      expect(bound?.model.expression).toBe(query?.refId);
      if (query !== undefined) query.model.rawSql = QUERIES.get(query.refId)?.sql ?? 'there is no such query';
    }
    keep(ALERTS, filled);
    expect(JSON.parse(text(ALERTS))).toEqual(filled);
    expect(rules.map(({ data }) => data[0]?.refId)).toEqual(['silent', 'unguarded', 'failures']);
  });

  test('all speak of one data source, and of pinned images', () => {
    const [source] = (
      load(text('grafana/provisioning/datasources/clickhouse.yaml')) as { datasources: { uid: string }[] }
    ).datasources;
    const named = [
      ...`${text(DASHBOARD)}${text(ALERTS)}`.matchAll(/"(?:uid|datasourceUid)": "(policy-clickhouse)"/g),
    ];
    expect(new Set(named.map(([, uid]) => uid))).toEqual(new Set([source?.uid]));
    const compose = load(text('compose.yaml')) as {
      services: Record<string, { image: string; ports?: string[] }>;
    };
    for (const { image, ports } of Object.values(compose.services)) {
      expect(image).toMatch(/:\d+\.\d+(\.\d+)?$/);
      for (const port of ports ?? []) expect(port).toStartWith('127.0.0.1:');
    }
    const secrets = [...text('compose.yaml').matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name = '']) => name);
    for (const secret of secrets) expect(text('README.md')).toContain(`${secret}=$(openssl`);
    expect(new Set(secrets)).toEqual(new Set(['POLICY_TOKEN', 'CLICKHOUSE_PASSWORD', 'GRAFANA_PASSWORD']));
  });
});
