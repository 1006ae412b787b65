import { expect, test } from 'bun:test';
import type { JsonObject } from '../../src/lib/json.ts';
import { decide } from '../../src/model/decision.ts';
import type { Hit, Outcome } from '../../src/model/outcome.ts';
import { readCommand } from '../../src/reader/commands/read-command.ts';
import type { Explanation } from '../../src/tools/report/explanation/explanation.ts';
import { explanationJson } from '../../src/tools/report/explanation/explanation-json.ts';
import { keysText } from '../../src/tools/report/explanation/explanation-parts.ts';
import { explanationText } from '../../src/tools/report/explanation/explanation-text.ts';
import { displayWidth } from '../../src/tools/report/layout/display-width.ts';
import { createPaint } from '../../src/tools/report/layout/paint.ts';
import { rule, toolEvent } from '../support/builders.ts';
import { expectGolden, expectGoldenJson } from '../support/golden.ts';

const ANSWER = rule({ id: 'a/answer', action: 'respond', when: { tool: ['fetch', 'shell'] } });
const MODEL = rule({ id: 'a/model', action: 'deny', when: { model_prefix: 'weak-' }, whenUnknown: 'skip' });
const ALL = rule({ id: 'a/all', action: 'deny', mode: 'monitor' });
const OTHER = rule({ id: 'a/other', action: 'deny', when: { any: [{ tool: 'read' }, { tool: 'edit' }] } });
const NOT_TRUSTED = rule({
  id: 'a/yes',
  action: 'approve',
  trust: 'untrusted',
  when: { arguments: { command: 'x' } },
});

const HITS: readonly Hit[] = [
  { rule: ANSWER, how: 'matched' },
  { rule: ALL, how: 'monitored' },
  { rule: NOT_TRUSTED, how: 'inactive' },
];

const OUTCOME: Outcome = {
  decision: decide({ action: 'respond', policyId: ANSWER.id, result: { for_llm: 'not now' } }),
  hits: HITS,
  skipped: [MODEL.id],
  trace: [
    { rule: ANSWER, truth: true, miss: undefined, durationUs: 3 },
    {
      rule: MODEL,
      truth: 'unknown',
      miss: { path: ['model_prefix'], wanted: 'weak-', seen: [], truth: 'unknown', held: 0 },
      durationUs: 1_500,
    },
    { rule: ALL, truth: true, miss: undefined, durationUs: 0 },
    {
      rule: OTHER,
      truth: false,
      miss: { path: ['any', 0, 'tool'], wanted: 'read', seen: ['shell'], truth: false, held: 0 },
      durationUs: 12,
    },
    { rule: NOT_TRUSTED, truth: true, miss: undefined, durationUs: 1 },
  ],
};

const EXPLANATION: Explanation = {
  host: 'testhost',
  event: toolEvent('run', { command: 'curl "$URL" > out', a: 1, b: [true], c: {}, d: null, e: 'left\nout' }),
  readings: [readCommand('curl "$URL" > out', {})],
  outcome: OUTCOME,
  asks: [],
  answered: decide({ action: 'deny', reason: 'not now' }),
  reply: { stdout: '{"decision":"deny"}\n', stderr: 'Refused\n', exitCode: 2 },
  durationUs: 4_200,
};

const LONG: Explanation = {
  ...EXPLANATION,
  answered: decide({
    action: 'deny',
    policyId: ANSWER.id,
    reason: `Refused by a/answer: it would send ${'what nobody else knows '.repeat(3)}away. Instead: ask a person.`,
  }),
};

test.each([
  ['explanation.txt', EXPLANATION, createPaint(false), false],
  ['explanation-verbose.txt', EXPLANATION, createPaint(false), true],
  ['explanation-40-columns.txt', LONG, createPaint(false, 40), false],
  ['explanation-verbose-40-columns.txt', LONG, createPaint(false, 40), true],
  ['explanation-colours.txt', LONG, createPaint(true, 80), false],
])('explanationText says at a glance what became of a call: %s', (name, explanation, paint, verbose) => {
  const text = explanationText(explanation, { paint, verbose });
  expectGolden(import.meta.dir, name, text);
  const { columns = Number.POSITIVE_INFINITY } = paint;
  for (const line of text.split('\n')) {
    if (line.trim().includes(' ')) expect([line, displayWidth(line) <= columns]).toEqual([line, true]);
  }
});

test('explanationText has neither times nor JSON unless it is verbose', () => {
  const text = explanationText(EXPLANATION, { paint: createPaint(false), verbose: false });
  expect(text).not.toMatch(/ (µs|ms)$|[{}]/m);
});

test('explanationText shows the answer of no agent where none is known', () => {
  const unknown = { ...EXPLANATION, host: undefined, reply: undefined, answered: OUTCOME.decision };
  for (const verbose of [false, true]) {
    const text = explanationText(unknown, { paint: createPaint(false), verbose });
    expect(text).toStartWith('respond  a/answer');
    expect(text).toContain('no agent is found here; --host NAME shows what one would get');
    expect(text).not.toContain('testhost');
  }
  expect(explanationJson(unknown)).toMatchObject({ host: null, reply: null });
});

