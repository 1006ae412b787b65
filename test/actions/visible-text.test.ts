import { describe, expect, test } from 'bun:test';
import { capText, visibleLines, visibleText } from '../../src/language/actions/visible-text.ts';

test.each([
  ['plain é 漢 🙂 👩\u200d💻', 'plain é 漢 🙂 👩\u200d💻'],
  ['a\nb\tc\r', 'a\\nb\\tc\\r'],
  ['\u001b[31m', '\\u{1b}[31m'],
  ['\u202eabc\u200b', '\\u{202e}abc\\u{200b}'],
  [
    'tag \u{e0041} and one that is not assigned \u{e0000}',
    'tag \\u{e0041} and one that is not assigned \\u{e0000}',
  ],
  ['\u{e0041}', '\\u{e0041}'],
  ['\ud800', '\\u{d800}'],
  ['\u2028', '\\u{2028}'],
])('visibleText shows hidden characters of %j', (text, expected) => {
  expect(visibleText(text)).toBe(expected);
});

test('visibleLines leaves line feeds and tabs', () => {
  expect(visibleLines('a\n\tb\r\u0000')).toBe('a\n\tb\\r\\u{0}');
});

describe('capText', () => {
  test('leaves a text that fits', () => {
    expect(capText('ééé', 6)).toBe('ééé');
  });

  test('cuts between characters and counts bytes', () => {
    expect(capText('🙂🙂🙂', 11)).toBe('🙂🙂…');
    expect(capText('🙂🙂🙂', 10)).toBe('🙂…');
  });
});
