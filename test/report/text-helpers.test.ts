import { describe, expect, test } from 'bun:test';
import { splitReason } from '../../src/tools/report/explanation/split-reason.ts';
import { alignColumns } from '../../src/tools/report/layout/columns.ts';
import { displayWidth } from '../../src/tools/report/layout/display-width.ts';
import { createPaint } from '../../src/tools/report/layout/paint.ts';
import { printable, printableCut } from '../../src/tools/report/layout/printable.ts';
import { countOf, duration, grouped } from '../../src/tools/report/layout/quantity.ts';

test.each([
  [0, 'error', '0 errors'],
  [1, 'error', '1 error'],
  [2, 'policy', '2 policies'],
  [1, 'policy', '1 policy'],
  [1_234_567, 'decision', '1,234,567 decisions'],
])('countOf agrees %d with %s', (count, noun, expected) => {
  expect(countOf(count, noun)).toBe(expected);
});

test.each([
  [999, '999'],
  [1_000, '1,000'],
  [12_345.6, '12,346'],
])('grouped writes %d as %s', (count, expected) => {
  expect(grouped(count)).toBe(expected);
});

test.each([
  [0, '0 µs'],
  [41.4, '41 µs'],
  [999.4, '999 µs'],
  [999.5, '1.0 ms'],
  [1_249, '1.2 ms'],
  [9_949, '9.9 ms'],
  [9_951, '10 ms'],
  [999_499, '999 ms'],
  [999_500, '1.0 s'],
  [61_000_000, '61 s'],
])('duration writes %d µs as %s', (us, expected) => {
  expect(duration(us)).toBe(expected);
});

test.each([
  ['plain text, ünï', 'plain text, ünï'],
  ['two\nlines\r\n\tand', 'two\\nlines\\r\\n\\tand'],
  ['\u001b[31mred\u001b[0m', '\\u{1b}[31mred\\u{1b}[0m'],
  ['a\u202eb\u200bc\ufeff', 'a\\u{202e}b\\u{200b}c\\u{feff}'],
  ['\u009b2J', '\\u{9b}2J'],
])('printable makes %j harmless', (text, expected) => {
  expect(printable(text)).toBe(expected);
});

test('printableCut cuts what is too long and nothing else', () => {
  expect(printableCut('12345', 5)).toBe('12345');
  expect(printableCut('123456', 5)).toBe('1234…');
  expect(printableCut('1234\n', 5)).toBe('1234…');
});

test.each([
  ['abc', 3],
  ['', 0],
  ['ünï', 3],
  ['e\u0301', 1],
  ['策略', 4],
  ['ｆｕｌｌ', 8],
  ['🚀', 2],
  ['\u001b[1mbold\u001b[22m', 4],
])('displayWidth of %j is %d', (text, width) => {
  expect(displayWidth(text)).toBe(width);
});

describe('alignColumns', () => {
  test('aligns cells at the left and leaves no spaces at the end', () => {
    expect(
      alignColumns([
        ['a', 'bb', ''],
        ['ccc', 'd', 'e'],
      ]),
    ).toEqual(['a    bb', 'ccc  d   e']);
  });

  test('aligns numbers at the right', () => {
    expect(
      alignColumns(
        [
          ['x', '1'],
          ['y', '1,000'],
        ],
        { right: [1] },
      ),
    ).toEqual(['x      1', 'y  1,000']);
  });

  test('counts wide characters and colours by what they take on screen', () => {
    const { red } = createPaint(true);
    expect(
      alignColumns([
        ['策略', 'x'],
        [red('ab'), 'y'],
      ]),
    ).toEqual(['策略  x', `${red('ab')}    y`]);
  });
});

test('createPaint colours only when it is enabled, and never nothing', () => {
  expect(createPaint(true).red('x')).toBe('\u001b[31mx\u001b[39m');
  expect(createPaint(true).red('')).toBe('');
  expect(createPaint(false).bold('x')).toBe('x');
});

test('splitReason takes what each policy says out of a reason', () => {
  const text = 'Refused by a/b: it is shut. Instead: go on. Refused by c/d: no. Instead: wait.';
  expect(splitReason(text, 'a/b')).toEqual({
    because: 'it is shut.',
    instead: 'go on.',
    others: ['Refused by c/d: no. Instead: wait.'],
  });
});
