import { describe, expect, test } from 'bun:test';
import { posix } from 'node:path';
import fc from 'fast-check';
import { isPathSetName, PATH_SET_NAMES } from '../../src/language/keys/path/sets.ts';
import { baseName, pathAnchor, resolvePath } from '../../src/reader/reading/path.ts';
import {
  joinWords,
  outsideVariable,
  showWord,
  textWord,
  unknownWord,
  type Word,
} from '../../src/reader/reading/word.ts';

const KNOWN = { cwd: textWord('/work/app'), home: '/home/me' };
const UNKNOWN = { cwd: undefined, home: undefined };
const HOME = outsideVariable('HOME', '~');

describe('resolvePath', () => {
  test.each([
    ['a', '/work/app/a'],
    ['./a', '/work/app/a'],
    ['../a', '/work/a'],
    ['../../../a', '/a'],
    ['/a//b/./c/../d/', '/a/b/d'],
    ['/', '/'],
    ['/..', '/'],
    ['.', '/work/app'],
    ['~/a', '/work/app/~/a'],
    ['...', '/work/app/...'],
    ['C:\\a', 'C:\\a'],
  ])('normalises %p to %p', (path, resolved) => {
    expect(showWord(resolvePath(textWord(path), KNOWN))).toBe(resolved);
  });

  test.each([
    ['a/./b/', 'a/b'],
    ['../a', '../a'],
    ['a/../..', '..'],
    ['.', '.'],
    ['a/..', '.'],
    ['~/a', './~/a'],
    ['./~', './~'],
  ])('leaves %p relative as %p where the folder is not known', (path, resolved) => {
    expect(showWord(resolvePath(textWord(path), UNKNOWN))).toBe(resolved);
  });

  test('fills in the home directory, or leaves the tilde', () => {
    const path = joinWords(HOME, textWord('/.ssh/../.netrc'));
    expect(showWord(resolvePath(path, KNOWN))).toBe('/home/me/.netrc');
    expect(showWord(resolvePath(path, UNKNOWN))).toBe('~/.netrc');
    expect(showWord(resolvePath(joinWords(HOME, textWord('/..')), UNKNOWN))).toBe('~/..');
    expect(showWord(resolvePath(HOME, UNKNOWN))).toBe('~');
  });

  test('keeps unknown parts, and what is known around them', () => {
    const x = unknownWord('$X');
    const show = (...parts: readonly Word[]) => showWord(resolvePath(parts.reduce(joinWords, []), KNOWN));
    expect(show(textWord('a/'), x, textWord('//b/'))).toBe('/work/app/a/$X/b');
    expect(show(x, textWord('/b'))).toBe('$X/b');
    expect(show(textWord('/a/b'), x, textWord('/../c'))).toBe('/a/$X/../c');
    expect(show(textWord('/a/'), x, textWord('/b/../c'))).toBe('/a/$X/c');
    expect(resolvePath([], KNOWN)).toEqual([]);
  });

  test('says where a path starts', () => {
    const anchor = (path: Word) => pathAnchor(resolvePath(path, UNKNOWN));
    expect(anchor(textWord('/a'))).toBe('root');
    expect(anchor(HOME)).toBe('home');
    expect(anchor(textWord('a'))).toBe('start');
    expect(anchor(textWord('~'))).toBe('start');
    expect(anchor(unknownWord('$X'))).toBe('unknown');
  });

  const paths = fc.stringMatching(/^[ab./]{1,12}$/);

  test('agrees with node:path on paths that are known', () => {
    fc.assert(
      fc.property(paths, (path) => {
        const expected = posix.resolve('/work/app', path);
        expect(showWord(resolvePath(textWord(path), KNOWN))).toBe(expected);
      }),
    );
  });

  test('does not change what it returned', () => {
    fc.assert(
      fc.property(fc.oneof(paths, fc.string()), (path) => {
        const once = resolvePath(textWord(path), KNOWN);
        expect(resolvePath(once, KNOWN)).toEqual(once);
      }),
    );
  });

  test('finds the last name', () => {
    expect(showWord(baseName(textWord('/a/b.c')))).toBe('b.c');
    expect(showWord(baseName(joinWords(textWord('/a/'), unknownWord('$X'))))).toBe('$X');
  });
});

test('path sets are known by name', () => {
  expect(PATH_SET_NAMES).toEqual(
    expect.arrayContaining(['secrets', 'vcs', 'system', 'shell_startup', 'agent_config']),
  );
  expect(isPathSetName('secrets')).toBe(true);
  expect(isPathSetName('__proto__')).toBe(false);
});
