import { basename } from 'node:path';
import type { Answer } from '../../../language/calls/answer-call.ts';
import { surroundingsOf } from '../../../language/calls/answer-call.ts';
import { createFacts } from '../../../language/engine/facts.ts';
import { shellReadings } from '../../../language/keys/call/shell-reading.ts';
import { missText } from '../../../language/keys/miss-text.ts';
import type { Event } from '../../../model/event.ts';
import { NO_MEMORY } from '../../../model/memory.ts';
import type { Reading } from '../../../reader/reading/reading.ts';
import type { CaseResult } from '../../suite/case-result.ts';
import { commandLine } from '../explanation/describe-reading.ts';
import { considered, nearestFirst } from '../explanation/explanation.ts';
import { shownChanges } from '../explanation/rewrite-changes.ts';
import { alignColumns } from '../layout/columns.ts';
import { createPaint, type Paint } from '../layout/paint.ts';
import { printable, printableCut } from '../layout/printable.ts';
import { countOf } from '../layout/quantity.ts';

const MAX_VALUE_CHARS = 400;
const MAX_READING_CHARS = 160;
const MAX_POLICIES = 5;

/** A failed case: its place, the expected and the actual result, and why. Lines without their line breaks. */
export function failureLines(result: CaseResult, paint: Paint): readonly string[] {
  if (result.status.type !== 'failed') return [];
  const { position, name, host } = result;
  const { differences, answer } = result.status;
  const place = `${printable(position.file)}:${position.line}:${position.column}`;
  const where = host === undefined ? '' : ` on ${host}`;
  const rows = [
    ...differences.flatMap(({ step, expected, actual }) => [
      ...(step === undefined ? [] : [[`step ${step.number}`, shown(step.call)]]),
      [paint.cyan('expected'), shown(expected)],
      [paint.cyan('actual'), paint.red(shown(actual))],
    ]),
    ...(answer === undefined
      ? []
      : [...reasons(answer), ...aloneHint(position.file, answer)].map(([label, text]) => [
          paint.dim(label),
          paint.dim(text),
        ])),
  ];
  return [
    `  ${paint.bold(place)}  "${printable(name)}"${where}`,
    ...alignColumns(rows).map((line) => `    ${line}`),
  ];
}

/** For a case that a policy of another file has decided: how to test the file alone that the test file is named after. */
function aloneHint(
  testFile: string,
  { decision, outcome }: Answer,
): readonly (readonly [label: string, text: string])[] {
  const own = /^(.*)\.test\.ya?ml$/.exec(basename(testFile))?.[1];
  const rules = outcome === undefined ? [] : considered(outcome).map(({ trace }) => trace.rule);
  const fileOf = (id: string | undefined) =>
    basename(rules.find((rule) => rule.id === id)?.position.file ?? '');
  const isOwn = (file: string) => own !== undefined && (file === `${own}.yaml` || file === `${own}.yml`);
  const file = rules.map(({ id }) => fileOf(id)).find(isOwn);
  const decider = fileOf(decision.policyId);
  if (file === undefined || decider === '' || isOwn(decider)) return [];
  return [['alone', `policies: [${file}] at the top of the test file leaves out ${decider}`]];
}

/** The same without colours and indentation, for other formats. */
export function failureText(result: CaseResult): string {
  const [head = '', ...lines] = failureLines(result, createPaint(false));
  return [head.trim(), ...lines.map((line) => line.slice(4))].join('\n');
}

function shown(text: string): string {
  return printableCut(text, MAX_VALUE_CHARS);
}

/** The explanation of a decision, as labels with texts. */
export function reasons(answer: Answer): readonly (readonly [label: string, text: string])[] {
  const { event, outcome } = answer;
  if (event === undefined) return [['because', 'the agent is answered without judging']];
  const rows: (readonly [string, string])[] = [['reads as', readingOf(event)]];
  if (outcome === undefined) return [...rows, ['because', 'an earlier decision still holds']];
  const policies = considered(outcome);
  for (const [label, fates] of GROUPS) {
    const found = policies.filter(({ fate }) => fates.includes(fate));
    for (const { trace } of found.slice(0, MAX_POLICIES)) {
      const { rule, miss } = trace;
      const keys = label === 'unknown' ? String(miss?.path[0] ?? '') : Object.keys(rule.when).join(' · ');
      rows.push([
        label,
        `${rule.action}  ${rule.id}  ${keys}  (${rule.position.file}:${rule.position.line})`,
      ]);
    }
    if (found.length > MAX_POLICIES)
      rows.push(['', `and ${countOf(found.length - MAX_POLICIES, 'policy')} more`]);
  }
  const decided = outcome.decision.action;
  if (decided !== answer.decision.action) {
    const why = `${answer.decision.action}, because ${event.host} cannot do "${decided}" on ${event.kind}`;
    rows.push(['fitted', why]);
  }
  const { before, after, left } = shownChanges(event, answer.decision, CHANGES) ?? NO_CHANGES;
  rows.push(...before.map(labelledAs('before')), ...after.map(labelledAs('after')));
  if (left > 0) rows.push(['', `and ${left} more`]);
  const others = nearestFirst(policies);
  for (const { trace } of others.slice(0, MAX_POLICIES)) {
    const { rule, miss } = trace;
    rows.push(['no match', `${rule.id}  ${miss === undefined ? '' : printable(missText(miss))}`]);
  }
  if (others.length > MAX_POLICIES)
    rows.push(['', `and ${countOf(others.length - MAX_POLICIES, 'policy')} more`]);
  return rows;
}

const CHANGES = { maxChanges: MAX_POLICIES, maxChars: MAX_READING_CHARS };
const NO_CHANGES = { before: [], after: [], left: 0 };

/** The first of several rows has the label. */
function labelledAs(label: string): (text: string, index: number) => readonly [string, string] {
  return (text, index) => [index === 0 ? label : '', text];
}

const GROUPS: readonly (readonly [string, readonly string[]])[] = [
  ['matched', ['matched']],
  ['unknown', ['unknown', 'skipped']],
  ['not asked', ['unasked']],
  ['monitored', ['monitored']],
  ['inactive', ['inactive']],
  ['no answer', ['missed']],
];

function readingOf(event: Event): string {
  if (event.tool === undefined) {
    const [text] = event.texts;
    return text === undefined ? event.kind : `${event.kind}: ${printableCut(text.text, MAX_READING_CHARS)}`;
  }
  const { name, classes, arguments: args } = event.tool;
  const kind = event.kind === 'before_tool' ? '' : `${event.kind} of `;
  const head = `${kind}${classes.join(', ')} (${name})`;
  const commands = shellReadings(createFacts(event, NO_MEMORY, surroundingsOf));
  if (commands !== undefined)
    return printableCut(`${head}  ${commands.map(runsText).join(' ; ')}`, MAX_READING_CHARS);
  const values = Object.entries(args ?? {}).map(
    ([key, value]) => `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return printableCut(`${head}  ${values.join(' · ')}`.trimEnd(), MAX_READING_CHARS);
}

/** The commands that a shell text runs in the end: wrappers and shells are left out. */
function runsText({ commands, gaps }: Reading): string {
  const runs = commands.filter(({ wrapper }) => !wrapper).map(commandLine);
  return [...runs, ...gaps.map(({ message }) => `not read: ${message}`)].join(' ; ');
}
