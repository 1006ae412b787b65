import type { BareCall } from '../../../hosts/host.ts';
import type { Answer } from '../../../language/calls/answer-call.ts';
import { readCall } from '../../../language/calls/read-call.ts';
import { isJsonObject, type Json, type JsonObject, own, parseJson } from '../../../lib/json.ts';
import type { Action } from '../../../model/action.ts';
import { decide } from '../../../model/decision.ts';
import { callLabel } from '../cases/call-label.ts';
import { parseTestFile } from '../cases/parse-test-file.ts';
import type { TestCase } from '../cases/test-case.ts';

/** The right fate of a call. */
export type Label = 'pass' | 'refuse';

/** A call with its right fate. */
export interface LabelledCall {
  readonly call: BareCall;
  readonly label: Label;
  /** The kind of the call; empty if nobody says. */
  readonly category: string;
  /** The call in a few words. */
  readonly text: string;
}

export type LabelledReading =
  | { readonly ok: true; readonly calls: readonly LabelledCall[]; readonly unlabelled: number }
  | { readonly ok: false; readonly problem: string };

const LABELS: Readonly<Record<string, Label>> = {
  approve: 'pass',
  allow: 'pass',
  continue: 'pass',
  pass: 'pass',
  modify: 'pass',
  deny: 'refuse',
  deny_tool: 'refuse',
  block: 'refuse',
  refuse: 'refuse',
  ask: 'refuse',
  retry_feedback: 'refuse',
  abort_turn: 'refuse',
  hard_abort: 'refuse',
};
const LABEL_KEYS = ['label', 'expect'];
const CATEGORY_KEYS = ['category', 'family'];

/** Reads labelled calls, one JSON object per line: a call with `label` (or `expect`) and `category` (or `family`). */
export function readLabelledLines(text: string): LabelledReading {
  const calls: LabelledCall[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const read = readLine(line);
    if (typeof read === 'string') return { ok: false, problem: `line ${index + 1}: ${read}` };
    calls.push(read);
  }
  return { ok: true, calls, unlabelled: 0 };
}

function readLine(line: string): LabelledCall | string {
  const value = parseJson(line);
  if (value === undefined) return 'it is not JSON';
  if (!isJsonObject(value)) return 'it is not an object';
  const written = firstOf(value, LABEL_KEYS);
  const label = typeof written === 'string' && Object.hasOwn(LABELS, written) ? LABELS[written] : undefined;
  if (label === undefined) return `its "label" is none of ${Object.keys(LABELS).join(', ')}`;
  const read = readCall(own(value, 'call') ?? bareCallOf(value));
  if (!read.ok) return read.problems[0]?.message ?? 'its call cannot be read';
  const category = firstOf(value, CATEGORY_KEYS);
  return {
    call: read.call,
    label,
    category: typeof category === 'string' ? category : '',
    text: callLabel(read.call),
  };
}

function firstOf(value: JsonObject, keys: readonly string[]): Json | undefined {
  const key = keys.find((each) => Object.hasOwn(value, each));
  return key === undefined ? undefined : own(value, key);
}

function bareCallOf(value: JsonObject): JsonObject {
  const call = Object.fromEntries(
    Object.entries(value).filter(([key]) => !LABEL_KEYS.includes(key) && !CATEGORY_KEYS.includes(key)),
  );
  return Object.hasOwn(call, 'command') && !Object.hasOwn(call, 'tool') ? { tool: 'shell', ...call } : call;
}

/** The calls of a test file, labelled by the action that each case expects. Categories are the names of the cases. */
export function readLabelledTests(text: string, file: string): LabelledReading {
  const parsed = parseTestFile(text, file);
  if (!parsed.ok) {
    const [first] = parsed.diagnostics;
    return {
      ok: false,
      problem: first === undefined ? 'it cannot be read' : `line ${first.position.line}: ${first.message}`,
    };
  }
  const { cases } = parsed.testFile;
  const calls = cases.flatMap((test): readonly LabelledCall[] => {
    const label = labelOf(test);
    if (test.input.type !== 'call' || label === undefined) return [];
    const { call } = test.input;
    return [{ call, label, category: test.name, text: callLabel(call) }];
  });
  return { ok: true, calls, unlabelled: cases.length - calls.length };
}

function labelOf({ checks }: TestCase): Label | undefined {
  const expected = checks.find(({ key }) => key === 'action');
  if (expected === undefined) return undefined;
  const actions = Object.keys(LABELS) as Action[];
  const name = actions.find((action) => expected.check(answerWith(action)) === undefined);
  return name === undefined ? undefined : LABELS[name];
}

function answerWith(action: Action): Answer {
  return { event: undefined, outcome: undefined, decision: decide({ action }), replies: [] };
}
