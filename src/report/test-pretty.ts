import type { CaseResult, SuiteCounts } from '../suite/case-result.ts';
import { displayWidth } from './display-width.ts';
import type { Paint } from './paint.ts';
import { printable } from './printable.ts';
import { countOf, duration, grouped } from './quantity.ts';

/** The line of one suite: `policies/git-safety     14 passed`. */
export function suiteLine(name: string, counts: SuiteCounts, width: number, paint: Paint): string {
  const shown = printable(name);
  return `${shown}${' '.repeat(Math.max(2, width - displayWidth(shown) + 2))}${countsText(counts, paint)}`;
}

/** `212 passed, 1 failed, 2 skipped`; zeros are left out. */
export function countsText(counts: Omit<SuiteCounts, 'durationUs'>, paint: Paint): string {
  const { passed, failed, skipped, broken } = counts;
  const parts = [
    failed + broken > 0 ? `${grouped(passed)} passed` : paint.green(`${grouped(passed)} passed`),
    failed === 0 ? '' : paint.red(`${grouped(failed)} failed`),
    skipped === 0 ? '' : paint.yellow(`${grouped(skipped)} skipped`),
    broken === 0 ? '' : paint.red(`${countOf(broken, 'broken test file')}`),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** The last line of a run. */
export function totalLine(counts: SuiteCounts, coverage: string | undefined, paint: Paint): string {
  return [countsText(counts, paint), coverage ?? '', paint.dim(duration(counts.durationUs))]
    .filter((part) => part !== '')
    .join('   ');
}

/** The line of a skipped case, with its reason. */
export function skippedLine({ name, position, status }: CaseResult, paint: Paint): string {
  const reason = status.type === 'skipped' ? status.reason : '';
  return `  ${printable(position.file)}:${position.line}:${position.column}  ${paint.yellow('skipped')} "${printable(name)}": ${printable(reason)}`;
}
