import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import picomatch from 'picomatch';
import { compileGlob, compileNameGlob, globProblem } from '../../src/lib/glob/glob.ts';
import { withinProcessorTime } from '../support/processor-time.ts';

describe('compileGlob', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['*', ['a', '.env', 'a b', 'a/'], ['', 'a/b', '.', '..', '/']],
    ['**', ['a', 'a/b/c', '/etc', 'a\nb'], ['..', 'a/../b', './a']],
    ['*.ts', ['a.ts', '.ts'], ['a/b.ts', 'a.tsx', 'a.ts.x']],
    ['**/*.ts', ['a.ts', 'a/b.ts', '/a/b.ts'], ['a.js']],
    ['src/**', ['src', 'src/', 'src/a', 'src/a/b', 'src/.git/x'], ['srcs', 'a/src', 'src/../x']],
    ['src/**/test', ['src/test', 'src/a/b/test'], ['src/atest', 'test']],
    ['/etc/*', ['/etc/passwd', '/etc/.x'], ['/etc', '/etc/', '/etc/a/b', '/etc/..', 'x/etc/a']],
    ['/**/id_rsa', ['/id_rsa', '/a/b/id_rsa'], ['id_rsa']],
    ['a?c', ['abc', 'a😀c', 'a.c'], ['ac', 'a/c', 'abbc']],
    ['[a-c]x', ['ax', 'cx'], ['dx', '/x']],
    ['[!a-c]x', ['dx', '.x'], ['ax', '/x']],
    ['[]a]', [']', 'a'], ['b']],
    ['[a\\]b]', ['a', ']', 'b'], ['\\']],
    ['[a\\-c]', ['a', '-', 'c'], ['b']],
    ['[id].ts', ['[id].ts', 'i.ts', 'd.ts'], ['id.ts']],
    ['{a,b}/c', ['a/c', 'b/c', '{a,b}/c'], ['ab/c']],
    ['{a,{b,c}d}', ['a', 'bd', 'cd'], ['b', 'ad']],
    ['a{,.bak}', ['a', 'a.bak'], ['a.']],
    ['{**/*.key,*.pem}', ['a.key', 'x/a.key', 'b.pem'], ['x/b.pem']],
    ['v{1..3}', ['v1', 'v3'], ['v4', 'v{1..3']],
    ['{3..1}', ['1', '2', '3'], ['4']],
    ['{a}', ['{a}'], ['a']],
    ['a,b', ['a,b'], ['a', 'b']],
    ['\\*\\{\\[\\?', ['*{[?'], ['a{[?']],
    ['a+b^c$d', ['a+b^c$d'], ['aab^c$d']],
    ['./a', ['a'], ['b/a']],
    ['../a', ['../a'], ['x/a', 'b./a']],
    ['{.,..}/a', ['./a', '../a'], ['b/a']],
    ['a/../b', ['a/../b'], ['a/b', 'a/xx/b']],
    ['.env*', ['.env', '.env.local'], ['env']],
    ['***', ['a'], ['a/b']],
    ['a**b', ['ab', 'axb'], ['a/b']],
  ])('%p', (glob, hits, misses) => {
    const { test: fits } = compileGlob(glob);
    expect(hits.filter((text) => fits(text) !== true)).toEqual([]);
    expect(misses.filter((text) => fits(text) !== false)).toEqual([]);
  });

  test('means what it means to picomatch', () => {
    const name = fc.constantFrom('a', 'b', 'ab', '.a', 'a.b', 'b.a', '-', 'a1', '..a', '1');
    const piece = fc.oneof(
      { weight: 3, arbitrary: name },
      { weight: 2, arbitrary: fc.constantFrom('*', '?', '*.a', 'a*', '*b', '.a*') },
      fc.constantFrom(
        '[ab]',
        '[!a]',
        '[^b]',
        '[a-c]',
        '{a,b}',
        '{a,*.b}',
        '{a,{b,1}}',
        '{1..3}',
        '\\*',
        'a{,b}',
        '[a-c1]b',
      ),
    );
    const segment = fc.oneof(
      piece,
      fc.tuple(piece, piece).map((parts) => parts.join('')),
      fc.constant('**'),
    );
    const glob = fc
      .tuple(fc.constantFrom('', '', '/'), fc.array(segment, { minLength: 1, maxLength: 4 }))
      .map(([root, segments]) => root + segments.join('/'))
      // Where it wants a second slash, and where what it makes of two stars in a name depends on what is before.
      .filter((text) => !text.startsWith('/**/') && !/[^/]\*\*|\*\*[^/]/.test(text));
    const path = fc
      .tuple(
        fc.constantFrom('', '/'),
        fc.array(name, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('', '/'),
      )
      .map(([root, names, end]) => root + names.join('/') + end);
    let hits = 0;
    fc.assert(
      fc.property(glob, path, (pattern, text) => {
        const expected = picomatch(pattern, { dot: true, posix: true, fastpaths: false })(text);
        if (expected) hits += 1;
        expect(compileGlob(pattern).test(text)).toBe(expected);
      }),
      { numRuns: 800 },
    );
    expect(hits).toBeGreaterThan(20);
  });

  test('only literal dots match a "." or ".." segment', () => {
    const wild = fc
      .array(fc.constantFrom('*', '?', '[!a]', '**', '{*,?}', '[.]', '[!-~]', '/'), {
        minLength: 1,
        maxLength: 5,
      })
      .map((parts) => parts.join(''))
      .filter((text) => globProblem(text) === undefined);
    fc.assert(
      fc.property(wild, fc.constantFrom('.', '..', 'a/..', '../a', 'a/./b', '/..', './'), (pattern, text) => {
        expect(compileGlob(pattern).test(text)).toBe(false);
      }),
    );
  });

  test('is linear where picomatch takes seconds', () => {
    for (const [glob, path] of [
      ['*a*a*a*a*a*a*a*a*c', 'a'.repeat(10_000)],
      ['**/a/**/a/**/a/**/a/**/b', 'a/'.repeat(10_000)],
    ] as const) {
      expect(withinProcessorTime(1_000, () => compileGlob(glob).test(path))).toBe(false);
    }
  });
});

