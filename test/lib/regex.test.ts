import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { compileRegex, RegexError, regexError } from '../../src/lib/regex/regex.ts';
import { withinProcessorTime } from '../support/processor-time.ts';
import { attempt, LATE_MS, letters } from './late-regex.ts';
import { regexSource } from './regex-source.ts';

describe('compileRegex', () => {
  test.each<[string, string, number | undefined]>([
    ['', 'an empty pattern matches everything', undefined],
    ['ab(cd', 'missing closing parenthesis', 2],
    ['ab)', 'closing parenthesis without an opening one', 2],
    ['x[a-', 'missing closing bracket', 1],
    ['ab\\', 'nothing after the last backslash', 2],
    ['a|*', 'nothing to repeat before "*"', 2],
    ['({2})', 'nothing to repeat before "{2}"', 1],
    ['a(?=b)', 'lookaround is not supported by the linear-time engine', 1],
    ['(?!b)', 'lookaround is not supported', 0],
    ['(?<=b)', 'lookaround is not supported', 0],
    ['(?<!b)', 'lookaround is not supported', 0],
    ['(?>b)', 'atomic groups are not supported', 0],
    ['(a)\\1', 'backreferences are not supported', 3],
    ['(?<n>a)\\k<n>', 'backreferences are not supported', 7],
    ['(?x)a', 'unknown group syntax', 0],
    ['a\\y', 'unknown escape "\\y"', 1],
    ['\\u0041', 'write \\x{41}', 0],
    ['a\\Z', 'write \\z', 1],
    ['aa**', 'a repetition of a repetition', 2],
    ['a{1001}', 'repetitions go up to 1000', 1],
    ['a{3,2}', 'repetitions go up to 1000', 1],
    ['zz[z-a]', 'no such class or range: "z-a"', 3],
    ['\\p{Klingon}', 'no such class or range', 0],
    ['(?P<a-b>x)', "a group's name has letters", 0],
    ['(?P<a>x)(?P<a>y)', 'two groups are named "a"', undefined],
    ['(?:a{100}){101}', 'too large', undefined],
    ['(?:\\pL{40}){40}', 'too large', undefined],
    ['a'.repeat(16_385), 'longer than', undefined],
    [`${'('.repeat(300)}a${')'.repeat(300)}`, 'nest too deeply', 200],
  ])('rejects %p', (source, message, index) => {
    expect(() => compileRegex(source)).toThrow(RegexError);
    try {
      compileRegex(source);
    } catch (error) {
      expect((error as RegexError).message).toContain(message);
      expect((error as RegexError).index).toBe(index);
    }
  });

  test('fails exactly where regexError says why', () => {
    fc.assert(
      fc.property(fc.oneof(regexSource({ portable: false }), fc.string()), (source) => {
        const error = regexError(source);
        if (error === undefined) expect(compileRegex(source).source).toBe(source);
        else expect(() => compileRegex(source)).toThrow(error);
      }),
      { numRuns: 300 },
    );
  });

  test('takes the second of two equal parts for the culprit when the first is fine', () => {
    expect(() => compileRegex('\\Qa**\\E a**')).toThrow(expect.objectContaining({ index: 9 }));
  });

  test.each([
    '\\pL'.repeat(1100),
    `(?i)${'\\pL'.repeat(1100)}`,
    Array.from({ length: 1600 }, (_, i) => (i * 2654435761).toString(36)).join('|'),
    `(?:${'a?'.repeat(30)}){100}`,
    '[^a]{1000}',
  ])('takes no longer for a pattern at the cap (%#)', (source) => {
    withinProcessorTime(LATE_MS, () => attempt(() => compileRegex(source).test('hello world é')));
  });
});

