import { expect, test } from 'bun:test';
import { retryFeedback, retryLimit } from '../../src/language/actions/retry-feedback.ts';
import { actionInput } from './input.ts';

test('retryLimit is three retries and then deny unless given', () => {
  expect(retryLimit({ feedback: 'x' })).toEqual({ maxRetries: 3, onExhausted: 'deny' });
});

test('retryLimit takes what is given', () => {
  expect(retryLimit({ max_retries: 7, on_exhausted: 'continue' })).toEqual({
    maxRetries: 7,
    onExhausted: 'continue',
  });
});

test('retryFeedback.decide keeps the lines of the feedback and names the policy in the reason', () => {
  const decided = retryFeedback.decide(
    { feedback: 'Run {{arguments.cmd}}\nthen stop\u0007' },
    actionInput({ cmd: 'npm test' }),
  );
  expect(decided).toEqual({
    feedback: 'Run npm test\nthen stop\\u{7}',
    reason: 'Refused by pack/rule: run npm test then stop\\u{7}.',
  });
});

test('retryFeedback.decide bounds the feedback', () => {
  const decided = retryFeedback.decide(
    { feedback: '{{arguments.a}}' },
    actionInput({ a: 'x'.repeat(100_000) }),
  );
  expect(decided.feedback).toHaveLength(16_382);
});

test('retryFeedback.check finds a broken template', () => {
  expect(retryFeedback.check({ feedback: 'a {{b c}}' })).toMatchObject([
    { code: 'template', path: ['feedback'] },
  ]);
});
