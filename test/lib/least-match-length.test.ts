import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { leastMatchLength } from '../../src/lib/regex/least-match-length.ts';
import { compileRegex, RegexError } from '../../src/lib/regex/regex.ts';
import { regexSource } from './regex-source.ts';

describe('leastMatchLength', () => {
  test.each([
    ['abc', 3],
    ['a|bcd', 1],
    ['(ab){2,5}', 4],
    ['a*b?', 0],
    ['^\\w+$', 1],
    ['[a-z]{3}', 3],
    ['(', 0],
    ['\\Qa.b\\E', 3],
    ['😀', 1],
    ['😀{2}', 2],
    ['$HOME', Number.POSITIVE_INFINITY],
    ['a^b|c\\zd', Number.POSITIVE_INFINITY],
    ['(a$b){2}', Number.POSITIVE_INFINITY],
    ['(a$b)*c', 1],
    ['(a|^)b($|c)', 1],
    ['x*^$y?', 0],
    ['(?m)a$\\nb', 3],
    ['\\$HOME', 5],
  ])('of %s is %i', (source, wanted) => {
    expect(leastMatchLength(source)).toBe(wanted);
  });

  test('is never more than a text has that matches as a whole', () => {
    let matched = 0;
    fc.assert(
      fc.property(
        regexSource({ portable: false }),
        fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', ' '), maxLength: 8 }),
        (source, text) => {
          try {
            if (compileRegex(`^(?:${source})$`).test(text) !== true) return;
          } catch (error) {
            if (error instanceof RegexError) return;
            throw error;
          }
          matched += 1;
          expect(leastMatchLength(source)).toBeLessThanOrEqual(text.length);
        },
      ),
      { numRuns: 300 },
    );
    expect(matched).toBeGreaterThan(0);
  });
});
