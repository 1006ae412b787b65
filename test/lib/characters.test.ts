import { describe, expect, test } from 'bun:test';
import { countCharacters, offsetOfCharacter } from '../../src/lib/characters.ts';

describe('countCharacters', () => {
  test.each([
    ['', 0],
    ['abc', 3],
    ['a🔒b', 3],
    ['\ud83d', 1],
    ['\udd12\ud83d', 2],
    ['e\u0301', 2],
  ])('of %j is %i', (text, count) => {
    expect(countCharacters(text)).toBe(count);
  });
});

describe('offsetOfCharacter', () => {
  test.each([
    ['a🔒b', 0, 0],
    ['a🔒b', 1, 1],
    ['a🔒b', 2, 3],
    ['a🔒b', 9, 4],
  ])('in %j of character %i is %i', (text, character, offset) => {
    expect(offsetOfCharacter(text, character)).toBe(offset);
  });
});
