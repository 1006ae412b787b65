import type { DecisionRecord } from '../../hook/audit/record.ts';
import type { Verification } from '../../hook/audit/verify.ts';
import type { JsonObject } from '../../lib/json.ts';
import { type Action, prevents } from '../../model/action.ts';
import { displayWidth } from './display-width.ts';
import type { Paint } from './paint.ts';
import { printable, printableCut } from './printable.ts';
import { countOf, duration } from './quantity.ts';

/** Version of the JSON shape of a verification; grows when a key changes its meaning or goes away. */
const VERSION = 1;
/** The least width of each column: lines that come later must be below those that are there. */
const WIDTHS = [24, 8, 8, 18, 8, 30] as const;
const MAX_TEXT_CHARS = 2_048;

/** One decision for people: a line, and with `verbose` what was said and what took part. Ends with a line break. */
export function recordText(record: DecisionRecord, verbose: boolean, paint: Paint): string {
  const by = record.failed === undefined ? record.policy : (record.policy ?? 'a failure');
  const cells = [
    paint.dim(printable(record.time)),
    actionWord(record.action, paint),
    printable(record.host),
    printable(record.tool ?? record.event ?? '-'),
    duration(record.duration_us),
    printable(by ?? '-'),
    paint.dim(printable(record.decision_id)),
  ];
  const padded = cells.map((cell, index) => pad(cell, WIDTHS[index] ?? 0));
  const line = padded.join('  ').trimEnd();
  const isWide = displayWidth(line) > (paint.columns ?? Number.POSITIVE_INFINITY);
  const lines = isWide ? [padded.slice(0, -2).join('  '), `  ${padded.slice(-2).join('  ')}`] : [line];
  const { command } = record;
  if (command !== undefined && !verbose) lines.push(`  ${printableCut(command, (paint.columns ?? 160) - 2)}`);
  return [...lines, ...(verbose ? detailsOf(record) : [])].map((each) => `${each.trimEnd()}\n`).join('');
}

function detailsOf({
  reason,
  failed,
  code,
  allowed,
  policies,
  skipped,
  session,
  command,
  call_id,
  call_digest,
}: DecisionRecord): readonly string[] {
  const others = [...policies.map(({ id, how }) => `${id} ${how}`), ...skipped.map((id) => `${id} skipped`)];
  return [
    ['command', command],
    ['call', call_id],
    ['digest', call_digest],
    ['session', session],
    ['reason', reason],
    ['failed', failed],
    ['code', code],
    ['allowed', allowed],
    ['policies', others.length === 0 ? undefined : others.join(', ')],
  ].flatMap(([title, text]) =>
    text === undefined ? [] : [`  ${pad(title ?? '', 8)}  ${printableCut(text, MAX_TEXT_CHARS)}`],
  );
}

function pad(cell: string, width: number): string {
  return cell + ' '.repeat(Math.max(0, width - displayWidth(cell)));
}

function actionWord(action: Action, paint: Paint): string {
  return prevents(action) ? paint.red(printable(action)) : printable(action);
}

/** What the log says about itself, for people. Ends with a line break. */
export function verificationText({ findings, lines, uncovered, head }: Verification, paint: Paint): string {
  const found = findings.map(
    ({ file, line, problem }) =>
      `${paint.bold(line === undefined ? file : `${file}:${line}`)} ${paint.red('error')} ${problem}`,
  );
  const left = uncovered === 0 ? '' : `; nothing vouches for ${countOf(uncovered, 'line')} of them`;
  const whole =
    findings.length === 0
      ? `${countOf(lines, 'line')}, ${paint.green('as they were written')}${left}`
      : `${countOf(lines, 'line')}, ${paint.red(countOf(findings.length, 'error'))}${left}`;
  const last = head === undefined ? [] : [`The digest of the last line is ${head}`];
  return [...found, whole, ...last].map((line) => `${line}\n`).join('');
}

/** The same as data. */
export function verificationJson({ findings, lines, uncovered, head }: Verification): JsonObject {
  return {
    version: VERSION,
    lines,
    uncovered,
    head: head ?? null,
    findings: findings.map(({ file, line, problem }) => ({ file, line: line ?? null, problem })),
  };
}
