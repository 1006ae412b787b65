import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { compileRegex } from '../../src/lib/regex/regex.ts';
import { requiredLiterals } from '../../src/lib/regex/regex-literals.ts';
import { regexSource } from './regex-source.ts';

function holdsOne(text: string, source: string): boolean {
  const literals = requiredLiterals(source);
  if (literals === undefined) return true;
  if (!literals.fold) return literals.anyOf.some((literal) => text.includes(literal));
  const isAscii = [...text].every((char) => char < '\u0080');
  return !isAscii || literals.anyOf.some((literal) => text.toLowerCase().includes(literal));
}

describe('requiredLiterals', () => {
  test.each<[string, readonly string[], boolean]>([
    ['\\bgit\\s+push\\b', ['push'], false],
    ['git push', ['git push'], false],
    ['(?:curl|wget)\\s', ['curl', 'wget'], false],
    ['rm -rf (?:/|~)', ['rm -rf '], false],
    ['(sudo) (?:su|bash)', ['sudo'], false],
    ['(?i)DROP\\s+TABLE', ['table'], true],
    ['(?i:drop)x+', ['drop'], true],
    ['(?i:DROP)|Truncate', ['drop', 'truncate'], true],
    ['(?:abc){2,}', ['abc'], false],
    ['a(?i)bcd(?-i)efgh', ['efgh'], false],
    ['(?:(?i)abc)def', ['abc'], true],
    ['\\Qa.b*c\\E', ['a.b*c'], false],
    ['\\x41\\x{42}\\103', ['ABC'], false],
    ['abc\\b\\.def', ['abc.def'], false],
    ['[]abc]xyz[^]x]', ['xyz'], false],
    ['[[:alpha:]]wxyz', ['wxyz'], false],
    ['a{,3}', ['a{,3}'], false],
    ['(?P<name>hello)', ['hello'], false],
    ['é+café', ['café'], false],
  ])('finds those of %p', (source, anyOf, fold) => {
    expect(requiredLiterals(source)).toEqual({ anyOf, fold });
  });

  test.each([
    'ab',
    '\\w+',
    '.*',
    '(?:abc)?',
    '(?:abc)*',
    '(?:abc){0,3}',
    'abc|d',
    'abc|',
    '[abc]',
    '(?i)aſb',
    '(?i)ab\\x{212a}',
    '(unclosed',
    '(?=abc)abc',
    '',
    Array.from({ length: 70 }, (_, i) => `word${i}`).join('|'),
  ])('finds none for %p', (source) => {
    expect(requiredLiterals(source)).toBeUndefined();
  });

  test('is sound: what matches holds one of them', () => {
    const text = fc
      .array(
        fc.constantFrom(
          'a',
          'b',
          'c',
          'A',
          'B',
          '-',
          '.',
          'k',
          'K',
          '\u212a',
          's',
          'ſ',
          'é',
          'ab',
          'abc',
          'a-b',
          'a.b',
          '1',
          '{',
        ),
        { maxLength: 14 },
      )
      .map((parts) => parts.join(''));
    const word = fc.constantFrom(
      'abc',
      'a-b\\.',
      '(?i)abc',
      '(?i:aB)c',
      '(?:abc|a-b)',
      '(?:abc)+',
      'ab(?i)kc|abc',
      '\\Qa.b\\E',
    );
    const source = fc.oneof(
      regexSource({ portable: false }),
      fc
        .tuple(fc.oneof(fc.constant(''), regexSource({ portable: false })), word)
        .map((parts) => parts.join('')),
      fc.tuple(word, word).map((parts) => parts.join('.*')),
    );
    let hits = 0;
    fc.assert(
      fc.property(source, text, (pattern, subject) => {
        const matches = compileRegex(pattern).test(subject);
        if (matches === true && requiredLiterals(pattern) !== undefined) hits += 1;
        if (matches !== false) expect(holdsOne(subject, pattern)).toBe(true);
      }),
      { numRuns: 800 },
    );
    expect(hits).toBeGreaterThan(10);
  });
});
