import { expect, test } from 'bun:test';
import { sessionPicture } from '../../scripts/demo/session.ts';
import { BINARY } from '../support/binary.ts';
import { expectGolden } from '../support/golden.ts';

test('the picture in the README shows what the program answers', () => {
  const svg = sessionPicture(BINARY);
  expectGolden(import.meta.dir, '../../../docs/session.svg', svg);
  expect(svg.match(/✗/g)).toHaveLength(3);
  expect(svg.match(/✓/g)).toHaveLength(2);
});
