import type { JsonObject } from '../../lib/json.ts';
import { type Action, prevents } from '../../model/action.ts';
import type { Sample } from '../compare/sample.ts';
import type { Verdict } from '../compare/verdict.ts';
import { alignColumns } from './columns.ts';
import type { Paint } from './paint.ts';
import { printable } from './printable.ts';

/** A message of a transcript and what is decided about it. */
export interface JudgedMessage {
  readonly sample: Pick<Sample, 'label' | 'place'>;
  readonly verdict: Verdict;
}

/** What is decided about each message, a line each. Ends with a line break; empty if there are none. */
export function transcriptText(messages: readonly JudgedMessage[], paint: Paint): string {
  const rows = messages.map(({ sample, verdict }) => [
    paint.dim(printable(sample.place)),
    actionWord(verdict.action, paint),
    printable(sample.label),
    verdict.policy === undefined ? '' : printable(`by ${verdict.policy}`),
  ]);
  return alignColumns(rows)
    .map((line) => `${line}\n`)
    .join('');
}

function actionWord(action: Action, paint: Paint): string {
  return prevents(action) ? paint.red(action) : action;
}

/** The same as data. */
export function transcriptJson(messages: readonly JudgedMessage[]): readonly JsonObject[] {
  return messages.map(({ sample, verdict }) => ({
    place: sample.place,
    call: sample.label,
    action: verdict.action,
    policy: verdict.policy ?? null,
  }));
}