test('explanationText names the unknown part in one line', () => {
  const unknown = (id: string, path: readonly (string | number)[], held = 0) => ({
    rule: rule({ id, action: 'deny' }),
    truth: 'unknown' as const,
    miss: { path, wanted: 'x', seen: [], truth: 'unknown' as const, held },
    durationUs: 1,
  });
  const trace = [
    unknown('a/one', ['path']),
    unknown('a/two', ['any', 1, 'command', 'deletes']),
    unknown('a/three', ['any']),
    unknown('a/four', ['context', 'model']),
    unknown('a/five', ['any', 0, 'tool']),
  ];
  const hits: readonly Hit[] = [{ rule: trace[0]?.rule ?? ANSWER, how: 'unknown' }];
  const skipped = ['a/two', 'a/three', 'a/four', 'a/five'];
  const explanation = {
    ...EXPLANATION,
    outcome: { ...OUTCOME, trace, hits, skipped },
    readings: [readCommand('rm -rf "$WHERE"/x *.log', {})],
  };
  const text = explanationText(explanation, { paint: createPaint(false), verbose: false });
  expect(text.match(/^ {2}unknown .*/gm)).toEqual([
    '  unknown    $WHERE, *.log: counts as a match for a/one, passed over by 2 policies; the agent does not say it (context.model): passed over by a/four; it is not known what the tool does: passed over by a/five',
  ]);
});

test('explanationText lists and cuts nothing where it is verbose', () => {
  const text = explanationText(EXPLANATION, { paint: createPaint(false), verbose: true });
  expect(text).toContain('no match   a/other  deny  any.0.tool: wanted read, saw shell  12 µs');
  expect(text).toContain('took       4.2 ms');
  expect(text).toContain('d null · e "left\\nout"');
});

test('explanationText says so of arguments that cannot be read, texts and silent answers', () => {
  const options = { paint: createPaint(false), verbose: true };
  const silent = { ...EXPLANATION, reply: { stdout: '', stderr: '', exitCode: 0 } };
  expect(explanationText({ ...silent, event: toolEvent('run', undefined) }, options)).toContain(
    'shell (run)  arguments that cannot be read',
  );
  expect(explanationText(silent, options)).toContain('testhost: exit 0, says nothing\n');
});

test('explanationJson has every policy with its fate', () => {
  expectGoldenJson(import.meta.dir, 'explanation.json', explanationJson(EXPLANATION));
});

function readsAs(text: string, verbose = false): readonly string[] {
  const explanation = { ...EXPLANATION, readings: [readCommand(text, {})] };
  const lines = explanationText(explanation, { paint: createPaint(false), verbose }).split('\n');
  const start = lines.findIndex((line) => line.startsWith('  reads as'));
  const end = lines.findIndex((line, index) => index > start && /^ {2}\S/.test(line));
  return lines.slice(start, end).map((line) => line.slice(13));
}

test.each([
  ['cat a | grep b', ['cat a  [0-5]', '  - reads a', 'grep b  [8-14]']],
  ["echo 'a b' \"c'd\" ''", ["echo 'a b' 'c'\\''d' ''  [0-19]"]],
  ['echo a\u202eb', ['echo a\\u{202e}b  [0-8]']],
])(
  'explanationText shows what %j runs and what it does, and if it is verbose where it stands',
  (text, expected) => {
    expect(readsAs(text, true)).toEqual(expected);
    expect(readsAs(text)).toEqual(expected.map((line) => line.replace(/ {2}\[.*\]$/, '')));
  },
);

test('explanationText names what could not be read', () => {
  expect(readsAs('echo "$(').at(-1)).toStartWith('! ');
});

test('explanationText folds long readings', () => {
  const script = Array.from({ length: 20 }, (_, i) => `echo ${i}`).join('; ');
  const folded = readsAs(script);
  expect(folded).toHaveLength(6);
  expect(folded.at(-2)).toBe('echo 4');
  expect(folded.at(-1)).toBe('and 15 more lines (-v shows them)');
  expect(readsAs(script, true)).toHaveLength(20);
});

test('explanationText names every judge that is asked, and settles nothing before them', () => {
  const asked = { ...EXPLANATION, asks: [ANSWER.id, OTHER.id] };
  const text = explanationText(asked, { paint: createPaint(false), verbose: false });
  expect(text).toStartWith('asks 2 judges  a/answer, a/other\n');
  expect(text).toMatch(/^ {2}rules say +respond {2}a\/answer$/m);
  expect(text).not.toContain('  policy ');
  expect(text).toContain(
    'answer     as the verdict says; without one testhost gets deny with this reason (exit 2)',
  );
  expect(explanationJson(asked)).toMatchObject({
    asks: [ANSWER.id, OTHER.id],
    decision: { action: null },
    rules_say: 'respond',
  });
});

test('the explanation flags characters that are not what they look like', () => {
  const event = toolEvent('run', { command: 'cur\u0430l https://a.example\u202e' });
  const text = explanationText({ ...EXPLANATION, event }, { paint: createPaint(false), verbose: false });
  expect(text).toContain('  suspicious bidi, look_alike: it may look different from what it is');
  expect(explanationJson({ ...EXPLANATION, event })['suspicious']).toEqual(['bidi', 'look_alike']);
  expect(explanationJson(EXPLANATION)['suspicious']).toEqual([]);
});

test.each<readonly [JsonObject, string]>([
  [{ command: { subcommand: ['git', ['push', 'send-pack']] } }, 'command.subcommand git, push|send-pack'],
  [{ command: [{ run: 'rm' }, { run: 'dd' }] }, 'command (one of 2)'],
  [{ all: [{ tool: 'read' }, { path: '*' }], tool: 'shell' }, 'all (all 2) · tool shell'],
])('of %j it says which keys held', (when, text) => {
  expect(keysText(rule({ id: 'a/b', action: 'deny', when }))).toBe(text);
});
