import { ANALYSES } from '../../../language/keys/analyses.ts';
import { missText } from '../../../language/keys/miss-text.ts';
import { suspicionsOf } from '../../../language/keys/suspicious-text/match.ts';
import type { Decision } from '../../../model/decision.ts';
import type { Event } from '../../../model/event.ts';
import type { Miss } from '../../../model/miss.ts';
import { alignColumns } from '../layout/columns.ts';
import { printable } from '../layout/printable.ts';
import { duration } from '../layout/quantity.ts';
import { describeReading } from './describe-reading.ts';
import {
  type ConsideredPolicy,
  considered,
  type Explanation,
  nearestFirst,
  type PolicyResult,
} from './explanation.ts';
import {
  callOf,
  canaryText,
  changeLines,
  type ExplanationTextOptions,
  keysText,
  labelled,
  rewrittenLines,
  rulesLines,
} from './explanation-parts.ts';

/** All that is known of a decision, below its verdict: places, every policy with its time, the answer as it is sent. */
export function explanationDetails(
  explanation: Explanation,
  options: ExplanationTextOptions,
): readonly string[] {
  const { event, outcome, answered, asks, readings, durationUs } = explanation;
  const policies = considered(outcome, asks);
  const group = (label: string, ...fates: readonly PolicyResult[]) =>
    labelled(label, policyLines(policies, fates, options), options);
  const none = policies.length === 0 ? ['no policy is for this event'] : [];
  return [
    ...labelled('call', [callOf(explanation, options)], options),
    ...labelled('reads as', readings.flatMap((each) => describeReading(each)).map(printable), options),
    ...labelled('suspicious', suspiciousLines(event), options),
    ...group('asked', 'asked'),
    ...group('matched', 'matched'),
    ...group('unknown', 'unknown', 'skipped'),
    ...group('monitored', 'monitored'),
    ...group('inactive', 'inactive'),
    ...group('excepted', 'excepted'),
    ...group('no answer', 'missed'),
    ...group('not asked', 'unasked'),
    ...labelled(
      'no match',
      [...policyLines(nearestFirst(policies), ['no_match'], options), ...none],
      options,
    ),
    ...labelled('rewritten', rewrittenLines(outcome), options),
    ...changeLines(event, answered, options),
    ...labelled('before', explanation.before ?? [], options),
    ...labelled('rules say', rulesLines(explanation), options),
    ...labelled('reason', reasonLines(outcome.decision), options),
    ...labelled('fitted', asks.length > 0 ? [] : fittedLines(outcome.decision, answered, event), options),
    ...labelled('answers', [answerOf(explanation)], options),
    ...labelled('took', [duration(durationUs)], options),
  ];
}

/** Why the call may differ from its looks, here or anywhere. */
export function suspiciousLines({ tool }: Event): readonly string[] {
  const found = tool === undefined ? [] : suspicionsOf(tool);
  return found.length === 0 ? [] : [`${found.join(', ')}: it may look different from what it is`];
}

function policyLines(
  policies: readonly ConsideredPolicy[],
  fates: readonly PolicyResult[],
  { paint }: ExplanationTextOptions,
): readonly string[] {
  const rows = policies
    .filter(({ fate }) => fates.includes(fate))
    .map((item) => [
      printable(item.trace.rule.id),
      item.trace.rule.judge === undefined ? item.trace.rule.action : 'asks a judge',
      whyOf(item),
      paint.dim(duration(item.trace.durationUs)),
    ]);
  // Columns help only where a line has room for them.
  return paint.columns === undefined ? alignColumns(rows) : rows.map((row) => row.join('  '));
}

function whyOf({ trace, fate }: ConsideredPolicy): string {
  const { rule, miss } = trace;
  switch (fate) {
    case 'matched':
    case 'asked':
    case 'monitored':
      return `${keysText(rule)}${canaryText(trace)}`;
    case 'inactive':
      return `${keysText(rule)}; has no effect until "policy trust"`;
    case 'unasked':
      return `${keysText(rule)}; its judge is not asked`;
    case 'excepted':
      return `${keysText(rule)}; an exception excludes this call`;
    case 'missed':
      return `${keysText(rule)}; it has no earlier result to answer with`;
    case 'unknown':
      return `${rule.broken ?? unknownCause(miss)}; counts as a match${canaryText(trace)}`;
    case 'skipped':
      return `${unknownCause(miss)}; passed over`;
    case 'no_match':
      return miss === undefined ? '' : printable(missText(miss));
  }
}

function reasonLines({ reason, feedback }: Decision): readonly string[] {
  return [reason, feedback].flatMap((text) => (text === undefined ? [] : [printable(text)]));
}

function fittedLines(decided: Decision, answered: Decision, event: Event): readonly string[] {
  if (decided.action === answered.action) return [];
  return [`${answered.action}, because ${event.host} cannot do "${decided.action}" on ${event.kind}`];
}

function answerOf({ host, noHost = NO_AGENT, asks, reply }: Explanation): string {
  if (host === undefined || reply === undefined) return noHost;
  const outputs = [
    printable(reply.stdout.trim()),
    reply.stderr.trim() === '' ? '' : `stderr ${printable(reply.stderr.trim())}`,
  ].filter((part) => part !== '');
  const when = asks.length === 0 ? '' : 'as the verdict says; without one ';
  return `${when}${host}: exit ${reply.exitCode}, ${outputs.length === 0 ? 'says nothing' : outputs.join(', ')}`;
}

/** The line for a machine on which no agent is known whose answer could be shown. */
export const NO_AGENT = 'no agent is found here; --host NAME shows what one would get';

/** In words why a key of a policy said unknown. */
function unknownCause(miss: Miss | undefined): string {
  const key = miss?.path[0];
  if (key === undefined) return 'a key is unknown';
  return `${key}: ${ANALYSES.get(String(key))?.unknownCause ?? 'it is unknown'}`;
}
