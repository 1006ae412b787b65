import type { History } from '../../hook/audit/history.ts';
import type { DecisionRecord } from '../../hook/audit/record.ts';
import type { PolicyTally } from '../../hook/audit/tally.ts';
import type { Rule } from '../../model/policy.ts';
import { CHART_CODE, CHART_STYLE } from '../generated/charts.ts';
import { html, htmlPage, htmlTable } from './html.ts';
import { countOf, duration, grouped } from './quantity.ts';
import { percent } from './test-text.ts';

const MAX_POLICIES = 50;
const MAX_SLOWEST = 15;
const STYLE = `${CHART_STYLE}
.chart { min-height: 300px; }
.u-legend { text-align: left; color: var(--ink); }
.share { height: .6rem; margin-top: .45rem; min-width: 1px; background: var(--bar); }
.shares { width: 16rem; }
.u-legend th, .u-legend td { border: 0; }
`;

/** What the page is told beside the log. */
export interface HistoryPageOptions {
  /** The policies that are in force now; undefined if they cannot be loaded. */
  readonly rules: readonly Rule[] | undefined;
  /** Lines of the log that cannot be read. */
  readonly unreadable: number;
}

/** A log as one page that needs nothing else: who refused what and when, what is slow, what never matched. */
export function historyHtml(history: History, { rules, unreadable }: HistoryPageOptions): string {
  const { tally, byPolicy, byHost, timesMs, stepMs } = history;
  const charts = timesMs.length === 0 ? [] : [chart('by-policy', byPolicy), chart('by-host', byHost)];
  const body = [
    `<p>${summaryOf(history)}</p>`,
    ...(unreadable === 0 ? [] : [`<p>${countOf(unreadable, 'line')} of the log cannot be read.</p>`]),
    '<h2>Refusals over time, by policy</h2>',
    chartPlace('by-policy', charts.length),
    '<h2>Refusals over time, by agent</h2>',
    chartPlace('by-host', charts.length),
    '<h2>Policies that refused</h2>',
    policyTable(history),
    '<h2>Agents</h2>',
    htmlTable(
      ['Agent', { number: 'Decisions' }, { number: 'Refused' }, { number: 'Share' }],
      history.hosts.map(({ name, decisions, refused }) => [
        html(name),
        grouped(decisions),
        grouped(refused),
        percent(refused, decisions),
      ]),
    ),
    '<h2>Slowest policies</h2>',
    '<p>What a policy took by itself, where it matched, could not tell or took 100 µs or more.</p>',
    slowestTable(tally.policies),
    '<h2>Policies that never matched</h2>',
    neverMatched(rules, tally.policies),
    '<h2>Newest refusals</h2>',
    htmlTable(['Time', 'Agent', 'Tool', 'Action', 'Policy', 'Reason'], history.newest.map(refusalRow)),
  ];
  return htmlPage('Policy decisions', body, STYLE, {
    code: CHART_CODE,
    data: { times: timesMs.map((ms) => ms / 1_000), stepS: stepMs / 1_000, charts },
  });
}

function summaryOf({ tally, refused }: History): string {
  const { decisions, failed, first = '', last = '', totalUs } = tally;
  if (decisions === 0) return 'No decisions in the log';
  const share = `${grouped(refused)} refused (${percent(refused, decisions)}), ${grouped(failed)} failed`;
  return html(
    `${countOf(decisions, 'decision')} from ${first} to ${last}: ${share}, ${duration(totalUs / decisions)} on average`,
  );
}

function chart(id: string, series: History['byPolicy']) {
  return { id, series };
}

function chartPlace(id: string, charts: number): string {
  return charts === 0 ? '<p class="dim">None</p>' : `<div class="chart" id="${id}"></div>`;
}

function policyTable({ policies, refused }: History): string {
  const most = policies[0]?.refused ?? 1;
  const rest = policies.length - MAX_POLICIES;
  const table = htmlTable(
    ['Policy', { number: 'Refused' }, { number: 'Share' }, ''],
    policies
      .slice(0, MAX_POLICIES)
      .map(({ name, refused: count }) => [
        `<code>${html(name)}</code>`,
        grouped(count),
        percent(count, refused),
        `<div class="shares"><div class="share" style="width: ${((count / most) * 100).toFixed(1)}%"></div></div>`,
      ]),
  );
  return rest > 0 ? `${table}\n<p class="dim">and ${grouped(rest)} more</p>` : table;
}

function slowestTable(policies: readonly PolicyTally[]): string {
  return htmlTable(
    ['Policy', { number: 'Slowest' }, { number: 'On average' }, { number: 'Measured' }],
    policies
      .filter(({ measured }) => measured > 0)
      .toSorted((a, b) => b.maxOwnUs - a.maxOwnUs)
      .slice(0, MAX_SLOWEST)
      .map(({ id, maxOwnUs, ownUs, measured }) => [
        `<code>${html(id)}</code>`,
        duration(maxOwnUs),
        duration(ownUs / measured),
        grouped(measured),
      ]),
  );
}

function neverMatched(rules: readonly Rule[] | undefined, policies: readonly PolicyTally[]): string {
  if (rules === undefined) return '<p class="dim">The policies that are in force cannot be loaded</p>';
  const matched = new Set(
    policies
      .filter(
        (each) =>
          each.matched + each.unknown + each.monitored + each.inactive + each.unasked + each.excepted > 0,
      )
      .map(({ id }) => id),
  );
  return htmlTable(
    ['Policy', 'File'],
    rules
      .filter(({ id }) => !matched.has(id))
      .map(({ id, position }) => [
        `<code>${html(id)}</code>`,
        `<code>${html(`${position.file}:${position.line}`)}</code>`,
      ]),
    'Each of them has matched',
  );
}

function refusalRow({
  time,
  host,
  tool,
  event,
  action,
  policy,
  reason,
  failed,
}: DecisionRecord): readonly string[] {
  const cells = [time, host, tool ?? event ?? '', action];
  return [
    ...cells.map((cell) => html(cell)),
    `<code>${html(policy ?? '')}</code>`,
    html(failed ?? reason ?? ''),
  ];
}
