import type { Explanation } from '../../report/explanation/explanation.ts';
import { explanationJson } from '../../report/explanation/explanation-json.ts';
import { explanationText } from '../../report/explanation/explanation-text.ts';
import { alignColumns } from '../../report/layout/columns.ts';
import { printable } from '../../report/layout/printable.ts';
import { countOf } from '../../report/layout/quantity.ts';
import type { Io } from '../io.ts';
import { paintFor, printJson } from '../print.ts';

/** A call before the one that is explained. */
export interface EarlierStep {
  readonly label: string;
  readonly action: string;
  readonly policy: string | undefined;
  /** Its end; undefined if that is not known, or it was refused. */
  readonly outcome: string | undefined;
  /** The earlier calls that policies went by. */
  readonly before: readonly string[];
}

/** Calls in order, the last of which is explained. */
export interface JudgedSteps {
  readonly earlier: readonly EarlierStep[];
  readonly explanation: Explanation;
}

/** So many earlier calls are shown without -v. */
const MAX_SHOWN = 20;

export function nowUs(): number {
  return performance.now() * 1_000;
}

export function printJudgedSteps(
  { earlier, explanation }: JudgedSteps,
  { json, verbose }: { readonly json: boolean; readonly verbose: boolean },
  io: Io,
): void {
  if (json) {
    const steps = earlier.map(({ label, action, policy, outcome, before }) => ({
      call: label,
      action,
      policy: policy ?? null,
      outcome: outcome ?? null,
      before,
    }));
    printJson(io.stdout, { steps, ...explanationJson(explanation) });
    return;
  }
  const paint = paintFor(io.stdout, io.env);
  const left = verbose ? 0 : Math.max(0, earlier.length - MAX_SHOWN);
  const shown = earlier.slice(left);
  const rows = shown.map(({ label, action, policy, outcome }, index) => [
    paint.dim(`${left + index + 1}`),
    printable(label),
    policy === undefined ? action : `${action} by ${printable(policy)}`,
    outcome ?? '',
  ]);
  const lines = alignColumns(rows).flatMap((line, index) => [
    line.trimEnd(),
    ...(shown[index]?.before ?? []).map((text) => paint.dim(`     before  ${printable(text)}`)),
  ]);
  const more = left === 0 ? [] : [`${countOf(left, 'earlier call')} (-v lists them)`];
  const text = [...more, ...lines].map((line) => `${line}\n`).join('');
  io.stdout.write(text + explanationText(explanation, { paint, verbose }));
}