describe('globProblem', () => {
  test.each([
    ['', 'matches nothing'],
    ['{a,b', 'missing "}"'],
    ['[ab', 'missing "]"'],
    ['a\\', 'nothing follows the last backslash'],
    ['!a', 'cannot be negated'],
    ['@(a|b)', 'write {a,b} for alternatives'],
    ['a|b', 'write {a,b} for alternatives'],
    ['"a"', 'has no meaning here'],
    ['{10..12}', 'write longer ones out'],
    ['[[:alpha:]]', 'named classes are not supported'],
    ['[z-a]', 'from the lower character to the higher'],
    ['[a/b]', 'cannot hold a slash'],
    ['[+-a]', 'cannot hold a slash'],
    ['a'.repeat(5000), 'longer than'],
  ])('says what is wrong with %p', (glob, message) => {
    expect(globProblem(glob)).toContain(message);
    expect(() => compileGlob(glob)).toThrow(message);
  });

  test('compiles or explains whatever it is given', () => {
    const noise = fc
      .array(
        fc.constantFrom(
          '*',
          '**',
          '?',
          '[',
          ']',
          '!',
          '^',
          '{',
          '}',
          ',',
          '..',
          '/',
          '\\',
          '-',
          'a',
          '1',
          '(',
          '.',
          'é',
          '😀',
          '$',
          '+',
          '|',
        ),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(noise, (glob) => {
        if (globProblem(glob) === undefined) expect(compileGlob(glob).test(glob)).toBe(true);
      }),
      { numRuns: 600 },
    );
  });
});

describe('compileNameGlob', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['exec', ['exec'], ['Exec', 'exec2', '']],
    ['mcp_github_*', ['mcp_github_', 'mcp_github_x/y'], ['mcp_gitlab_x', 'xmcp_github_x']],
    ['*', ['', 'anything'], []],
    ['*_file', ['read_file', '_file'], ['file', 'read_files']],
    ['a*b*c', ['abc', 'axbxc', 'abbcc'], ['ab', 'acb', 'bac']],
    ['ab*ba', ['abba', 'abxba'], ['aba']],
    ['a**b', ['ab', 'axb'], ['a']],
    ['a.[b]?', ['a.[b]?'], ['axb', 'a.b']],
    ['', [''], ['a']],
  ])('%p', (pattern, hits, misses) => {
    const fits = compileNameGlob(pattern);
    expect(hits.filter((name) => !fits(name))).toEqual([]);
    expect(misses.filter((name) => fits(name))).toEqual([]);
  });

  test('takes a star for any run of characters and all else for itself', () => {
    const part = fc.constantFrom('a', 'b', 'ab', '*', '.', '?');
    fc.assert(
      fc.property(fc.array(part), fc.array(part), (pattern, name) => {
        const source = pattern
          .map((text) => (text === '*' ? '[^]*' : text.replace(/[.?]/g, '\\$&')))
          .join('');
        expect(compileNameGlob(pattern.join(''))(name.join(''))).toBe(
          new RegExp(`^${source}$`).test(name.join('')),
        );
      }),
      { numRuns: 600 },
    );
  });

  test('is not late for many stars on a long name', () => {
    const matches = compileNameGlob(`${'*a'.repeat(2000)}*c`);
    expect(withinProcessorTime(1_000, () => matches('a'.repeat(1_000_000)))).toBe(false);
  });
});
