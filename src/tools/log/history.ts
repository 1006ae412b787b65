import type { DecisionRecord } from '../../hook/audit/record.ts';
import { prevents } from '../../model/action.ts';
import { createCallCounter, type RefusalCount } from './count-calls.ts';
import { createTallier, type Tally } from './tally.ts';

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
/** So few hours are shown one by one. */
const MAX_HOURS = 2 * DAY_HOURS;
/** The most bars that a person can see apart. */
const MAX_SPANS = 120;
const FAILURE = 'a failure';
const MAX_NEWEST = 300;

/** How many calls there were in a span of time, and how many of them were refused. */
export interface TimeSpan {
  /** Milliseconds since 1970. */
  readonly startMs: number;
  readonly calls: number;
  readonly refused: number;
}

/** How often a host asked, and how often it was refused. */
export interface HostCount {
  readonly name: string;
  readonly decisions: number;
  readonly refused: number;
  /** ISO time of the newest decision. */
  readonly last: string;
}

/** The counts of a log, and the time that they cover. */
export interface LogHistory {
  readonly tally: Tally;
  /** Decisions that kept a call from being made as it was. */
  readonly refused: number;
  /** From the first decision to the last, without a gap. */
  readonly spans: readonly TimeSpan[];
  /** How long each span is. */
  readonly stepMs: number;
  /** Policies that refused, most first. */
  readonly policies: readonly RefusalCount[];
  /** Hosts, those with most decisions first. */
  readonly hosts: readonly HostCount[];
  /** The newest refusals, newest first. */
  readonly newest: readonly DecisionRecord[];
}

interface HourCounts {
  calls: number;
  refused: number;
}

type HostCounts = { -readonly [K in keyof HostCount]: HostCount[K] };

export function createHistorian(): { add(record: DecisionRecord): void; result(): LogHistory } {
  const tallier = createTallier();
  const calls = createCallCounter();
  const hosts = new Map<string, HostCounts>();
  const hours = new Map<number, HourCounts>();
  let newest: DecisionRecord[] = [];
  let refused = 0;

  const add = (record: DecisionRecord): void => {
    tallier.add(record);
    const isRefused = prevents(record.action);
    countHost(hosts, record, isRefused);
    countHour(hours, record.time, isRefused);
    if (!isRefused) return;
    refused += 1;
    calls.add(record.policy ?? FAILURE, record);
    newest.push(record);
    if (newest.length >= 2 * MAX_NEWEST) newest = newest.slice(-MAX_NEWEST);
  };

  const result = (): LogHistory => ({
    tally: tallier.result(),
    refused,
    ...spansOf(hours),
    policies: calls.result(),
    hosts: [...hosts.values()].sort((a, b) => b.decisions - a.decisions),
    newest: newest.slice(-MAX_NEWEST).reverse(),
  });

  return { add, result };
}

function countHost(all: Map<string, HostCounts>, { host, time }: DecisionRecord, isRefused: boolean): void {
  const counts = all.get(host) ?? { name: host, decisions: 0, refused: 0, last: time };
  all.set(host, counts);
  counts.decisions += 1;
  if (isRefused) counts.refused += 1;
  if (time > counts.last) counts.last = time;
}

function countHour(all: Map<number, HourCounts>, time: string, isRefused: boolean): void {
  const ms = Date.parse(time);
  // A time that is none.
  if (Number.isNaN(ms)) return;
  const hour = Math.floor(ms / HOUR_MS);
  const counts = all.get(hour) ?? { calls: 0, refused: 0 };
  all.set(hour, counts);
  counts.calls += 1;
  if (isRefused) counts.refused += 1;
}

/** Hours where they are few, else whole days, or as many together as leave few enough spans. */
function spansOf(hours: ReadonlyMap<number, HourCounts>): Pick<LogHistory, 'spans' | 'stepMs'> {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const hour of hours.keys()) {
    first = Math.min(first, hour);
    last = Math.max(last, hour);
  }
  if (last < first) return { spans: [], stepMs: HOUR_MS };
  const isShort = last - first < MAX_HOURS;
  const days = Math.floor(last / DAY_HOURS) - Math.floor(first / DAY_HOURS) + 1;
  const width = isShort ? 1 : DAY_HOURS * Math.ceil(days / MAX_SPANS);
  const start = isShort ? first : Math.floor(first / DAY_HOURS) * DAY_HOURS;
  const counts = Array.from({ length: Math.floor((last - start) / width) + 1 }, () => ({
    calls: 0,
    refused: 0,
  }));
  for (const [hour, { calls, refused }] of hours) {
    const span = counts[Math.floor((hour - start) / width)];
    if (span === undefined) continue;
    span.calls += calls;
    span.refused += refused;
  }
  const spans = counts.map((each, index) => ({ startMs: (start + index * width) * HOUR_MS, ...each }));
  return { spans, stepMs: width * HOUR_MS };
}
