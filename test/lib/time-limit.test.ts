import { describe, expect, test } from 'bun:test';
import { compileRegex } from '../../src/lib/regex/regex.ts';
import { renderTemplate } from '../../src/lib/template.ts';
import { checkTime, OutOfTime, withTimeLimit } from '../../src/lib/time-limit.ts';

/** Overdue from the n-th time on that it is asked. */
function overdueAfter(times: number): () => boolean {
  let asked = 0;
  return () => ++asked > times;
}

describe('withTimeLimit', () => {
  test('ends work that is overdue, and returns what is in time', () => {
    let steps = 0;
    const work = () => {
      for (steps = 0; steps < 10; steps++) checkTime();
      return 'done';
    };
    expect(() => withTimeLimit(overdueAfter(5), work)).toThrow(OutOfTime);
    expect(steps).toBe(5);
    expect(withTimeLimit(overdueAfter(10), work)).toBe('done');
  });

  test('is over when its work is, also if that throws', () => {
    expect(() =>
      withTimeLimit(
        () => true,
        () => {
          throw new TypeError('a bug');
        },
      ),
    ).toThrow(TypeError);
    expect(checkTime).not.toThrow();
  });

  test('inside another one gives way to it again', () => {
    const work = () => {
      withTimeLimit(() => false, checkTime);
      checkTime();
    };
    expect(() => withTimeLimit(() => true, work)).toThrow(OutOfTime);
  });

  test('ends tests of long texts, and of many short ones', () => {
    const regex = compileRegex('[0-9]{3}');
    const long = 'x'.repeat(1_000_000);
    expect(() =>
      withTimeLimit(
        () => true,
        () => regex.test(long),
      ),
    ).toThrow(OutOfTime);
    expect(() =>
      withTimeLimit(
        () => true,
        () => regex.testAny([long]),
      ),
    ).toThrow(OutOfTime);
    const many = () => {
      for (let i = 0; i < 10_000; i++) regex.test('short');
    };
    expect(() => withTimeLimit(() => true, many)).toThrow(OutOfTime);
  });

  test('ends the filling of templates', () => {
    const template = '{{a}}'.repeat(10);
    expect(() => withTimeLimit(overdueAfter(5), () => renderTemplate(template, () => ''))).toThrow(OutOfTime);
  });
});
