import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { excerptAt, positionAt } from '../../src/tools/report/layout/source-text.ts';

const TEXT = 'one\ntwo\r\nthree\rfour\n';

describe('positionAt', () => {
  test.each([
    [0, 1, 1],
    [2, 1, 3],
    [3, 1, 4],
    [4, 2, 1],
    [7, 2, 4],
    [8, 2, 5],
    [9, 3, 1],
    [15, 4, 1],
    [20, 5, 1],
    [99, 5, 1],
    [-1, 1, 1],
  ])('puts offset %p at %p:%p', (offset, line, column) => {
    expect(positionAt(TEXT, offset)).toEqual({ line, column });
  });

  test('leads back to the offset through the lines before it', () => {
    const text = fc
      .array(fc.constantFrom('a', 'é', '😀', '\n', '\r\n', '\r'), { maxLength: 30 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.nat(40), (source, at) => {
        const offset = Math.min(at, source.length);
        const { line, column } = positionAt(source, offset);
        const lines = source.split(/(?<=\n|\r(?!\n))/);
        expect(lines.slice(0, line - 1).join('').length + column - 1).toBe(offset);
      }),
    );
  });
});

describe('excerptAt', () => {
  test.each([
    [1, 'one'],
    [2, 'two'],
    [3, 'three'],
    [4, 'four'],
    [5, ''],
    [6, ''],
  ])('shows line %p as %p', (line, expected) => {
    expect(excerptAt(TEXT, line)).toBe(expected);
  });

  test('shows every line of any text', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'bc', '\n', '\r\n', '\r')), (parts) => {
        const text = parts.join('');
        for (const [i, line] of text.split(/\r\n|\n|\r/).entries()) expect(excerptAt(text, i + 1)).toBe(line);
      }),
    );
  });
});
