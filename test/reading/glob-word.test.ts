import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { compileGlob, globProblem } from '../../src/lib/glob/glob.ts';
import type { Truth } from '../../src/model/truth.ts';
import { expandBraces } from '../../src/reader/reading/braces.ts';
import { compileWordGlob, textMatchesGlob, wordMatchesGlob } from '../../src/reader/reading/glob-word.ts';
import { joinWords, textWord, unknownWord, type Word } from '../../src/reader/reading/word.ts';

const piece = fc.constantFrom(
  ...'a b . / * ** **/ /** **/a/ ? {a,b} {.a,/b*} {,/**} {a,*} \\* [ab] [!]a] []b] 😀'.split(' '),
);
const glob = fc
  .array(piece, { minLength: 1, maxLength: 7 })
  .map((pieces) => pieces.join(''))
  .filter((pattern) => globProblem(pattern) === undefined);
const path = fc
  .array(fc.constantFrom('a', 'b', '.a', '😀', '*', ']', '[ab]', '/'), { minLength: 1, maxLength: 7 })
  .map((units) => units.join(''))
  .filter((text) => !text.includes('//') && (text === '/' || !text.endsWith('/')));

function compiled(pattern: string) {
  const whole = compileGlob(pattern);
  return compileWordGlob(pattern, (text) => whole.test(text));
}

describe('textMatchesGlob', () => {
  test('says of a path what the glob itself says', () => {
    fc.assert(
      fc.property(glob, path, (pattern, text) => {
        expect(textMatchesGlob(text, compiled(pattern))).toBe(compileGlob(pattern).test(text));
      }),
      { numRuns: 800 },
    );
  });

  test('says of the root what the glob itself says', () => {
    fc.assert(
      fc.property(glob, (pattern) => {
        expect([pattern, textMatchesGlob('/', compiled(pattern))]).toEqual([
          pattern,
          compileGlob(pattern).test('/'),
        ]);
      }),
      { numRuns: 800 },
    );
  });

  test('settles the usual globs without their regex', () => {
    const refuse = () => {
      throw new Error('asked');
    };
    for (const pattern of ['**/.env', '**/*.{pem,key}', '/{bin,etc}/**', 'src/*/a?.ts', '/{,\\*}', '**/\\*~'])
      for (const path of ['/home/user/.env', '/'])
        expect(typeof textMatchesGlob(path, compileWordGlob(pattern, refuse))).toBe('boolean');
  });
});

test('takes braces that do not end apart in linear time', () => {
  const open = `{${'a,'.repeat(200_000)}`;
  expect(expandBraces(open)).toBeUndefined();
});

describe('wordMatchesGlob', () => {
  test('is not no for a word of which some value matches', () => {
    let matched = 0;
    fc.assert(
      fc.property(glob, path, path, fc.boolean(), (pattern, text, rest, isWildcard) => {
        const at = Math.floor(text.length / 2);
        if (isWildcard && rest.includes('/')) return;
        const open: Word = isWildcard ? [{ type: 'glob', pattern: '*' }] : unknownWord('$X');
        const word = joinWords(textWord(text.slice(0, at)), joinWords(open, textWord(text.slice(at))));
        const value = text.slice(0, at) + rest + text.slice(at);
        if (value.includes('//') || value.endsWith('/')) return;
        if (compileGlob(pattern).test(value) !== true) return;
        matched += 1;
        expect(wordMatchesGlob(word, compiled(pattern))).not.toBe(false);
      }),
      { numRuns: 1_600 },
    );
    expect(matched).toBeGreaterThan(20);
  });

  test.each<[pattern: string, glob: string, truth: Truth]>([
    ['[bc]', 'a/x', false],
    ['[xyz]', 'a/x', 'unknown'],
    ['[w-y]', 'a/x', 'unknown'],
    ['[a-c-]', 'a/-', 'unknown'],
    ['[!x]', 'a/x', false],
    ['[^a]', 'a/x', 'unknown'],
    ['[\\x]', 'a/x', 'unknown'],
    ['[[:lower:]]', 'a/x', 'unknown'],
    ['[.x]', 'a/.', false],
    ['?', 'a/.', false],
    ['?', 'a/x', 'unknown'],
    ['[!a]', 'a//', false],
    ['[x]', 'a/?', 'unknown'],
  ])('knows which characters %p stands for in a folder: of %p it says %p', (pattern, glob, truth) => {
    expect(wordMatchesGlob([...textWord('a/'), { type: 'glob', pattern }], compiled(glob))).toBe(truth);
  });

  test('knows what a prefix or an end rules out', () => {
    const word = joinWords(textWord('/tmp/'), unknownWord('$X'));
    expect(wordMatchesGlob(word, compiled('/etc/**'))).toBe(false);
    expect(wordMatchesGlob(word, compiled('/tmp/a'))).toBe('unknown');
    expect(wordMatchesGlob(joinWords(unknownWord('$X'), textWord('.txt')), compiled('**/*.pem'))).toBe(false);
  });
});
