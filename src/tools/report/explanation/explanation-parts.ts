import { shownFacts } from '../../../language/keys/history/before-texts.ts';
import { isJsonObject, type Json } from '../../../lib/json.ts';
import { type Action, prevents } from '../../../model/action.ts';
import type { Decision } from '../../../model/decision.ts';
import type { Event } from '../../../model/event.ts';
import type { Outcome, RuleTrace } from '../../../model/outcome.ts';
import type { Rule } from '../../../model/policy.ts';
import type { Paint } from '../layout/paint.ts';
import { printable, printableCut } from '../layout/printable.ts';
import { countOf } from '../layout/quantity.ts';
import { wrapText } from '../layout/wrap-text.ts';
import type { Explanation } from './explanation.ts';
import { shownChanges, valueText } from './rewrite-changes.ts';

export interface ExplanationTextOptions {
  readonly paint: Paint;
  /** True to list all policies that did not match, and to cut nothing. */
  readonly verbose: boolean;
}

const LABEL_WIDTH = 10;
/** The column at which a line's text begins: behind two spaces, the label and a space. */
export const TEXT_COLUMN = LABEL_WIDTH + 3;
const MAX_SPEC_CHARS = 60;
const MAX_KEYS_CHARS = 110;
const MAX_VALUE_CHARS = 60;
const MAX_CHANGE_CHARS = 300;
const MAX_LISTED_ARGUMENTS = 4;

/** The verdict as the agent gets it, the policy that decides, and where it is. */
export function verdictLine({ outcome, asks, answered }: Explanation, paint: Paint): string {
  const { action, policyId = outcome.decision.policyId } = answered;
  const ids = asks.length > 0 ? asks : [policyId].filter((id) => id !== undefined);
  const rules = [...outcome.hits, ...outcome.trace].map(({ rule }) => rule);
  const rule = ids.length === 1 ? rules.find(({ id }) => id === ids[0]) : undefined;
  const isAsked = asks.length > 0;
  const word = isAsked ? paint.yellow(asking(asks)) : colourOf(action, paint)(action);
  const mark = isAsked || action === 'ask' ? paint.marks.unknown : markOf(action, paint);
  return [
    `${mark}${paint.bold(word)}`,
    ...(ids.length > 0 ? [paint.bold(ids.map(printable).join(', '))] : []),
    ...(rule === undefined ? [] : [paint.dim(`(${printable(placeOf(rule))})`)]),
    ...(ids.length === 0 && action === 'continue' ? ['no policy is against it'] : []),
  ].join('  ');
}

function markOf(action: Action, { marks }: Paint): string {
  return prevents(action) ? marks.bad : marks.good;
}

function asking({ length }: readonly string[]): string {
  return length === 1 ? 'asks a judge' : `asks ${length} judges`;
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

/** The first line carries the label, the others are below it. All fit into the terminal. */
export function labelled(label: string, lines: readonly string[], { paint }: ExplanationTextOptions) {
  return lines.flatMap((line, index) => {
    const head = `  ${paint.cyan((index === 0 ? label : '').padEnd(LABEL_WIDTH))} `;
    const deeper = /^ */.exec(line)?.[0] ?? '';
    const columns = paint.columns ?? Number.POSITIVE_INFINITY;
    return wrapText(`${head}${line}`, columns, `${' '.repeat(TEXT_COLUMN)}${deeper}`).map((each) =>
      each.trimEnd(),
    );
  });
}

/** The decision of the rules, whatever the judges say. */
export function rulesLines({ asks, outcome }: Explanation): readonly string[] {
  const { action, policyId } = outcome.decision;
  if (asks.length === 0 || policyId === undefined) return [];
  return [`${action}  ${printable(policyId)}`];
}

/** The call or the text that the event is about. */
export function callOf({ event, host }: Explanation, { verbose }: ExplanationTextOptions): string {
  const maxChars = verbose ? Number.POSITIVE_INFINITY : MAX_VALUE_CHARS;
  if (event.tool === undefined) {
    const [first] = event.texts;
    const text = first === undefined ? '' : `  "${printableCut(first.text, maxChars)}"`;
    const more = event.texts.length > 1 ? ` and ${countOf(event.texts.length - 1, 'text')} more` : '';
    return `${event.kind}${text}${more}`;
  }
  const { name, classes, arguments: args } = event.tool;
  // Without a host the name is one that some host would use.
  const tool = `${classes.join(', ')}${host === undefined ? '' : ` (${printable(name)})`}`;
  if (args === undefined) return `${tool}  arguments that cannot be read`;
  const entries = Object.entries(args);
  const shown = (verbose ? entries : entries.slice(0, MAX_LISTED_ARGUMENTS)).map(
    ([key, value]) => `${printable(key)} ${valueText(value, maxChars)}`,
  );
  const left = entries.length - shown.length;
  if (left > 0) shown.push(`and ${left} more`);
  return [tool, shown.join(' · ')].filter((part) => part !== '').join('  ');
}

/** Why a canary is in force here or not. */
export function canaryText({ rule, canary }: RuleTrace): string {
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

/** The keys of a policy that all held: `tool shell · command.flags.any -f`. */
export function keysText({ when }: Rule): string {
  const keys = Object.entries(shownFacts(when)).flatMap(([key, spec]) => keyTexts(key, spec));
  return keys.length === 0 ? 'every event' : printableCut(keys.join(' · '), MAX_KEYS_CHARS);
}

function keyTexts(path: string, spec: Json): readonly string[] {
  if (isJsonObject(spec))
    return Object.entries(spec).flatMap(([key, inside]) => keyTexts(`${path}.${key}`, inside));
  if (spec === true) return [path];
  if (!Array.isArray(spec)) return [`${path} ${cutSpec(String(spec))}`];
  const words = spec.map(wordOf);
  if (words.every((word) => word !== undefined)) return [`${path} ${cutSpec(words.join(', '))}`];
  if (spec.length === 1) return keyTexts(path, spec[0] ?? null);
  return [`${path} (${/(?:^|\.)all$/.test(path) ? 'all' : 'one of'} ${spec.length})`];
}

/** A word, or several of which one is meant: `push|send-pack`. */
function wordOf(item: Json): string | undefined {
  if (typeof item === 'string') return item;
  return Array.isArray(item) && item.every((each) => typeof each === 'string') ? item.join('|') : undefined;
}

function cutSpec(text: string): string {
  return printableCut(text, MAX_SPEC_CHARS);
}

/** The policies that made the call another one, before it was judged once more. */
export function rewrittenLines({ decision, trace }: Outcome): readonly string[] {
  return (decision.rewrittenBy ?? []).map((id) => {
    const rule = trace.find((each) => each.rule.id === id)?.rule;
    return `by ${printable(id)}${rule === undefined ? '' : `  (${printable(placeOf(rule))})`}`;
  });
}

/** The changes that the host gets to the values it sent. */
export function changeLines(
  event: Event,
  decision: Decision,
  options: ExplanationTextOptions,
): readonly string[] {
  const most = options.verbose ? Number.POSITIVE_INFINITY : undefined;
  const changes = shownChanges(event, decision, {
    maxChanges: most ?? MAX_LISTED_ARGUMENTS,
    maxChars: most ?? MAX_CHANGE_CHARS,
  });
  if (changes === undefined) return [];
  const { before, after, left } = changes;
  const more = left > 0 ? [`and ${left} more (-v shows them)`] : [];
  return [...labelled('before', before, options), ...labelled('after', [...after, ...more], options)];
}
