import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { smallRegex } from '../../src/lib/regex/small-regex.ts';
import { regexSource } from './regex-source.ts';

/** Signs in any order, most of them no regular expression. */
const noise = fc
  .array(
    fc.constantFrom(
      '(',
      '(?:',
      '(?i)',
      '(?s)',
      '[',
      '[^',
      ']',
      '-',
      '\\',
      '|',
      '*',
      '+',
      '?',
      '{2}',
      '{0,3}',
      '{1,}',
      '{',
      '}',
      'a',
      'K',
      's',
      'é',
      '\\d',
      '\\W',
      '\\b',
      '\\B',
      '\\A',
      '\\z',
      '^',
      '$',
      '.',
      '\\.',
      '\\n',
      '\\]',
      ')',
      ...['[a-c]', '[^/\uffff]', '[\\w-]', '[\\-a]', '😀', '/', ','],
      '(?i:',
      '(?s-i:',
      '(?-i)',
      '(?m)',
      '(?m-s:',
      '(?U)',
      '(?P<n>',
      '\\Q',
      '\\E',
      '\\x61',
      '\\x{1F600}',
      '\\07',
      '\\ ',
      '\\é',
      '\\pL',
      ...['{2,1}', '{02}', '{,2}', '{1001}', '[[:alpha:]]', '[a-\\d]', '[]a]', '[\\x61]', '[é]', '\\f'],
    ),
    { maxLength: 9 },
  )
  .map((parts) => parts.join(''));
const source = fc.oneof(noise, regexSource({ portable: true }), regexSource({ portable: false }));
const text = fc
  .array(
    fc.constantFrom(
      'a',
      'b',
      'c',
      'A',
      'K',
      'k',
      'ſ',
      '\u212a',
      'K',
      's',
      '-',
      '/',
      '.',
      ' ',
      '\n',
      '1',
      '_',
      'é',
      '\uffff',
      '😀',
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

describe('a regex without an engine', () => {
  test('leaves what is repeated never to the engine, which may refuse it', () => {
    expect(
      ['[a-Z]{0}', '\\Z{0}', 'a\\h{0}', 'a{0,0}'].map((each) => smallRegex(each)).filter(Boolean),
    ).toEqual([]);
  });

  test('means what the engine means', () => {
    let told = 0;
    fc.assert(
      fc.property(source, text, (pattern, subject) => {
        const small = smallRegex(pattern);
        if (small === undefined) return;
        const answer = small.test(subject);
        // What it takes, the engine must take too, even where it leaves the text to the engine.
        const expected = RE2JS.compile(pattern).test(subject);
        if (answer === undefined) return;
        told += 1;
        expect([pattern, subject, answer]).toEqual([pattern, subject, expected]);
      }),
      { numRuns: 3_000 },
    );
    expect(told).toBeGreaterThan(500);
  });

  test.each([
    '^:',
    '(^|/)artisan$',
    '(?i)(^|/)tests?$',
    '^(?:[^/\uffff]*\\.sh)$',
    'a{2,3}b',
    '[\\w.-]+@x',
    '(?is)a.b',
    '\\x61',
    'a(?i:b)c',
  ])('takes %p', (pattern) => {
    expect(smallRegex(pattern)).toBeDefined();
  });

  test.each([
    '\\pL',
    '(?P<n>a)',
    '[[:alpha:]]',
    'a**',
    '(?m)^a',
    '\\é',
    '(?<n>a)',
    'b{51}',
    '[b-a]',
    '(?:(?:){50}){50}',
    '(?i)é',
  ])('leaves %p to the engine', (pattern) => {
    expect(smallRegex(pattern)).toBeUndefined();
  });

  test('leaves texts with characters that fold or take two units to the engine', () => {
    expect(smallRegex('(?i)k')?.test('\u212a')).toBeUndefined();
    expect(smallRegex('a')?.test('😀')).toBeUndefined();
  });

  test('is linear in the text', () => {
    const small = smallRegex('(?:a+)+$');
    expect(small?.test(`${'a'.repeat(20_000)}b`)).toBe(false);
  });
});
