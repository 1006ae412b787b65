import { missText } from '../../../language/keys/miss-text.ts';
import type { Json } from '../../../lib/json.ts';
import { type Action, prevents } from '../../../model/action.ts';
import type { Decision } from '../../../model/decision.ts';
import { displayWidth } from '../layout/display-width.ts';
import { printable, printableCut } from '../layout/printable.ts';
import { countOf } from '../layout/quantity.ts';
import { wrapText } from '../layout/wrap-text.ts';
import { describeReading } from './describe-reading.ts';
import {
  type ConsideredPolicy,
  considered,
  type Explanation,
  nearestFirst,
  type PolicyResult,
} from './explanation.ts';
import { explanationDetails, NO_AGENT, suspiciousLines } from './explanation-details.ts';
import {
  callOf,
  canaryText,
  changeLines,
  type ExplanationTextOptions,
  keysText,
  labelled,
  rewrittenLines,
  rulesLines,
  TEXT_COLUMN,
  verdictLine,
} from './explanation-parts.ts';
import { EMPTY_REASON, splitReason } from './split-reason.ts';
import { unknownParts } from './unknown-parts.ts';

const MAX_READING_LINES = 6;
const MAX_IDS = 3;
/** Of a line where nobody reads along. */
const USUAL_COLUMNS = 140;
const MIN_TEXT_COLUMNS = 20;

/** The verdict, why, what to do, the reading, and counts of the other policies: one screen, with a final line break. */
export function explanationText(explanation: Explanation, options: ExplanationTextOptions): string {
  const { paint, verbose } = options;
  const verdict = wrapText(verdictLine(explanation, paint), paint.columns ?? Number.POSITIVE_INFINITY, '  ');
  const lines = [...verdict, ...(verbose ? explanationDetails : overview)(explanation, options)];
  return `${lines.join('\n')}\n`;
}

function overview(explanation: Explanation, options: ExplanationTextOptions): readonly string[] {
  const { event, readings, outcome, asks, answered } = explanation;
  const policies = considered(outcome, asks);
  const line = (label: string, lines: readonly (string | undefined)[]) =>
    labelled(
      label,
      lines.filter((each) => each !== undefined),
      options,
    );
  const { because, instead, others } =
    asks.length > 0 ? EMPTY_REASON : splitReason(answered.reason ?? answered.feedback, answered.policyId);
  const reading = readingLines(explanation, options);
  return [
    ...line('because', [because]),
    ...line('instead', [instead]),
    ...line('and', others),
    ...line('call', reading.length > 0 ? [] : [callOf(explanation, options)]),
    ...line('reads as', reading),
    ...line('suspicious', suspiciousLines(event)),
    ...line('rewritten', rewrittenLines(outcome)),
    ...changeLines(event, answered, options),
    ...line('asked', whyLines(policies, 'asked', undefined)),
    ...line('matched', whyLines(policies, 'matched', answered.policyId)),
    ...line('before', explanation.before ?? []),
    ...line('rules say', rulesLines(explanation)),
    ...line('unknown', [unknownParts(policies, readings)]),
    ...line('monitored', [idsOf(policies, 'monitored', 'without effect')]),
    ...line('inactive', [idsOf(policies, 'inactive', 'no effect until "policy trust"')]),
    ...line('no answer', [idsOf(policies, 'missed', 'it has no earlier result to answer with')]),
    ...line('excepted', [idsOf(policies, 'excepted', 'an exception excludes this call')]),
    ...line('not asked', [idsOf(policies, 'unasked', 'its judge is not asked')]),
    ...line('nearest', [nearestMiss(nearestFirst(policies), answered.action)]),
    ...line('others', [otherPolicies(policies)]),
    ...line('tells', textsOf(answered)),
    ...line('policy', [fittedOf(explanation)]),
    ...line('answer', [answerOf(explanation)]),
  ];
}

/** The commands that the call would run, as a tree that is cut to the terminal. */
function readingLines({ readings }: Explanation, { paint }: ExplanationTextOptions): readonly string[] {
  const room = Math.max(MIN_TEXT_COLUMNS, (paint.columns ?? USUAL_COLUMNS) - TEXT_COLUMN);
  const lines = readings.flatMap((each) => describeReading(each, { places: false }));
  const shown = lines.slice(0, lines.length > MAX_READING_LINES ? MAX_READING_LINES - 1 : undefined);
  const left = lines.length - shown.length;
  const more = left === 0 ? [] : [paint.dim(`and ${countOf(left, 'more line')} (-v shows them)`)];
  return [...shown.map((each) => printableCut(each, room)), ...more].filter((each) => displayWidth(each) > 0);
}

