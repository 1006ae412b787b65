import { expect, test } from 'bun:test';
import { displayWidth } from '../../src/tools/report/layout/display-width.ts';
import { wrapText } from '../../src/tools/report/layout/wrap-text.ts';

test.each([
  ['short', 20, '', ['short']],
  ['one two three four five six', 20, '', ['one two three four', 'five six']],
  ['  name  what it is and what it does', 30, '        ', ['  name  what it is and what it', '        does']],
  ['a-word-that-is-far-too-long-for-it then', 20, '', ['a-word-that-is-far-too-long-for-it', 'then']],
  ['漢字漢字漢字 漢字漢字漢字', 20, '', ['漢字漢字漢字', '漢字漢字漢字']],
  ['it took a while, 1.5 ms', 20, '', ['it took a while,', '1.5 ms']],
  ['no room is left here', 10, '', ['no room is left here']],
])('"%s" in %i columns', (text, columns, indent, lines) => {
  expect(wrapText(text, columns, indent)).toEqual(lines);
  for (const line of lines.slice(0, -1))
    if (line.includes(' ')) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
});
