import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { mayLieBelow, newAnchored, testText } from '../../src/language/keys/path/anchored-glob.ts';
import { placesOf } from '../../src/language/keys/path/glob-places.ts';
import { globProblem } from '../../src/lib/glob/glob.ts';

const name = fc.constantFrom('a', '.b', 'ab');
const pieces = '/ /a /.b /ab /** /* /a* /? /{a,ab} {,/.b} /[ab] {/a/**,/.b/ab} \\*'.split(' ');
const glob = fc
  .tuple(fc.constantFrom('', '**', '/a', '{/a,/ab}'), fc.array(fc.constantFrom(...pieces), { maxLength: 4 }))
  .map(([start, rest]) => start + rest.join(''))
  .filter((pattern) => pattern !== '' && globProblem(pattern) === undefined);

test('a folder around the places of a glob is not ruled out by the text of the glob', () => {
  let around = 0;
  fc.assert(
    fc.property(glob, fc.array(name, { maxLength: 3 }), (pattern, names) => {
      const folder = `/${names.join('/')}`;
      const anchored = newAnchored(pattern);
      const { known, named } = placesOf(anchored);
      if (!known.has(folder) && !named.some((each) => testText(each, folder) === true)) return;
      around += 1;
      expect([pattern, folder, mayLieBelow(folder, anchored)]).toEqual([pattern, folder, true]);
    }),
    { numRuns: 2_000 },
  );
  expect(around).toBeGreaterThan(100);
});