describe('Regex.test', () => {
  test.each<[string, string, boolean]>([
    ['\\bgit\\s+push\\b', 'cd x && git  push', true],
    ['\\bgit\\s+push\\b', 'digit push', false],
    ['^ls$', 'ls', true],
    ['^ls$', 'ls\n', false],
    ['(?m)^ls$', 'a\nls\nb', true],
    ['a.c', 'a\nc', false],
    ['(?s)a.c', 'a\nc', true],
    ['(?i)drop table', 'DROP TaBLE', true],
    ['(?i)k', '\u212a', true],
    ['\\d', '٣', false],
    ['^.$', '😀', true],
    ['\\p{Greek}', 'α', true],
    ['a{,2}', 'a{,2}', true],
    ['x*', '', true],
  ])('runs %p on %j', (source, text, expected) => {
    expect(compileRegex(source).test(text)).toBe(expected);
  });

  test('agrees with the native engine where the two languages are the same', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', '-', ' ', '\n', '1'), { maxLength: 12 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(regexSource({ portable: true }), text, (source, subject) => {
        fc.pre(source !== '');
        expect(compileRegex(source).test(subject)).toBe(new RegExp(source).test(subject));
      }),
      { numRuns: 300 },
    );
  });

  test('is unknown, not a guess, where telling would take too long', () => {
    const regex = compileRegex('[ab]*a[ab]{400}[cd]');
    expect(regex.test(letters(100_000))).toBe('unknown');
    expect(regex.test(`${letters(1000)}`)).toBe(false);
    expect(regex.test(`${letters(1000)}c`)).toBe(true);
  });

  test('still tells about large texts where its automaton stays small', () => {
    const text = `${'const x = push(1);\n'.repeat(200_000)}git push --force`;
    expect(compileRegex('\\bgit\\s+push\\s+(?:-f|--force)\\b').test(text)).toBe(true);
    expect(compileRegex('(?i)\\bgit\\s+pull\\b').test(text)).toBe(false);
  });

  test('answers alike whatever it was asked before', () => {
    const text = letters(200_000);
    const asked = compileRegex('[ab]*a[ab]{13}[cd]');
    for (let i = 0; i < 5; i++) asked.test(letters(40_000 + i * 1000));
    asked.test(letters(300_000));
    expect(asked.test(text)).toBe(compileRegex('[ab]*a[ab]{13}[cd]').test(text));
  });
});

describe('Regex.testAny', () => {
  test('is true for a hit in any text, and false for no text', () => {
    const regex = compileRegex('b+');
    expect(regex.testAny(['a', 'ab'])).toBe(true);
    expect(regex.testAny(['a', ''])).toBe(false);
    expect(regex.testAny([])).toBe(false);
  });

  test('puts all texts under one limit', () => {
    const regex = compileRegex('[ab]*a[ab]{400}[cd]');
    const texts = Array.from({ length: 400 }, (_, i) => letters(4000 + i));
    expect(withinProcessorTime(LATE_MS, () => regex.testAny(texts))).toBe('unknown');
  });
});

describe('Regex.captures', () => {
  test('gives the first match and its groups', () => {
    expect(compileRegex('(\\w+)@(?P<host>\\w+)(!)?').captures('to a@b and c@d')).toEqual([
      'a@b',
      'a',
      'b',
      '',
    ]);
    expect(compileRegex('x').captures('abc')).toBeUndefined();
  });
});

describe('Regex.replaceAll', () => {
  test.each([
    ['a', 'banana', 'o', 'bonono'],
    ['(\\w+)@(\\w+)', 'a@b c@d', '$2 at $1', 'b at a d at c'],
    ['(?P<n>b)', 'abc', '[$<n>]', 'a[b]c'],
    ['b', 'abc', '$$&$&', 'a$&bc'],
    ['(a)|b', 'ab', '<$1>', '<a><>'],
    ['x', 'abc', 'y', 'abc'],
    ['b*', 'abc', '-', '-a--c-'],
  ])('replaces %p in %p with %p', (source, text, replacement, expected) => {
    expect(compileRegex(source).replaceAll(text, replacement)).toBe(expected);
  });

  test('gives the text back when each match is replaced with itself', () => {
    const text = fc.array(fc.constantFrom('a', 'b', '-', '1', '$', '😀')).map((parts) => parts.join(''));
    fc.assert(
      fc.property(regexSource({ portable: false }), text, (source, subject) => {
        fc.pre(source !== '');
        expect(compileRegex(source).replaceAll(subject, '$&')).toBe(subject);
      }),
    );
  });

  test('throws where it would be late, so that nothing passes unreplaced', () => {
    expect(() => compileRegex('a(?:a*[bc])?').replaceAll('a'.repeat(200_000), 'x')).toThrow(RegexError);
  });

  test('works again after it was stopped', () => {
    const regex = compileRegex('a(?:a*[bc])?');
    attempt(() => regex.replaceAll('a'.repeat(200_000), 'x'));
    expect(regex.replaceAll('aab a', 'x')).toBe('x x');
    expect(regex.test('a')).toBe(true);
  });
});

describe('Regex.loadOf', () => {
  test('grows with the text and the program, up to 1', () => {
    const small = compileRegex('abc');
    const large = compileRegex('[ab]{500}');
    expect(small.loadOf('')).toBe(0);
    expect(large.loadOf('x'.repeat(1000))).toBeGreaterThan(small.loadOf('x'.repeat(1000)));
    expect(large.loadOf('x'.repeat(100_000))).toBe(1);
  });
});
