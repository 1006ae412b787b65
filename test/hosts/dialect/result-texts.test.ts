import { expect, test } from 'bun:test';
import { resultTexts, withheldResult } from '../../../src/hosts/dialect/result-texts.ts';
import type { Json } from '../../../src/lib/json.ts';

const RESULTS: readonly (readonly [Json, readonly string[], Json])[] = [
  ['key', ['key'], 'no'],
  [null, [], null],
  [
    { stdout: 'long', stderr: 'b', interrupted: false },
    ['long', 'b'],
    { stdout: 'no', stderr: '', interrupted: false },
  ],
  [
    ['a', 'a'],
    ['a', 'a'],
    ['no', ''],
  ],
  [
    [
      { type: 'text', text: 'a' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    ],
    ['a'],
    [
      { type: 'text', text: 'no' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    ],
  ],
  [{ data: 'words' }, ['words'], { data: 'no' }],
];

test.each(RESULTS)('the texts of %j are found, and withheld in the same shape', (result, texts, withheld) => {
  expect([...resultTexts(result, [])].map(({ text }) => text)).toEqual([...texts]);
  expect(withheldResult(result, 'no')).toEqual(withheld);
});
