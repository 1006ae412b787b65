import { describe, expect, test } from 'bun:test';
import { createProgress } from '../../src/tools/cli/test/progress.ts';

function watch(isTTY: boolean) {
  let nowMs = 0;
  let written = '';
  const write = (text: string) => {
    written += text;
  };
  const progress = createProgress(
    { isTTY, columns: undefined, hasFailed: false, isClosed: false, write },
    () => nowMs,
  );
  return {
    progress,
    /** What is written when this much is done at this time. */
    at(ms: number, done: number): string {
      nowMs = ms;
      written = '';
      progress.show(done, Math.round(done * 10_000), 'cases');
      return written;
    },
    cleared(): string {
      written = '';
      progress.clear();
      return written;
    },
  };
}

describe('createProgress', () => {
  test('shows a bar after a second, ten times a second at most, and takes it away once', () => {
    const { at, cleared } = watch(true);
    expect(at(999, 0.4)).toBe('');
    expect(cleared()).toBe('');
    expect(at(1_000, 0.5)).toBe(`\r\u001b[K${'━'.repeat(12)}${' '.repeat(12)} 50 %  5,000 cases`);
    expect(at(1_099, 0.6)).toBe('');
    expect(at(1_100, 1)).toBe(`\r\u001b[K${'━'.repeat(24)} 100 %  10,000 cases`);
    expect(cleared()).toBe('\r\u001b[K');
    expect(cleared()).toBe('');
  });

  test('shows nothing where nobody watches', () => {
    const { at, cleared } = watch(false);
    expect([at(5_000, 0.5), cleared()]).toEqual(['', '']);
  });
});
