import { missText } from '../../language/keys/miss-text.ts';
import { suspicionsOf } from '../../language/keys/suspicious-text/match.ts';
import { isJsonObject, type Json } from '../../lib/json.ts';
import type { Action } from '../../model/action.ts';
import type { Decision } from '../../model/decision.ts';
import type { Event } from '../../model/event.ts';
import type { Outcome, RuleTrace } from '../../model/outcome.ts';
import type { Rule } from '../../model/policy.ts';
import { alignColumns } from './columns.ts';
import { describeReading } from './describe-reading.ts';
import { displayWidth } from './display-width.ts';
import { type Considered, considered, type Explanation, type Fate, nearestFirst } from './explanation.ts';
import type { Paint } from './paint.ts';
import { printable, printableCut } from './printable.ts';
import { countOf, duration } from './quantity.ts';
import { shownChanges, valueText } from './rewrite-changes.ts';
import { unknownCause } from './unknown-cause.ts';

export interface ExplanationTextOptions {
  readonly paint: Paint;
  /** True to list all policies that did not match, and to cut nothing. */
  readonly verbose: boolean;
}

const LABEL_WIDTH = 10;
const VERDICT_WIDTH = 86;
const MAX_VALUE_CHARS = 60;
const MAX_ANSWER_CHARS = 300;
const MAX_LISTED_ARGUMENTS = 4;
const MAX_READING_LINES = 12;
const MAX_MISSES = 3;

/** The verdict on top, then the reading of the call, the policies and the answer. Ends with a line break. */
export function explanationText(explanation: Explanation, options: ExplanationTextOptions): string {
  const { event, outcome, answered } = explanation;
  const { asks } = explanation;
  const policies = considered(outcome, asks);
  const lines = [
    verdictLine(explanation, options.paint),
    ...labelled('call', [callOf(event, options)], options),
    ...labelled('reads as', readingLines(explanation, options), options),
    ...labelled('suspicious', suspiciousLines(event), options),
    ...labelled('asked', policyLines(policies, ['asked'], options), options),
    ...labelled('matched', policyLines(policies, ['matched'], options), options),
    ...labelled('unknown', policyLines(policies, ['unknown', 'skipped'], options), options),
    ...labelled('monitored', policyLines(policies, ['monitored'], options), options),
    ...labelled('inactive', policyLines(policies, ['inactive'], options), options),
    ...labelled('excepted', policyLines(policies, ['excepted'], options), options),
    ...labelled('not asked', policyLines(policies, ['unasked'], options), options),
    ...labelled('no match', noMatchLines(policies, options), options),
    ...labelled('rewritten', rewrittenLines(outcome), options),
    ...changeLines(event, answered, options),
    ...labelled('rules say', rulesLines(explanation), options),
    ...labelled('reason', reasonLines(outcome.decision), options),
    ...labelled('fitted', asks.length > 0 ? [] : fittedLines(outcome.decision, answered, event), options),
    ...labelled('answers', [answerOf(explanation, options)], options),
  ];
  return `${lines.join('\n')}\n`;
}

function verdictLine({ outcome, asks, durationUs }: Explanation, paint: Paint): string {
  const { action, policyId } = outcome.decision;
  const ids = asks.length > 0 ? asks : [policyId].filter((id) => id !== undefined);
  const rules = [...outcome.hits, ...outcome.trace].map(({ rule }) => rule);
  const rule = ids.length === 1 ? rules.find(({ id }) => id === ids[0]) : undefined;
  const parts = [paint.bold(asks.length > 0 ? paint.yellow(asking(asks)) : colourOf(action, paint)(action))];
  if (ids.length > 0) parts.push(paint.bold(ids.map(printable).join(', ')));
  if (rule !== undefined) parts.push(paint.dim(`(${printable(placeOf(rule))})`));
  const verdict = parts.join('  ');
  const space = ' '.repeat(Math.max(2, VERDICT_WIDTH - displayWidth(verdict)));
  return `${verdict}${space}${paint.dim(duration(durationUs))}`;
}

function asking({ length }: readonly string[]): string {
  return length === 1 ? 'asks a judge' : `asks ${length} judges`;
}

