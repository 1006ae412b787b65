import { expect, test } from 'bun:test';
import { createEngine } from '../../src/language/engine/engine.ts';
import { evaluate } from '../../src/language/engine/evaluate.ts';
import { program, rule, testMemory, toolEvent } from '../support/builders.ts';

const RULES = [
  rule({ id: 'a/hit', action: 'deny', when: { arguments: { command: 'push' } } }),
  rule({ id: 'a/miss', action: 'deny', when: { arguments: { command: '^x' } } }),
  rule({ id: 'a/other', action: 'deny', when: { arguments: { command: '^y' } } }),
];
const event = toolEvent('run_shell', { command: 'git push' });

/** What takes so long by a clock that goes on by a step each time it is looked at. */
function timesAt(stepUs: number) {
  let nowUs = 1_000;
  const clock = () => (nowUs += stepUs);
  const { times } = evaluate(createEngine(program(RULES)), event, { memory: testMemory(), clock });
  return times?.map((time) => [time.rule.id, time.durationUs]);
}

test('evaluate tells what a policy took that matched', () => {
  expect(timesAt(7)).toEqual([['a/hit', 7]]);
});

test('evaluate tells what a policy took that was slow, matching or not', () => {
  expect(timesAt(100)).toEqual([
    ['a/hit', 100],
    ['a/miss', 100],
    ['a/other', 100],
  ]);
});

test('evaluate looks at no clock that it was not given', () => {
  expect(evaluate(createEngine(program(RULES)), event, { memory: testMemory() })).not.toHaveProperty('times');
});
