import type { Rule } from '../../../model/policy.ts';
import type { LogHistory } from '../../log/history.ts';
import type { PolicyTally } from '../../log/tally.ts';
import { html, htmlPage, htmlTable } from '../layout/html.ts';
import { countOf, duration, grouped, percent, timeText } from '../layout/quantity.ts';
import { guardedHtml, type LocalAgent } from './guarded-html.ts';
import { FILTER_CODE, REFUSALS_STYLE, refusalsHtml } from './refusals-html.ts';
import { TIME_CHART_STYLE, timeChart } from './time-chart.ts';

const MAX_POLICIES = 50;
const MAX_SLOWEST = 15;
const MAX_SUSPECTS = 10;
/** An agent that tries the same call so often may be right. */
const MIN_REPEATS = 3;
const STYLE = `${TIME_CHART_STYLE}${REFUSALS_STYLE}
.wide { overflow-x: auto; }
.number + td, .number + th { padding-left: 1rem; }
details { margin: .75rem 0; }
summary { cursor: pointer; }
`;

/** The facts that the page needs beside the log. */
export interface HistoryPageOptions {
  /** The policies that are in force now; undefined if they cannot be loaded. */
  readonly rules: readonly Rule[] | undefined;
  /** Lines of the log that cannot be read. */
  readonly unreadable: number;
  readonly agents: readonly LocalAgent[];
  /** Why decisions are not logged; undefined if they are. */
  readonly problem: string | undefined;
}

/** A log as one page that needs nothing else: the refusals and their reasons, if they are in the way, and if all is guarded. */
export function historyHtml(history: LogHistory, options: HistoryPageOptions): string {
  const { rules, unreadable, agents, problem } = options;
  const { tally, newest, refused } = history;
  const body = [
    `<p>${summaryOf(history)}</p>`,
    ...(problem === undefined ? [] : [`<p class="bad">Decisions are not logged: ${html(problem)}</p>`]),
    ...(unreadable === 0
      ? []
      : [`<p class="bad">${countOf(unreadable, 'line')} of the log cannot be read.</p>`]),
    '<h2>What was refused lately, and why?</h2>',
    ...refusalsHtml(newest, refused, history.tally.decisions),
    '<h2>Is it in the way?</h2>',
    `<div class="wide">${timeChart(history)}</div>`,
    ...suspectsHtml(history),
    '<h2>Is everything guarded?</h2>',
    '<div class="wide">',
    ...guardedHtml(agents, history.hosts),
    '</div>',
    '<h2>More</h2>',
    folded(`Policies that refused: ${grouped(history.policies.length)}`, policyTable(history)),
    folded('Slowest policies', slowestTable(tally.policies)),
    ...neverMatched(rules, tally.policies),
  ];
  const script = newest.length === 0 ? undefined : { code: FILTER_CODE };
  return htmlPage('Policy decisions', body, STYLE, script);
}

function summaryOf({ tally, refused }: LogHistory): string {
  const { decisions, failed, first = '', last = '', totalUs } = tally;
  if (decisions === 0) return 'No decisions in the log';
  const share = `${grouped(refused)} refused (${percent(refused, decisions)}), ${grouped(failed)} failed`;
  const span = `from ${timeText(first)} to ${timeText(last)} UTC`;
  return html(
    `${countOf(decisions, 'decision')} ${span}: ${share}, ${duration(totalUs / decisions)} on average`,
  );
}

/** Policies past which calls were let, or that refused one call again and again. */
function suspectsHtml({ policies, tally }: LogHistory): readonly string[] {
  const excepted = new Map(tally.policies.map((each) => [each.id, each.excepted]));
  const refusals = new Map(policies.map((each) => [each.name, each]));
  const suspects = [...new Set([...refusals.keys(), ...excepted.keys()])]
    .map((name) => ({ name, passed: excepted.get(name) ?? 0, ...refusals.get(name) }))
    .filter(({ passed, most }) => passed > 0 || (most?.count ?? 0) >= MIN_REPEATS)
    .sort((a, b) => b.passed - a.passed || (b.most?.count ?? 0) - (a.most?.count ?? 0))
    .slice(0, MAX_SUSPECTS);
  const rows = suspects.map(({ name, passed, refused = 0, most }) => [
    `<code>${html(name)}</code>`,
    grouped(refused),
    grouped(passed),
    most === undefined ? '' : `<code>${html(most.text)}</code> ${grouped(most.count)} ×`,
  ]);
  return [
    '<h3>Likely false alarms</h3>',
    htmlTable(
      ['Policy', { number: 'Refused' }, { number: 'Let past by people' }, 'Refused most often'],
      rows,
      'None: no person let a call pass, and no call was refused repeatedly',
    ),
  ];
}

function policyTable({ policies, refused }: LogHistory): string {
  const rest = policies.length - MAX_POLICIES;
  const table = htmlTable(
    ['Policy', { number: 'Refused' }, { number: 'Share' }],
    policies
      .slice(0, MAX_POLICIES)
      .map(({ name, refused: count }) => [
        `<code>${html(name)}</code>`,
        grouped(count),
        percent(count, refused),
      ]),
  );
  return rest > 0 ? `${table}\n<p class="dim">and ${grouped(rest)} more</p>` : table;
}

function slowestTable(policies: readonly PolicyTally[]): string {
  const rows = policies
    .filter(({ measured }) => measured > 0)
    .toSorted((a, b) => b.maxOwnUs - a.maxOwnUs)
    .slice(0, MAX_SLOWEST)
    .map(({ id, maxOwnUs, ownUs, measured }) => [
      `<code>${html(id)}</code>`,
      duration(maxOwnUs),
      duration(ownUs / measured),
      grouped(measured),
    ]);
  return [
    '<p>Own time of each policy, for events where it matched, was unknown or took 100 µs or more.</p>',
    htmlTable(['Policy', { number: 'Slowest' }, { number: 'On average' }, { number: 'Measured' }], rows),
  ].join('\n');
}

/** The policies in force that never matched, folded by file or pack: most packs have many that never will. */
function neverMatched(
  rules: readonly Rule[] | undefined,
  policies: readonly PolicyTally[],
): readonly string[] {
  if (rules === undefined) return ['<p class="dim">The policies that are in force cannot be loaded</p>'];
  const matched = new Set(
    policies
      .filter(
        (each) =>
          each.matched +
            each.unknown +
            each.monitored +
            each.inactive +
            each.unasked +
            each.excepted +
            each.missed >
          0,
      )
      .map(({ id }) => id),
  );
  const byFile = Map.groupBy(rules, ({ position }) => position.file);
  return [...byFile].flatMap(([file, all]) => {
    const never = all.filter(({ id }) => !matched.has(id));
    if (never.length === 0) return [];
    const rows = never.map(({ id, position }) => [`<code>${html(id)}</code>`, String(position.line)]);
    const title = `Never matched in ${file}: ${grouped(never.length)} of ${grouped(all.length)}`;
    return [folded(title, htmlTable(['Policy', { number: 'Line' }], rows))];
  });
}

function folded(title: string, inside: string): string {
  return `<details><summary>${html(title)}</summary>\n${inside}\n</details>`;
}
