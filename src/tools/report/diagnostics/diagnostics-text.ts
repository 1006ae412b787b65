import { compareDiagnostics, type Diagnostic, type Severity } from '../../../model/diagnostic.ts';
import { displayWidth } from '../layout/display-width.ts';
import type { Paint } from '../layout/paint.ts';
import { printable } from '../layout/printable.ts';
import { countOf } from '../layout/quantity.ts';
import { excerptAt } from '../layout/source-text.ts';

/** The counts of checked files and policies, for the line at the end. */
export interface CheckedCounts {
  readonly files: number;
  readonly policies: number;
}

export interface DiagnosticsTextOptions {
  readonly paint: Paint;
  /** The text of a file, for the line to show; undefined if there is none. */
  readonly sourceOf: (file: string) => string | undefined;
}

/** The greatest and the least part of a long source line that is shown; on a terminal, as much as fits into one line. */
const MAX_EXCERPT_CHARS = 120;
const MIN_EXCERPT_CHARS = 20;
const MAX_TOPICS = 3;

/** Problems with position, source line, caret and hint, sorted, each as a block of lines without a line break at the end. */
export function diagnosticsText(
  diagnostics: readonly Diagnostic[],
  options: DiagnosticsTextOptions,
): string[] {
  return [...diagnostics].sort(compareDiagnostics).map((diagnostic) => blockOf(diagnostic, options));
}

/** `2 errors, 1 warning, 3 notes in 1 of 3 files`, or that there are none. */
export function summaryText(
  diagnostics: readonly Diagnostic[],
  checked: CheckedCounts,
  paint: Paint,
): string {
  const count = (wanted: Severity) => diagnostics.filter(({ severity }) => severity === wanted).length;
  const [errors, warnings, notes] = [count('error'), count('warning'), count('note')];
  const bad = new Set(diagnostics.map(({ position }) => position.file)).size;
  const where =
    bad < checked.files ? `in ${bad} of ${countOf(checked.files, 'file')}` : `in ${countOf(bad, 'file')}`;
  if (diagnostics.length === 0) {
    return `${paint.green('No problems')} in ${countOf(checked.policies, 'policy')} of ${countOf(checked.files, 'file')}`;
  }
  const parts = [
    errors === 0 ? '' : paint.red(countOf(errors, 'error')),
    warnings === 0 ? '' : paint.yellow(countOf(warnings, 'warning')),
    notes === 0 ? '' : countOf(notes, 'note'),
  ];
  return `${parts.filter((part) => part !== '').join(', ')} ${where}`;
}

/** The topics of the documentation that explain problems, the first few. */
export function topicsOf(diagnostics: readonly Diagnostic[]): readonly string[] {
  return [...new Set(diagnostics.map(({ code, topic }) => topic ?? code))].slice(0, MAX_TOPICS);
}

function blockOf(diagnostic: Diagnostic, { paint, sourceOf }: DiagnosticsTextOptions): string {
  const { position, severity, code, message, hint } = diagnostic;
  const place = `${position.file}:${position.line}:${position.column}`;
  const label = labelOf(severity, paint);
  const title = `${paint.bold(printable(place))} ${label} ${code}  ${printable(message)}`;
  const source = sourceOf(position.file);
  const line = source === undefined ? '' : excerptAt(source, position.line);
  const shownHint = hint === undefined ? '' : printable(hint);
  if (line.trim() === '') return shownHint === '' ? title : `${title}\n    ${shownHint}`;

  const number = String(position.line);
  const margin = ' '.repeat(number.length);
  // Behind the number and its bar, between two ellipses.
  const room = (paint.columns ?? Number.POSITIVE_INFINITY) - number.length - 7;
  const maxChars = Math.max(MIN_EXCERPT_CHARS, Math.min(MAX_EXCERPT_CHARS, room));
  const { before, culprit, after } = excerpt(line, position.column, position.length, maxChars);
  const caret = paint.cyan('^'.repeat(Math.max(1, displayWidth(culprit))));
  const pointer = `${' '.repeat(displayWidth(before))}${caret}${shownHint === '' ? '' : ` ${shownHint}`}`;
  return [
    title,
    `  ${paint.dim(`${number} |`)} ${before}${culprit}${after}`.trimEnd(),
    `  ${paint.dim(`${margin} |`)} ${pointer}`,
  ].join('\n');
}

function labelOf(severity: Severity, paint: Paint): string {
  switch (severity) {
    case 'error':
      return paint.red('error');
    case 'warning':
      return paint.yellow('warning');
    case 'note':
      return paint.cyan('note');
    default:
      return severity satisfies never;
  }
}

/** The line around the culprit, safe to print. Tabs become one space, so that the caret is below the culprit. */
function excerpt(
  line: string,
  column: number,
  length: number,
  maxChars: number,
): { before: string; culprit: string; after: string } {
  const start = Math.min(column - 1, line.length);
  const lead = Math.floor(maxChars / 2);
  const from = start > lead && line.length > maxChars ? start - lead : 0;
  const to = Math.min(line.length, from + maxChars);
  const end = Math.min(start + length, to);
  const show = (text: string) => printable(text.replaceAll('\t', ' '));
  return {
    before: `${from > 0 ? '…' : ''}${show(line.slice(from, start))}`,
    culprit: show(line.slice(start, end)),
    after: `${show(line.slice(end, to))}${to < line.length ? '…' : ''}`,
  };
}
