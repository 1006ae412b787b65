import { prevents } from '../../model/action.ts';
import type { DecisionRecord } from './record.ts';
import { createTallier, type Tally } from './tally.ts';

const HOUR_MS = 3_600_000;
/** As many bars as differ. */
const MAX_BUCKETS = 180;
/** As many colours as differ. */
const MAX_SERIES = 6;
const OTHERS = 'others';
const FAILURE = 'a failure';
const MAX_NEWEST = 50;

/** How often something refused, in each span of time. */
export interface HistorySeries {
  readonly name: string;
  /** One number for each of the history's times. */
  readonly counts: readonly number[];
}

/** How often something decided, and how often it refused. */
export interface RefusalCount {
  readonly name: string;
  readonly decisions: number;
  readonly refused: number;
}

/** What a log says, and when. */
export interface History {
  readonly tally: Tally;
  /** Decisions that kept a call from being made as it was. */
  readonly refused: number;
  /** Beginnings of spans of the same length, in milliseconds since 1970. */
  readonly timesMs: readonly number[];
  /** How long a span is. */
  readonly stepMs: number;
  /** Those that refused most; the last one sums up the rest. */
  readonly byPolicy: readonly HistorySeries[];
  readonly byHost: readonly HistorySeries[];
  /** Policies that refused, most first. */
  readonly policies: readonly RefusalCount[];
  /** Hosts, those with most decisions first. */
  readonly hosts: readonly RefusalCount[];
  /** The newest refusals, newest first. */
  readonly newest: readonly DecisionRecord[];
}

/** Counts records one by one. */
export interface Historian {
  add(record: DecisionRecord): void;
  result(): History;
}

interface Counts {
  decisions: number;
  refused: number;
  /** Refusals by the hour in which they were. */
  readonly hours: Map<number, number>;
}

export function createHistorian(): Historian {
  const tallier = createTallier();
  const policies = new Map<string, Counts>();
  const hosts = new Map<string, Counts>();
  let newest: DecisionRecord[] = [];
  let refused = 0;

  const add = (record: DecisionRecord): void => {
    tallier.add(record);
    const isRefused = prevents(record.action);
    const hour = isRefused ? hourOf(record.time) : undefined;
    count(hosts, record.host, isRefused, hour);
    if (!isRefused) return;
    refused += 1;
    count(policies, record.policy ?? FAILURE, true, hour);
    newest.push(record);
    if (newest.length >= 2 * MAX_NEWEST) newest = newest.slice(-MAX_NEWEST);
  };

  const result = (): History => {
    const { timesMs, stepMs, indexOf } = spansOf([...hosts.values()]);
    return {
      tally: tallier.result(),
      refused,
      timesMs,
      stepMs,
      byPolicy: seriesOf(policies, timesMs.length, indexOf),
      byHost: seriesOf(hosts, timesMs.length, indexOf),
      policies: sorted(policies, (counts) => counts.refused),
      hosts: sorted(hosts, (counts) => counts.decisions),
      newest: newest.slice(-MAX_NEWEST).reverse(),
    };
  };

  return { add, result };
}

function count(all: Map<string, Counts>, name: string, isRefused: boolean, hour: number | undefined): void {
  let counts = all.get(name);
  if (counts === undefined) {
    counts = { decisions: 0, refused: 0, hours: new Map() };
    all.set(name, counts);
  }
  counts.decisions += 1;
  if (!isRefused) return;
  counts.refused += 1;
  if (hour !== undefined) counts.hours.set(hour, (counts.hours.get(hour) ?? 0) + 1);
}

/** Undefined for a time that is none. */
function hourOf(time: string): number | undefined {
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? undefined : Math.floor(ms / HOUR_MS);
}

interface Spans extends Pick<History, 'timesMs' | 'stepMs'> {
  /** In which of them an hour is. */
  readonly indexOf: (hour: number) => number;
}

/** Spans of whole hours from the first refusal to the last. */
function spansOf(all: readonly Counts[]): Spans {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { hours } of all) {
    for (const hour of hours.keys()) {
      first = Math.min(first, hour);
      last = Math.max(last, hour);
    }
  }
  if (last < first) return { timesMs: [], stepMs: HOUR_MS, indexOf: () => 0 };
  const width = Math.ceil((last - first + 1) / MAX_BUCKETS);
  const length = Math.floor((last - first) / width) + 1;
  return {
    timesMs: Array.from({ length }, (_, index) => (first + index * width) * HOUR_MS),
    stepMs: width * HOUR_MS,
    indexOf: (hour) => Math.floor((hour - first) / width),
  };
}

function seriesOf(
  all: ReadonlyMap<string, Counts>,
  length: number,
  indexOf: (hour: number) => number,
): readonly HistorySeries[] {
  const refusing = [...all]
    .filter(([, { refused }]) => refused > 0)
    .sort(([, a], [, b]) => b.refused - a.refused);
  const shown = refusing.slice(0, MAX_SERIES).map(([name, counts]) => ({ name, of: [counts] }));
  const rest = refusing.slice(MAX_SERIES).map(([, counts]) => counts);
  return [...shown, ...(rest.length === 0 ? [] : [{ name: OTHERS, of: rest }])].map(({ name, of }) => {
    const counts = Array.from({ length }, () => 0);
    for (const { hours } of of)
      for (const [hour, refused] of hours) counts[indexOf(hour)] = (counts[indexOf(hour)] ?? 0) + refused;
    return { name, counts };
  });
}

function sorted(all: ReadonlyMap<string, Counts>, by: (counts: Counts) => number): readonly RefusalCount[] {
  return [...all]
    .filter(([, counts]) => by(counts) > 0)
    .sort(([, a], [, b]) => by(b) - by(a))
    .map(([name, { decisions, refused }]) => ({ name, decisions, refused }));
}
