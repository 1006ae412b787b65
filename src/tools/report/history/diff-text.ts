import type { JsonObject } from '../../../lib/json.ts';
import type { Comparison, Difference } from '../../compare/comparison.ts';
import type { DeclaredChange } from '../../compare/declared-changes.ts';
import { type Change, type ComparedVerdict, changedParts } from '../../compare/verdict.ts';
import { alignColumns } from '../layout/columns.ts';
import type { Paint } from '../layout/paint.ts';
import { printable } from '../layout/printable.ts';
import { countOf, grouped } from '../layout/quantity.ts';
import { declaredText } from './declared-text.ts';

export interface DiffTextOptions {
  readonly paint: Paint;
  /** True to list every call; otherwise each group is cut after some. */
  readonly verbose: boolean;
  /** Differences between the sets that no call has shown. */
  readonly unseen?: readonly DeclaredChange[];
}

const MAX_LISTED = 8;

/** Calls that are decided differently, grouped by the change and by policy. Ends with a line break. */
export function diffText(
  { differences, judged }: Comparison,
  { paint, verbose, unseen = [] }: DiffTextOptions,
): string {
  const groups = groupsOf(differences).map((group) => groupLines(group, paint, verbose).join('\n'));
  const declared =
    unseen.length === 0 ? [] : [`No call shows these:\n${declaredText(unseen, paint).trimEnd()}`];
  const blocks = [...groups, ...declared, summaryOf(differences, judged, paint)];
  return `${blocks.join('\n\n')}\n`;
}

function groupsOf(differences: readonly Difference[]): readonly (readonly Difference[])[] {
  const groups = new Map<string, Difference[]>();
  for (const difference of differences) {
    const key = `${difference.change}\0${difference.policy}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [difference]);
    else group.push(difference);
  }
  return [...groups.values()];
}

function groupLines(group: readonly Difference[], paint: Paint, verbose: boolean): readonly string[] {
  const [first] = group;
  if (first === undefined) return [];
  const title = `${changeWord(first.change, paint)}  ${paint.bold(printable(first.policy))}  ${countOf(group.length, 'call')}`;
  const listed = verbose || group.length <= MAX_LISTED ? group : group.slice(0, MAX_LISTED - 1);
  const rows = listed.map((difference) => [
    `  ${turnOf(difference)}`,
    printable(difference.label),
    paint.dim(printable(difference.place)),
  ]);
  const rest = group.length - listed.length;
  return [
    title,
    ...alignColumns(rows),
    ...(rest === 0 ? [] : [`  and ${grouped(rest)} more (-v lists them)`]),
  ];
}

function changeWord(change: Change, paint: Paint): string {
  switch (change) {
    case 'loosened':
      return paint.red(change);
    case 'changed':
      return paint.yellow(change);
    case 'tightened':
      return paint.green(change);
    default:
      return change satisfies never;
  }
}

/** `deny → continue`, `deny: another reason`. */
function turnOf({ change, policy, before, after }: Difference): string {
  if (change === 'changed') {
    const by = before.policy === after.policy ? '' : ` (was by ${before.policy ?? 'no policy'})`;
    const parts = changedParts(before, after).filter((part) => part !== 'policy');
    const other = parts.length === 0 ? '' : `, another ${parts.join(', ')}`;
    return printable(`${after.action}${by}${other}`);
  }
  const side = (verdict: ComparedVerdict) =>
    verdict.policy === undefined || verdict.policy === policy
      ? verdict.action
      : `${verdict.action} by ${verdict.policy}`;
  return printable(`${side(before)} → ${side(after)}`);
}

function summaryOf(differences: readonly Difference[], judged: number, paint: Paint): string {
  const calls = countOf(judged, 'call');
  if (differences.length === 0) return `${paint.green('No difference')} in ${calls}`;
  const counts = (['loosened', 'changed', 'tightened'] as const).flatMap((change) => {
    const count = differences.filter((difference) => difference.change === change).length;
    return count === 0 ? [] : [`${grouped(count)} ${change}`];
  });
  return `${counts.join(', ')} of ${calls}`;
}

/** A comparison as data: `policy diff --json`. */
export function diffJson({ differences, judged }: Comparison, more: JsonObject = {}): JsonObject {
  const count = (wanted: string) => differences.filter(({ change }) => change === wanted).length;
  return {
    calls: judged,
    loosened: count('loosened'),
    changed: count('changed'),
    tightened: count('tightened'),
    ...more,
    differences: differences.map(differenceJson),
  };
}

function differenceJson({ change, policy, label, place, before, after }: Difference): JsonObject {
  return {
    change,
    policy,
    call: label,
    place,
    before: verdictJson(before),
    after: verdictJson(after),
    ...(change === 'changed' ? { parts: changedParts(before, after) } : {}),
  };
}

function verdictJson({ action, policy }: ComparedVerdict): JsonObject {
  return { action, policy: policy ?? null };
}