/** What stands whatever the judges say. */
function rulesLines({ asks, outcome }: Explanation): readonly string[] {
  const { action, policyId } = outcome.decision;
  if (asks.length === 0 || policyId === undefined) return [];
  return [`${action}  ${printable(policyId)}`];
}

function colourOf(action: Action, paint: Paint): (text: string) => string {
  switch (action) {
    case 'hard_abort':
    case 'abort_turn':
    case 'deny':
      return paint.red;
    case 'ask':
    case 'retry_feedback':
    case 'respond':
    case 'modify':
      return paint.yellow;
    case 'approve':
    case 'continue':
      return paint.green;
  }
}

/** The first line carries the label, the others are below it. */
function labelled(
  label: string,
  lines: readonly string[],
  { paint }: ExplanationTextOptions,
): readonly string[] {
  return lines.map((line, index) =>
    `  ${paint.cyan((index === 0 ? label : '').padEnd(LABEL_WIDTH))} ${line}`.trimEnd(),
  );
}

function callOf(event: Event, { verbose }: ExplanationTextOptions): string {
  const maxChars = verbose ? Number.POSITIVE_INFINITY : MAX_VALUE_CHARS;
  if (event.tool === undefined) {
    const [first] = event.texts;
    const text = first === undefined ? '' : `  "${printableCut(first.text, maxChars)}"`;
    const more = event.texts.length > 1 ? ` and ${countOf(event.texts.length - 1, 'text')} more` : '';
    return `${event.kind}${text}${more}`;
  }
  const { name, classes, arguments: args } = event.tool;
  if (args === undefined) return `${classes.join(', ')} (${printable(name)})  arguments that cannot be read`;
  const entries = Object.entries(args);
  const shown = (verbose ? entries : entries.slice(0, MAX_LISTED_ARGUMENTS)).map(
    ([key, value]) => `${printable(key)} ${valueText(value, maxChars)}`,
  );
  const left = entries.length - shown.length;
  if (left > 0) shown.push(`and ${left} more`);
  return [`${classes.join(', ')} (${printable(name)})`, shown.join(' · ')]
    .filter((part) => part !== '')
    .join('  ');
}

/** Why the call may not be what it looks like, here or anywhere. */
function suspiciousLines({ tool }: Event): readonly string[] {
  const found = tool === undefined ? [] : suspicionsOf(tool);
  return found.length === 0 ? [] : [`${found.join(', ')}: it may read differently from what it is`];
}

/** What the commands of the call would run, as a tree. */
function readingLines(
  { readings }: Explanation,
  { verbose, paint }: ExplanationTextOptions,
): readonly string[] {
  const lines = readings.flatMap(describeReading).map(printable);
  if (verbose || lines.length <= MAX_READING_LINES) return lines;
  const left = lines.length - MAX_READING_LINES + 1;
  return [...lines.slice(0, -left), paint.dim(`and ${countOf(left, 'more line')} (-v shows them)`)];
}

function policyLines(
  policies: readonly Considered[],
  fates: readonly Fate[],
  options: ExplanationTextOptions,
): readonly string[] {
  const { paint } = options;
  const rows = policies
    .filter(({ fate }) => fates.includes(fate))
    .map((item) => [
      printable(item.trace.rule.id),
      item.trace.rule.judge === undefined ? item.trace.rule.action : 'asks a judge',
      whyOf(item),
      paint.dim(duration(item.trace.durationUs)),
    ]);
  return alignColumns(rows);
}

function whyOf({ trace, fate }: Considered): string {
  const { rule, miss } = trace;
  switch (fate) {
    case 'matched':
    case 'asked':
    case 'monitored':
      return `${keysOf(rule)}${canaryText(trace)}`;
    case 'inactive':
      return `${keysOf(rule)}; has no effect until "policy trust"`;
    case 'unasked':
      return `${keysOf(rule)}; its judge is not asked`;
    case 'excepted':
      return `${keysOf(rule)}; an exception takes this call out of it`;
    case 'unknown':
      return `${rule.broken ?? unknownCause(miss)}; counts as a match${canaryText(trace)}`;
    case 'skipped':
      return `${unknownCause(miss)}; passed over`;
    case 'no_match':
      return miss === undefined ? '' : printable(missText(miss));
  }
}

