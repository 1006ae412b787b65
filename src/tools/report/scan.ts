import type { JsonObject } from '../../lib/json.ts';
import type { Candidate, Scan } from '../compare/scan.ts';
import { alignColumns } from './columns.ts';
import { html, htmlPage, htmlTable } from './html.ts';
import type { Paint } from './paint.ts';
import { printable, printableCut } from './printable.ts';
import { countOf, grouped } from './quantity.ts';
import { percent } from './test-text.ts';

/** Version of the JSON shape; grows when a key changes its meaning or goes away. */
const VERSION = 1;
const MAX_LISTED = 10;
const MAX_CALL_CHARS = 100;

/** What could not be judged. */
export interface ScanGaps {
  /** Files that are no session of a known host, or cannot be read. */
  readonly unreadable: number;
}

/** What past sessions would have met, for people. Ends with a line break. */
export function scanText(scan: Scan, gaps: ScanGaps, paint: Paint): string {
  const blocks: (readonly string[])[] = [];
  if (scan.policies.length > 0) {
    const titles = ['policy', 'action', 'calls', 'sessions', 'agents'].map(paint.dim);
    const rows = scan.policies.map(({ id, action, calls, sessions, hosts }) => [
      printable(id),
      action,
      grouped(calls),
      grouped(sessions),
      hosts.join(', '),
    ]);
    blocks.push(alignColumns([titles, ...rows], { right: [2, 3] }));
    blocks.push(candidateLines(scan.candidates, paint));
  }
  blocks.push(summaryLines(scan, gaps));
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function candidateLines(candidates: readonly Candidate[], paint: Paint): readonly string[] {
  const rows = candidates
    .slice(0, MAX_LISTED)
    .map(({ policy, host, call, calls, sessions }) => [
      `${countOf(calls, 'call')} in ${countOf(sessions, 'session')}`,
      printable(policy),
      host,
      printableCut(call, MAX_CALL_CHARS),
    ]);
  const rest = candidates.length - rows.length;
  return [
    paint.bold('Look at these first: an exception lets them pass if they were meant'),
    ...alignColumns(rows).map((line) => `  ${line}`),
    ...(rest === 0 ? [] : [`  and ${grouped(rest)} more (--html or --json has them)`]),
  ];
}

function summaryLines(scan: Scan, { unreadable }: ScanGaps): readonly string[] {
  if (scan.calls === 0) return ['No past calls found', ...leftOut(unreadable)];
  const share = `${grouped(scan.refused)} would have been refused (${percent(scan.refused, scan.calls)})`;
  const asked = scan.asked === 0 ? '' : `, a judge asked about ${grouped(scan.asked)}`;
  const where = scan.hosts.map(({ host, sessions }) => `${grouped(sessions)} of ${host}`).join(', ');
  return [
    `${countOf(scan.calls, 'call')} in ${countOf(scan.sessions, 'session')} (${where}): ${share}${asked}`,
    ...leftOut(unreadable),
  ];
}

function leftOut(unreadable: number): readonly string[] {
  return unreadable === 0
    ? []
    : [`${countOf(unreadable, 'file')} left out: no session of an agent that is known`];
}

/** The same as data. */
export function scanJson(scan: Scan, { unreadable }: ScanGaps): JsonObject {
  return {
    version: VERSION,
    calls: scan.calls,
    sessions: scan.sessions,
    refused: scan.refused,
    asked: scan.asked,
    unreadable_files: unreadable,
    hosts: scan.hosts.map((each) => ({ ...each })),
    policies: scan.policies.map((each) => ({ ...each })),
    candidates: scan.candidates.map(({ last, ...each }) => ({ ...each, last: last ?? null })),
  };
}

/** The same as one page that needs nothing else. */
export function scanHtml(scan: Scan, gaps: ScanGaps): string {
  return htmlPage('What would have been refused', [
    ...summaryLines(scan, gaps).map((line) => `<p>${html(line)}</p>`),
    '<h2>Policies</h2>',
    htmlTable(
      ['Policy', 'Action', { number: 'Calls' }, { number: 'Sessions' }, 'Agents'],
      scan.policies.map(({ id, action, calls, sessions, hosts }) => [
        `<code>${html(id)}</code>`,
        html(action),
        grouped(calls),
        grouped(sessions),
        html(hosts.join(', ')),
      ]),
      'No policy would have refused anything',
    ),
    '<h2>Calls</h2>',
    '<p>What was done in most sessions comes first. An exception lets a call pass if it was meant.</p>',
    htmlTable(
      [{ number: 'Calls' }, { number: 'Sessions' }, 'Policy', 'Agent', 'Call', 'Last'],
      scan.candidates.map(({ calls, sessions, policy, host, call, last }) => [
        grouped(calls),
        grouped(sessions),
        `<code>${html(policy)}</code>`,
        html(host),
        `<code>${html(call)}</code>`,
        html(last?.slice(0, 10) ?? ''),
      ]),
    ),
    '<h2>Agents</h2>',
    htmlTable(
      ['Agent', { number: 'Sessions' }, { number: 'Calls' }, { number: 'Refused' }],
      scan.hosts.map(({ host, sessions, calls, refused }) => [
        html(host),
        grouped(sessions),
        grouped(calls),
        grouped(refused),
      ]),
    ),
  ]);
}
