import type { JsonData, JsonObject } from '../../../lib/json.ts';
import type { Candidate, Refusals } from '../../compare/refusals.ts';
import { alignColumns } from '../layout/columns.ts';
import { html, htmlPage, htmlTable } from '../layout/html.ts';
import type { Paint } from '../layout/paint.ts';
import { printable, printableCut } from '../layout/printable.ts';
import { countOf, grouped, percent } from '../layout/quantity.ts';

/** As many calls as are looked at. */
export const MAX_LISTED = 10;
const MAX_CALL_CHARS = 100;

/** The groups in which calls are counted: JSON has these names as keys. */
export type CallGroups = 'host' | 'repository';

const TITLES: Readonly<Record<CallGroups, string>> = { host: 'agents', repository: 'repositories' };

/** How refusals are shown. */
export interface RefusalManner {
  readonly by: CallGroups;
  /** The calls that are left out, in a line each. */
  readonly notes: readonly string[];
  /** How many calls are listed at most. */
  readonly maxListed: number;
}

/** The calls that policies would have refused, for people. Ends with a line break. */
export function refusalsText(refusals: Refusals, manner: RefusalManner, paint: Paint): string {
  const blocks: (readonly string[])[] = [];
  if (refusals.policies.length > 0) {
    const titles = ['policy', 'action', 'calls', 'sessions', TITLES[manner.by]].map(paint.dim);
    const rows = refusals.policies.map(({ id, action, calls, sessions, groups }) => [
      printable(id),
      action,
      grouped(calls),
      grouped(sessions),
      printable(groups.join(', ')),
    ]);
    blocks.push(alignColumns([titles, ...rows], { right: [2, 3], columns: paint.columns }));
    const [only, ...others] = refusals.policies;
    if (only?.reason !== undefined && others.length === 0) blocks.push([printable(only.reason)]);
    blocks.push(candidateLines(refusals.candidates, manner, paint));
  }
  if (manner.by === 'repository' && refusals.groups.length > 0) blocks.push(repositoryLines(refusals, paint));
  blocks.push(summaryLines(refusals, manner));
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function candidateLines(
  candidates: readonly Candidate[],
  { by, maxListed }: RefusalManner,
  paint: Paint,
): readonly string[] {
  const rows = listed(candidates, maxListed).map(({ policy, group, call, calls, sessions }) => [
    `${countOf(calls, 'call')} in ${countOf(sessions, 'session')}`,
    printable(policy),
    ...(by === 'repository' ? [printable(group)] : []),
    printableCut(call, MAX_CALL_CHARS),
  ]);
  const rest = candidates.length - rows.length;
  return [
    paint.bold('Look at these first: an exception lets them pass if they were meant'),
    ...alignColumns(rows, { columns: paint.columns && paint.columns - 2 }).map((line) => `  ${line}`),
    ...(rest === 0 ? [] : [`  and ${grouped(rest)} more (--json has them)`]),
  ];
}

/** The first of each policy, then those that come before the others, in their order. */
function listed(candidates: readonly Candidate[], max: number): readonly Candidate[] {
  const firsts = new Map(candidates.toReversed().map((each) => [each.policy, each]));
  const chosen = new Set(firsts.values());
  for (const each of candidates) if (chosen.size < max) chosen.add(each);
  return candidates.filter((each) => chosen.has(each));
}

/** The repositories, the ones with the fewest refusals first: those are the places to begin. */
function repositoryLines({ groups }: Refusals, paint: Paint): readonly string[] {
  const titles = ['repository', 'calls', 'would be refused'].map(paint.dim);
  const rows = [...groups]
    .sort((a, b) => a.refused - b.refused)
    .map(({ name, calls, refused }) => [
      printable(name),
      grouped(calls),
      refused === 0 ? '0' : `${grouped(refused)} (${percent(refused, calls)})`,
    ]);
  return alignColumns([titles, ...rows], { right: [1], columns: paint.columns });
}

function summaryLines(
  refusals: Refusals,
  { by, notes }: Omit<RefusalManner, 'maxListed'>,
): readonly string[] {
  if (refusals.calls === 0) return ['No past calls found', ...notes];
  const share = `${grouped(refusals.refused)} would have been refused (${percent(refusals.refused, refusals.calls)})`;
  const asked = refusals.asked === 0 ? '' : `, a judge asked about ${grouped(refusals.asked)}`;
  const ofHosts = refusals.groups.map(({ name, sessions }) => `${grouped(sessions)} of ${name}`).join(', ');
  const where = by === 'host' ? ofHosts : countOf(refusals.groups.length, 'repository');
  return [
    `${countOf(refusals.calls, 'call')} in ${countOf(refusals.sessions, 'session')} (${where}): ${share}${asked}`,
    ...notes,
  ];
}

/** The same as data. */
export function refusalsJson(refusals: Refusals, by: CallGroups, more: JsonObject): JsonData {
  const several = by === 'host' ? 'hosts' : 'repositories';
  return {
    calls: refusals.calls,
    sessions: refusals.sessions,
    refused: refusals.refused,
    asked: refusals.asked,
    ...more,
    [several]: refusals.groups.map(({ name, ...counts }) => ({ [by]: name, ...counts })),
    policies: refusals.policies.map(({ groups, reason, ...each }) => ({
      ...each,
      reason,
      [several]: groups,
    })),
    candidates: refusals.candidates.map(({ last, group, ...each }) => ({
      ...each,
      [by]: group,
      last: last ?? null,
    })),
  };
}

/** The refusals that agents would have met, as one page that needs nothing else. */
export function refusalsPage(refusals: Refusals, notes: readonly string[]): string {
  return htmlPage('What would have been refused', [
    ...summaryLines(refusals, { by: 'host', notes }).map((line) => `<p>${html(line)}</p>`),
    '<h2>Policies</h2>',
    htmlTable(
      ['Policy', 'Action', 'Reason', { number: 'Calls' }, { number: 'Sessions' }, 'Agents'],
      refusals.policies.map(({ id, action, reason, calls, sessions, groups }) => [
        `<code>${html(id)}</code>`,
        html(action),
        html(reason ?? ''),
        grouped(calls),
        grouped(sessions),
        html(groups.join(', ')),
      ]),
      'No policy would have refused anything',
    ),
    '<h2>Calls</h2>',
    '<p>What was done in most sessions comes first. An exception lets a call pass if it was meant.</p>',
    htmlTable(
      [{ number: 'Calls' }, { number: 'Sessions' }, 'Policy', 'Call', 'Last'],
      refusals.candidates.map(({ calls, sessions, policy, call, last }) => [
        grouped(calls),
        grouped(sessions),
        `<code>${html(policy)}</code>`,
        `<code>${html(call)}</code>`,
        html(last?.slice(0, 10) ?? ''),
      ]),
    ),
    '<h2>Agents</h2>',
    htmlTable(
      ['Agent', { number: 'Sessions' }, { number: 'Calls' }, { number: 'Refused' }],
      refusals.groups.map(({ name, sessions, calls, refused }) => [
        html(name),
        grouped(sessions),
        grouped(calls),
        grouped(refused),
      ]),
    ),
  ]);
}
