import type { DecisionRecord } from '../../../hook/audit/record.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { type Action, prevents } from '../../../model/action.ts';
import { describeCall } from '../../log/count-calls.ts';
import type { Verification } from '../../log/verify.ts';
import { displayWidth } from '../layout/display-width.ts';
import type { Paint } from '../layout/paint.ts';
import { printable, printableCut } from '../layout/printable.ts';
import { countOf, duration } from '../layout/quantity.ts';
import { wrapText } from '../layout/wrap-text.ts';

/** The least width of time, action, agent, policy and code or id: lines that come later must be aligned with those that are there. */
const WIDTHS = [20, 8, 8, 30, 8] as const;
const MAX_TEXT_CHARS = 2_048;
/** The columns of a refused call, in the same line as the policy that refused it. */
const MIN_CALL_COLUMNS = 24;
const INDENT = '    ';

/** A decision for people in one line; with `verbose` also its messages and policies. Fits a terminal by cutting the call. */
export function recordText(record: DecisionRecord, verbose: boolean, paint: Paint): string {
  const { columns = Number.POSITIVE_INFINITY } = paint;
  const by = record.failed === undefined ? record.policy : (record.policy ?? 'a failure');
  const isTerminal = paint.columns !== undefined;
  const time = printable(record.time);
  const cells = [
    paint.dim(isTerminal ? time.replace('T', ' ').replace(/\.\d+Z$/, 'Z') : time),
    actionWord(record.action, paint),
    printable(record.host),
    printable(by ?? '-'),
    isTerminal ? paint.bold(record.code ?? '') : paint.dim(printable(record.decision_id)),
  ];
  const mark = markOf(record, paint);
  const call = describeCall(record);
  const aligned = `${mark}${cells.map((cell, index) => pad(cell, WIDTHS[index] ?? 0)).join('  ')}  `;
  const room = columns - displayWidth(aligned);
  const short = `${mark}${cells.filter((cell) => cell !== '' && cell !== '-').join('  ')}`;
  const both = `${short}  ${printable(call)}`;
  const lines =
    room >= MIN_CALL_COLUMNS
      ? [`${aligned}${printableCut(call, room)}`]
      : displayWidth(both) <= columns
        ? [both]
        : [...wrapText(short, columns, INDENT), `${INDENT}${printableCut(call, columns - INDENT.length)}`];
  const details = verbose ? detailsOf(record).flatMap((line) => wrapText(line, columns, DETAIL_INDENT)) : [];
  return [...lines, ...details].map((each) => `${each.trimEnd()}\n`).join('');
}

const DETAIL_INDENT = ' '.repeat(12);

function markOf({ action, failed }: DecisionRecord, { marks }: Paint): string {
  if (action === 'ask') return marks.unknown;
  return failed !== undefined || prevents(action) ? marks.bad : marks.good;
}

function detailsOf({
  decision_id,
  command,
  tool,
  duration_us,
  reason,
  before = [],
  failed,
  allowed,
  policies,
  skipped,
  session,
  call_id,
  call_digest,
  code,
}: DecisionRecord): readonly string[] {
  const others = [...policies.map(({ id, how }) => `${id} ${how}`), ...skipped.map((id) => `${id} skipped`)];
  return [
    ['decision', decision_id],
    ['took', duration(duration_us)],
    ['command', command],
    ['tool', tool],
    ['call', call_id],
    ['digest', call_digest],
    ['session', session],
    ['reason', reason],
    ...before.map((text) => ['before', text] as const),
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

/** The result of a log's verification, for people. Ends with a line break. */
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
    lines,
    uncovered,
    head: head ?? null,
    findings: findings.map(({ file, line, problem }) => ({ file, line: line ?? null, problem })),
  };
}
