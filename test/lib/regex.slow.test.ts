import { test } from 'bun:test';
import { compileRegex } from '../../src/lib/regex/regex.ts';
import { withinProcessorTime } from '../support/processor-time.ts';
import { attempt, LATE_MS, letters } from './late-regex.ts';

const HARD: readonly [string, string][] = [
  ['[ab]*a[ab]{400}[cd]', letters(100_000)],
  ['(?:a?){900}a{450}[bd]', 'a'.repeat(100_000)],
  ['\\b(?:\\w?\\b?){900}[cd]', letters(100_000)],
  ['\\pL*a\\pL{200}[cd]', letters(100_000)],
  ['(?:a|ab|b|ba){400}[cd]', letters(100_000)],
  ['(?:(?:a+)+)+[bd]', 'a'.repeat(100_000)],
  ['(x+x+)+[yz]', 'x'.repeat(100_000)],
  ['a(?:a*[bc])?', 'a'.repeat(100_000)],
  ['((((((a*)*)*)*)*)*)*[cd]', 'a'.repeat(100_000)],
];

test.each(HARD)('is never late: %p', (source, text) => {
  const regex = compileRegex(source);
  for (const length of [300, 100_000]) {
    const subject = text.slice(0, length);
    withinProcessorTime(LATE_MS, () => attempt(() => regex.test(subject)));
    withinProcessorTime(LATE_MS, () => attempt(() => regex.captures(subject)));
    withinProcessorTime(LATE_MS, () => attempt(() => regex.replaceAll(subject, '<$&>')));
  }
});
