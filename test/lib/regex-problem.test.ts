import { expect, test } from 'bun:test';
import { regexProblem } from '../../src/lib/regex/regex.ts';

test('regexProblem says what is wrong and where, and nothing of a pattern that compiles', () => {
  expect(regexProblem('a+')).toBeUndefined();
  expect(regexProblem('ab(')).toMatch(/^Cannot compile regex "ab\(": .+ at 3$/);
  expect(regexProblem('')).toMatch(/^Cannot compile regex "": .*[^0-9]$/);
});
