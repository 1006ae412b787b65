import { expect, test } from 'bun:test';
import { runSteps, type Steps } from '../../src/lib/steps.ts';

function* counting(to: number): Steps<number> {
  for (let count = 0; count < to; count++) yield;
  return to;
}

test('runSteps gives what the last step gives, and calls between the others', () => {
  let between = 0;
  expect(runSteps(counting(3), () => between++)).toBe(3);
  expect(between).toBe(3);
  expect(runSteps(counting(0))).toBe(0);
});

test('runSteps ends with what is thrown between two steps', () => {
  const giveUp = () => {
    throw new Error('given up');
  };
  expect(() => runSteps(counting(1), giveUp)).toThrow('given up');
  expect(runSteps(counting(0), giveUp)).toBe(0);
});
