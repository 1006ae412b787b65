import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { patternCovers, patternsOverlap } from '../../src/language/keys/types/name-pattern.ts';
import { compileNameGlob } from '../../src/lib/glob/glob.ts';

const pattern = fc
  .array(fc.constantFrom('a', 'b', '*'), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join(''));
/** Every name of at most six letters. */
const NAMES = Array.from({ length: 7 }, (_, length) =>
  Array.from({ length: 2 ** length }, (_name, bits) =>
    Array.from({ length }, (_letter, at) => ((bits >> at) & 1 ? 'a' : 'b')).join(''),
  ),
).flat();

describe('patternsOverlap', () => {
  test('is true exactly if some name fits both', () => {
    fc.assert(
      fc.property(pattern, pattern, (a, b) => {
        const [fitsA, fitsB] = [compileNameGlob(a), compileNameGlob(b)];
        // Patterns of at most five characters that share a name share one of at most ten letters, and, with two
        // letters, one of at most six unless both are longer than that without their stars.
        const shared = NAMES.some((name) => fitsA(name) && fitsB(name));
        if (shared) expect(patternsOverlap(a, b)).toBe(true);
        if (!patternsOverlap(a, b)) expect(shared).toBe(false);
        if (a.replaceAll('*', '').length + b.replaceAll('*', '').length <= 6)
          expect(patternsOverlap(a, b)).toBe(shared);
      }),
      { numRuns: 500 },
    );
  });
});

describe('patternCovers', () => {
  test('is true only if every name that fits the narrow pattern fits the wide one', () => {
    let covered = 0;
    fc.assert(
      fc.property(pattern, pattern, (wide, narrow) => {
        if (!patternCovers(wide, narrow)) return;
        covered += 1;
        const [fitsWide, fitsNarrow] = [compileNameGlob(wide), compileNameGlob(narrow)];
        for (const name of NAMES) if (fitsNarrow(name)) expect(fitsWide(name)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
    expect(covered).toBeGreaterThan(50);
  });

  test.each([
    ['mcp_*', 'mcp_github_*', true],
    ['mcp_github_*', 'mcp_*', false],
    ['*', 'x', true],
    ['exec', 'exec', true],
    ['exec', 'exec2', false],
  ])('of %s and %s says %p', (wide, narrow, wanted) => {
    expect(patternCovers(wide, narrow)).toBe(wanted);
  });
});
