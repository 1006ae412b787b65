import { type FactOutcome, factName, type HidingReason, type PastCall } from '../../../model/history.ts';
import type { CountedCall, CountedCalls } from './counted-calls.ts';
import { happened } from './happened.ts';
import type { HistorySpec } from './spec.ts';

/** The reasons why an earlier call does not count, each with its remedy. */
export const HIDING_TEXTS: Readonly<Record<HidingReason, string>> = {
  pipe: 'a pipe hid its result: run it alone or with `set -o pipefail`',
  or: '`||` hid its result: run it alone',
  sequence: 'a later command hid its result: run it alone or join them with `&&`',
  condition: 'it ran in a condition, a loop or a branch: run it alone',
  background: 'it ran in the background: run it in the foreground',
  negation: '`!` inverted its result: run it alone',
  exit: 'the script may have ended before it: run it alone',
  wrapper: 'the program that ran it hid its result: run it alone',
  dry_run: 'it was a dry run, asked for help, or may have left out a part: run all of it',
  elsewhere: 'it ran in another folder: run it where this call runs',
  machine: 'it ran on another machine, in a container or by another tool: run it here, in your own shell',
  code: 'a variable, a setting or the path of its program may have chosen other code: run it without that',
  interrupted: 'it was interrupted: run it again',
};

const MAX_SHOWN = 4;

/** The latest earlier calls that a policy looked at, for people: `delivery/tested at 18:03:11: succeeded`. */
export function pastTexts(spec: HistorySpec, { counted, unknown }: CountedCalls): readonly string[] {
  const name = factName(spec.of.fact);
  const shown = counted.slice(-MAX_SHOWN).map((each) => pastText(spec.of.fact, each, spec.of.outcome));
  const left = counted.length - shown.length;
  return [
    ...(left === 0 ? [] : [`${left} earlier ones of ${name}`]),
    ...shown,
    ...(unknown === undefined ? [] : [`perhaps more: ${unknown}`]),
  ];
}

function pastText(name: string, { call, truth }: CountedCall, wanted: FactOutcome): string {
  const doubt = happened(call, wanted) === true ? 'perhaps about something else' : `perhaps not ${wanted}`;
  const why = call.hiddenBy === undefined ? doubt : HIDING_TEXTS[call.hiddenBy];
  return `${momentText(name, call)}${truth === true ? '' : `, ${why}`}`;
}

/** An earlier call of a fact with its time and its fate. */
export function momentText(fact: string, call: PastCall): string {
  return `${factName(fact)} at ${new Date(call.startedMs).toISOString().slice(11, 19)}: ${stateOf(call)}`;
}

function stateOf({ refused, result }: PastCall): string {
  if (refused) return 'refused';
  if (result === 'open') return 'passed, no result yet';
  return result === 'unknown' ? 'done, result unknown' : result;
}
