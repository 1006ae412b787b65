import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Truth } from '../../src/model/truth.ts';
import {
  isDetermined,
  joinWords,
  knownText,
  leadingText,
  mixedWord,
  originsOf,
  outsideVariable,
  showWord,
  textWord,
  unknownWord,
  type Word,
  wordContains,
  wordEquals,
  wordPasses,
  wordStartsWith,
} from '../../src/reader/reading/word.ts';

const X = outsideVariable('X');
const STAR: Word = [{ type: 'glob', pattern: '*' }];
const ONE: Word = [{ type: 'glob', pattern: '?' }];
const w = (...parts: readonly (string | Word)[]): Word =>
  parts.map((part) => (typeof part === 'string' ? textWord(part) : part)).reduce(joinWords, []);

describe('word questions', () => {
  test.each<[Word, string, Truth]>([
    [w('rm'), 'rm', true],
    [w('rm'), 'r', false],
    [w(), '', true],
    [X, 'anything', 'unknown'],
    [w('r', X), 'rm', 'unknown'],
    [w('r', X), 'ls', false],
    [w(X, 'm'), 'rm', 'unknown'],
    [w(X, 'm'), 'ls', false],
    [w('a', X, 'b', X, 'c'), 'a-b-c', 'unknown'],
    [w('a', X, 'b', X, 'c'), 'a-c', false],
    [w('/bin/', ONE, 'm'), '/bin/rm', 'unknown'],
    [w('/bin/', ONE, 'm'), '/bin/rmm', false],
    [w('/bin', ONE, 'rm'), '/bin/rm', false],
    [w('a', STAR), 'abc', 'unknown'],
    [w('a', STAR), 'a/b', false],
  ])('wordEquals(%j, %p) is %p', (word, text, truth) => {
    expect(wordEquals(word, text)).toBe(truth);
  });

  test.each<[Word, string, Truth]>([
    [w('--force'), '--', true],
    [w('-f'), '--', false],
    [w('-', X), '--', 'unknown'],
    [w('--', X), '--', true],
    [w(X, 'x'), '--', 'unknown'],
    [w('a', X), '--', false],
    [w('/', STAR), '/e', 'unknown'],
    [w('/', ONE), '/ee', false],
  ])('wordStartsWith(%j, %p) is %p', (word, text, truth) => {
    expect(wordStartsWith(word, text)).toBe(truth);
  });

  test('wordContains and wordPasses are unknown where the word is', () => {
    expect(wordContains(w('a.env'), '.env')).toBe(true);
    expect(wordContains(w('a'), '.env')).toBe(false);
    expect(wordContains(w(X, '/.env'), '.env')).toBe(true);
    expect(wordContains(w(X, '/a'), '.env')).toBe('unknown');
    expect(wordPasses(w('a'), (text) => text === 'a')).toBe(true);
    expect(wordPasses(w('a', X), () => true)).toBe('unknown');
  });

  /** Any word, with a text that it can stand for. */
  const filled = fc
    .array(
      fc.tuple(fc.constantFrom('text', 'unknown', 'star', 'one'), fc.stringMatching(/^[a-c/.-]{0,3}$/)),
      { maxLength: 5 },
    )
    .map((pieces) => {
      const parts = pieces.map(([kind, text]): readonly [Word, string] => {
        if (kind === 'text') return [textWord(text), text];
        if (kind === 'unknown') return [X, text];
        return kind === 'star'
          ? [STAR, text.replaceAll('/', '')]
          : [ONE, text.replaceAll('/', '').slice(0, 1) || 'a'];
      });
      return { word: w(...parts.map(([word]) => word)), value: parts.map(([, text]) => text).join('') };
    });

  test('never say no to what a word can be', () => {
    fc.assert(
      fc.property(filled, fc.nat(6), ({ word, value }, length) => {
        expect(wordEquals(word, value)).not.toBe(false);
        expect(wordStartsWith(word, value.slice(0, length))).not.toBe(false);
        expect(wordContains(word, value.slice(length))).not.toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  test('are sure of words that are known', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(wordEquals(textWord(a), b)).toBe(a === b);
        expect(wordStartsWith(textWord(a), b)).toBe(a.startsWith(b));
        expect(wordContains(textWord(a), b)).toBe(a.includes(b) || b === '');
      }),
    );
  });
});

describe('words', () => {
  test('are joined to one text where they touch', () => {
    expect(w('a', 'b')).toEqual([{ type: 'text', text: 'ab' }]);
    expect(w('a', X, 'b')).toHaveLength(3);
    expect(w('', '')).toEqual([]);
  });

  test('tell what is known of them', () => {
    expect(knownText(w('ab'))).toBe('ab');
    expect(knownText([])).toBe('');
    expect(knownText(w('a', X))).toBeUndefined();
    expect(knownText(STAR)).toBeUndefined();
    expect(isDetermined(w('a', STAR))).toBe(true);
    expect(isDetermined(w('a', X))).toBe(false);
    expect(leadingText(w('a', X, 'b'))).toBe('a');
    expect(leadingText(X)).toBe('');
    expect(showWord(w('a', X, STAR))).toBe('a$X*');
  });

  test('keep where their parts come from when they are mixed', () => {
    const file = unknownWord('a', [{ type: 'file', source: textWord('/a') }]);
    const page = unknownWord('b', [{ type: 'network', source: textWord('http://b') }]);
    expect(originsOf(w('x', file, page)).map(({ type }) => type)).toEqual(['file', 'network']);
    expect(originsOf(mixedWord('either', [file, page, textWord('c')])).map(({ type }) => type)).toEqual([
      'file',
      'network',
    ]);
    expect(mixedWord('either', [[], []])).toEqual([]);
  });
});