/** Why a canary is in force here or not. */
function canaryText({ rule, canary }: RuleTrace): string {
  if (canary === undefined || typeof rule.mode === 'string') return '';
  const { percent } = rule.mode.canary;
  const { by, isInForce, repository, place = 0 } = canary;
  const at = place.toFixed(1);
  const side = isInForce ? `in force: ${at} is below` : `only monitored: ${at} is not below`;
  switch (by) {
    case 'machine':
      return `; canary of ${percent} %, this machine is ${side} ${percent}`;
    case 'repository':
      return `; canary of ${percent} %, ${printable(repository ?? '')} is ${side} ${percent}`;
    case 'unknown':
      return `; canary of ${percent} %, in force: nobody knows the machine`;
    default:
      return by satisfies never;
  }
}

function placeOf({ position }: Rule): string {
  return `${position.file}:${position.line}`;
}

/** The keys of a policy that all held: `tool shell · arguments command`. */
function keysOf({ when }: Rule): string {
  const keys = Object.entries(when).map(([key, spec]) => `${printable(key)} ${specText(spec)}`.trimEnd());
  return keys.length === 0 ? 'every event' : keys.join(' · ');
}

function specText(spec: Json): string {
  if (Array.isArray(spec)) {
    return spec.every((item) => typeof item === 'string')
      ? printableCut(spec.join(', '), MAX_VALUE_CHARS)
      : '';
  }
  if (isJsonObject(spec)) return printableCut(Object.keys(spec).join(', '), MAX_VALUE_CHARS);
  return printableCut(String(spec), MAX_VALUE_CHARS);
}

function noMatchLines(policies: readonly Considered[], options: ExplanationTextOptions): readonly string[] {
  const others = nearestFirst(policies);
  if (others.length === 0) return policies.length === 0 ? ['no policy is for this event'] : [];
  const shown = options.verbose ? others : others.slice(0, MAX_MISSES);
  const left = others.length - shown.length;
  const more = left === 0 ? [] : [options.paint.dim(`and ${countOf(left, 'more policy')} (-v lists them)`)];
  return [...policyLines(shown, ['no_match'], options), ...more];
}

/** The policies that made the call another one, before it was judged once more. */
function rewrittenLines({ decision, trace }: Outcome): readonly string[] {
  return (decision.rewrittenBy ?? []).map((id) => {
    const rule = trace.find((each) => each.rule.id === id)?.rule;
    return `by ${printable(id)}${rule === undefined ? '' : `  (${printable(placeOf(rule))})`}`;
  });
}

/** What the host gets in the place of what it has sent. */
function changeLines(event: Event, decision: Decision, options: ExplanationTextOptions): readonly string[] {
  const most = options.verbose ? Number.POSITIVE_INFINITY : undefined;
  const changes = shownChanges(event, decision, {
    maxChanges: most ?? MAX_LISTED_ARGUMENTS,
    maxChars: most ?? MAX_ANSWER_CHARS,
  });
  if (changes === undefined) return [];
  const { before, after, left } = changes;
  const more = left > 0 ? [`and ${left} more (-v shows them)`] : [];
  return [...labelled('before', before, options), ...labelled('after', [...after, ...more], options)];
}

function reasonLines({ reason, feedback }: Decision): readonly string[] {
  return [reason, feedback].flatMap((text) => (text === undefined ? [] : [printable(text)]));
}

function fittedLines(decided: Decision, answered: Decision, event: Event): readonly string[] {
  if (decided.action === answered.action) return [];
  return [`${answered.action}, because ${event.host} cannot do "${decided.action}" on ${event.kind}`];
}

function answerOf({ event, asks, reply }: Explanation, { verbose }: ExplanationTextOptions): string {
  const maxChars = verbose ? Number.POSITIVE_INFINITY : MAX_ANSWER_CHARS;
  const outputs = [
    reply.stdout.trim() === '' ? '' : printableCut(reply.stdout.trim(), maxChars),
    reply.stderr.trim() === '' ? '' : `stderr ${printableCut(reply.stderr.trim(), maxChars)}`,
  ].filter((part) => part !== '');
  const when = asks.length === 0 ? '' : 'as the verdict says; without one ';
  return `${when}${event.host}: exit ${reply.exitCode}, ${outputs.length === 0 ? 'says nothing' : outputs.join(', ')}`;
}