/** Why policies took part: the one that decides first, with its keys; the others with their actions. */
function whyLines(policies: readonly ConsideredPolicy[], fate: PolicyResult, deciding: string | undefined) {
  const found = policies.filter((each) => each.fate === fate);
  const first =
    found.find(({ trace }) => trace.rule.id === deciding) ?? (fate === 'asked' ? found[0] : undefined);
  const others = found.filter((each) => each !== first);
  const also = others
    .slice(0, MAX_IDS)
    .map(
      ({ trace: { rule } }) =>
        `${printable(rule.id)} (${rule.judge === undefined ? rule.action : 'asks a judge'})`,
    );
  const left = others.length - also.length;
  if (left > 0) also.push(`${left} more (-v lists them)`);
  const lines = first === undefined ? [] : [`${keysText(first.trace.rule)}${canaryText(first.trace)}`];
  return also.length === 0 ? lines : [...lines, `${lines.length === 0 ? '' : 'also '}${also.join(', ')}`];
}

function idsOf(policies: readonly ConsideredPolicy[], fate: PolicyResult, why: string): string | undefined {
  const found = policies.filter((each) => each.fate === fate);
  if (found.length === 0) return undefined;
  const shown = found.slice(0, MAX_IDS).map(({ trace }) => printable(trace.rule.id));
  const left = found.length - shown.length;
  const canary = found.map(({ trace }) => canaryText(trace)).find((text) => text !== '') ?? '';
  return `${[...shown, ...(left === 0 ? [] : [`${left} more`])].join(', ')}: ${why}${canary}`;
}

function otherPolicies(policies: readonly ConsideredPolicy[]): string | undefined {
  if (policies.length === 0) return 'no policy is for this event';
  const left = policies.filter(({ fate }) => fate === 'no_match').length;
  return left === 0 ? undefined : `${countOf(left, 'policy')} did not match (-v lists them)`;
}

/** The messages to the user and the model beside the decision. */
function textsOf({ messages, contexts }: Decision): readonly string[] {
  return [
    ...messages.map((text) => `the user: ${printable(text)}`),
    ...contexts.map((text) => `the model: ${printable(text)}`),
  ];
}

/** The action that was asked for and that the host cannot do. */
function fittedOf({ host, event, asks, outcome, answered }: Explanation): string | undefined {
  const { action } = outcome.decision;
  if (asks.length > 0 || action === answered.action) return undefined;
  return `says "${action}", which ${host ?? 'the agent'} cannot do on ${event.kind}`;
}

function answerOf({ host, noHost = NO_AGENT, asks, reply, answered }: Explanation): string {
  if (host === undefined || reply === undefined) return noHost;
  const { action, reason } = answered;
  const gets = `gets ${action}${reason === undefined ? '' : ' with this reason'}`;
  const does = action === 'continue' ? 'goes on by its own rules' : gets;
  const when = asks.length === 0 ? '' : 'as the verdict says; without one ';
  return `${when}${host} ${does} (exit ${reply.exitCode})`;
}

const MAX_CHARS = 160;

/**
 * Of a call that passes, the policy of people here that came nearest to matching, and why it did not, for whoever wonders;
 * undefined if there is none that can be said in words.
 *
 * @param others those that did not match, nearest first
 */
function nearestMiss(others: readonly ConsideredPolicy[], action: Action): string | undefined {
  const [nearest] = others;
  if (nearest === undefined || prevents(action)) return undefined;
  const { rule, miss } = nearest.trace;
  if (rule.layer === 'builtin' || miss === undefined || !isPlain(miss.wanted)) return undefined;
  return printableCut(`${rule.id}: ${missText(miss)}`, MAX_CHARS);
}

function isPlain(wanted: Json): boolean {
  return (
    typeof wanted !== 'object' || (Array.isArray(wanted) && wanted.every((each) => typeof each === 'string'))
  );
}
