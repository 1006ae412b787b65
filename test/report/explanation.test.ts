import { expect, test } from 'bun:test';
import { decide } from '../../src/model/decision.ts';
import type { Hit, Outcome } from '../../src/model/outcome.ts';
import { readCommand } from '../../src/reading/read-command.ts';
import type { Explanation } from '../../src/report/explanation.ts';
import { explanationJson } from '../../src/report/explanation-json.ts';
import { explanationText } from '../../src/report/explanation-text.ts';
import { createPaint } from '../../src/report/paint.ts';
import { readingLines } from '../../src/report/shell-text.ts';
import { rule, toolEvent } from '../support/builders.ts';
import { expectGolden } from '../support/golden.ts';

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
    { rule: ANSWER, truth: true, decidedBy: undefined, durationUs: 3 },
    {
      rule: MODEL,
      truth: 'unknown',
      decidedBy: { key: 'model_prefix', truth: 'unknown' },
      durationUs: 1_500,
    },
    { rule: ALL, truth: true, decidedBy: undefined, durationUs: 0 },
    { rule: OTHER, truth: false, decidedBy: { key: 'any', truth: false }, durationUs: 12 },
    { rule: NOT_TRUSTED, truth: true, decidedBy: undefined, durationUs: 1 },
  ],
};

const EXPLANATION: Explanation = {
  event: toolEvent('run', { command: 'curl "$URL" > out', a: 1, b: [true], c: {}, d: null, e: 'left\nout' }),
  readings: [readCommand('curl "$URL" > out', {})],
  outcome: OUTCOME,
  answered: decide({ action: 'deny', reason: 'not now' }),
  reply: { stdout: '{"decision":"deny"}\n', stderr: 'Refused\n', exitCode: 2 },
  durationUs: 4_200,
};

test('explanationText groups policies by what became of them and says what the host cannot do', () => {
  expectGolden(
    import.meta.dir,
    'explanation.txt',
    explanationText(EXPLANATION, { paint: createPaint(false), verbose: false }),
  );
});

test('explanationText lists and cuts nothing where it is verbose', () => {
  const text = explanationText(EXPLANATION, { paint: createPaint(false), verbose: true });
  expect(text).toContain('no match   a/other  deny  any  12 µs');
  expect(text).toContain('d null · e "left\\nout"');
});

test('explanationText says so of arguments that cannot be read, texts and silent answers', () => {
  const options = { paint: createPaint(false), verbose: false };
  const silent = { ...EXPLANATION, reply: { stdout: '', stderr: '', exitCode: 0 } };
  expect(explanationText({ ...silent, event: toolEvent('run', undefined) }, options)).toContain(
    'shell (run)  arguments that cannot be read',
  );
  expect(explanationText(silent, options)).toEndWith('testhost: exit 0, says nothing\n');
});

test('explanationJson has every policy with its fate', () => {
  expectGolden(
    import.meta.dir,
    'explanation.json',
    `${JSON.stringify(explanationJson(EXPLANATION), null, 2)}\n`,
  );
});

test.each([
  ['git push -f', ['git push -f']],
  ["echo 'a b' \"c'd\" ''", ["echo 'a b' 'c'\\''d' ''"]],
  ['cat < in >> out 2>&1', ['cat < in >> out']],
  ['rm *.o $X', ['rm *.o $X  [and words that cannot be seen]']],
])('readingLines shows %j as a shell would take it back', (text, expected) => {
  const lines = readingLines([readCommand(text, {})], false);
  expect(lines).toHaveLength(expected.length);
  for (const [index, line] of expected.entries()) expect(lines[index]).toStartWith(line);
});

test('readingLines names what could not be read', () => {
  expect(readingLines([readCommand('echo "$(', {})], false).at(-1)).toStartWith('not read: ');
});

test('readingLines folds long scripts', () => {
  const script = Array.from({ length: 20 }, (_, i) => `echo ${i}`).join('; ');
  const folded = readingLines([readCommand(script, {})], false);
  expect(folded).toHaveLength(8);
  expect(folded.at(-1)).toBe('and 13 commands more (-v lists them)');
  expect(readingLines([readCommand(script, {})], true)).toHaveLength(20);
});
