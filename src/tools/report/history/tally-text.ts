import { BUILTIN_PACKS } from '../../../language/policy/compile/packs.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { ACTIONS } from '../../../model/action.ts';
import type { PolicyTally, Tally } from '../../log/tally.ts';
import { alignColumns } from '../layout/columns.ts';
import { displayWidth } from '../layout/display-width.ts';
import type { Paint } from '../layout/paint.ts';
import { printable } from '../layout/printable.ts';
import { countOf, duration, grouped } from '../layout/quantity.ts';
import { wrapText } from '../layout/wrap-text.ts';

const TITLES = [
  'policy',
  'matched',
  'unknown',
  'skipped',
  'monitored',
  'inactive',
  'no answer',
  'failed',
  'own time',
  'slowest',
] as const;
/** Shown where policies answer with results of earlier calls. */
const MISSED_COLUMN = TITLES.indexOf('no answer');

/** The figures of the decision log, for people. Ends with a line break. */
export function tallyText(tally: Tally, unreadable: number, paint: Paint): string {
  const lines: string[] = [];
  const idle = tally.policies.filter(isIdle);
  const active = tally.policies.filter((policy) => !idle.includes(policy));
  if (active.length > 0) {
    const rows = active.map((policy) => [
      printable(policy.id),
      grouped(policy.matched),
      grouped(policy.unknown),
      grouped(policy.skipped),
      grouped(policy.monitored),
      grouped(policy.inactive),
      grouped(policy.missed),
      policy.failed === 0 ? '0' : paint.red(grouped(policy.failed)),
      policy.measured === 0 ? '-' : duration(policy.ownUs / policy.measured),
      policy.measured === 0 ? '-' : duration(policy.maxOwnUs),
    ]);
    const table = [TITLES, ...rows];
    const isMissed = rows.some((row) => row[MISSED_COLUMN] !== '0');
    const shown = isMissed ? table : table.map((row) => row.toSpliced(MISSED_COLUMN, 1));
    lines.push(...tableLines(shown, paint), '');
  }
  if (idle.length > 0)
    lines.push(`${countOf(idle.length, 'policy')} of packs never matched (--json lists them)`, '');
  lines.push(...wrapText(summaryOf(tally), paint.columns ?? Number.POSITIVE_INFINITY));
  if (unreadable > 0) {
    const verb = unreadable === 1 ? 'does' : 'do';
    lines.push(`${countOf(unreadable, 'line')} of the log cannot be read and ${verb} not count`);
  }
  return `${lines.join('\n')}\n`;
}

/** True for a policy that comes with this program, and was only passed over or measured. */
function isIdle(policy: PolicyTally): boolean {
  const { id, matched, unknown, monitored, inactive, unasked, excepted, missed, failed } = policy;
  const acted = matched + unknown + monitored + inactive + unasked + excepted + missed + failed;
  return acted === 0 && BUILTIN_PACKS.names.includes(id.split('/')[0] ?? '');
}

/** A line for each policy. Where the terminal is too narrow, its name has a line of its own, and columns of zeros are gone; where even that is too wide, numbers are running text. */
function tableLines([plain = [], ...rows]: readonly (readonly string[])[], paint: Paint): readonly string[] {
  const titles = plain.map(paint.dim);
  const numbers = [...plain.keys()].slice(1);
  const wide = alignColumns([titles, ...rows], { right: numbers });
  const { columns = Number.POSITIVE_INFINITY } = paint;
  if (wide.every((line) => displayWidth(line) <= columns)) return wide;
  const kept = numbers.filter((column) => rows.some((row) => !['0', '-'].includes(row[column] ?? '')));
  const numbersOf = (row: readonly string[]) => kept.map((column) => row[column] ?? '');
  const [head = '', ...below] = alignColumns(
    [[titles[0] ?? '', ...numbersOf(titles)], ...rows.map((row) => ['', ...numbersOf(row)])],
    { right: numbers },
  );
  const folded = [head, ...rows.flatMap(([id = ''], index) => [id, below[index] ?? ''])];
  if ([head, ...below].every((line) => displayWidth(line) <= columns)) return folded;
  return rows.flatMap((row) => {
    const words = kept.map((column) => `${row[column]} ${plain[column]}`).join(', ');
    return [row[0] ?? '', ...wrapText(`  ${words}`, columns, '  ')];
  });
}

/** The same as data: `policy report --json`. Times are microseconds. */
export function tallyJson(tally: Tally, unreadable: number): JsonObject {
  return {
    decisions: tally.decisions,
    failed: tally.failed,
    total_us: tally.totalUs,
    first: tally.first ?? null,
    last: tally.last ?? null,
    unreadable_lines: unreadable,
    actions: Object.fromEntries(ACTIONS.map((action) => [action, tally.actions[action] ?? 0])),
    policies: tally.policies.map(({ totalUs, ownUs, maxOwnUs, measured, ...counts }) => ({
      ...counts,
      total_us: totalUs,
      mean_us: counts.decisions === 0 ? 0 : Math.round(totalUs / counts.decisions),
      measured,
      own_us: ownUs,
      max_own_us: maxOwnUs,
    })),
  };
}

function summaryOf(tally: Tally): string {
  if (tally.decisions === 0) return 'No decisions in the log: policy doctor says whether your agents ask';
  const actions = ACTIONS.flatMap((action) => {
    const count = tally.actions[action];
    return count === undefined ? [] : [`${grouped(count)} ${action}`];
  });
  const failed = tally.failed === 0 ? 'none failed' : `${grouped(tally.failed)} failed`;
  const mean = duration(tally.totalUs / tally.decisions);
  return `${countOf(tally.decisions, 'decision')} from ${tally.first} to ${tally.last}: ${actions.join(', ')}; ${failed}; ${mean} on average`;
}
