import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { isPlainRegex, parseRegex, programSizeBound } from '../../src/lib/regex/regex-syntax.ts';
import { regexSource } from './regex-source.ts';

/** Signs in any order, most of them no regular expression. */
const noise = fc
  .array(
    fc.constantFrom(
      '(',
      ')',
      '(?:',
      '(?i)',
      '(?P<n>',
      '[',
      '[^',
      ']',
      '[:',
      ':]',
      '-',
      '\\',
      '\\Q',
      '\\E',
      '|',
      '*',
      '+',
      '?',
      '{2}',
      '{',
      '}',
      'a',
      '\\x{61}',
      '\\p{L}',
      '\\d',
      '^',
      '.',
      'é',
      '!',
      '😀',
    ),
    { maxLength: 9 },
  )
  .map((parts) => parts.join(''));

function compiled(source: string): RE2JS | undefined {
  try {
    return RE2JS.compile(source);
  } catch {
    return undefined;
  }
}

describe('parseRegex', () => {
  test('accepts all that the engine accepts', () => {
    let accepted = 0;
    fc.assert(
      fc.property(fc.oneof(noise, regexSource({ portable: false })), (source) => {
        if (compiled(source) === undefined) return;
        accepted += 1;
        expect(parseRegex(source)).toHaveProperty('type');
      }),
      { numRuns: 1000 },
    );
    expect(accepted).toBeGreaterThan(200);
  });
});

describe('programSizeBound', () => {
  test('is never less than the size of the compiled program', () => {
    const repeated = fc
      .tuple(regexSource({ portable: false }), fc.constantFrom('{5}', '{3,9}', '{4,}', '*'))
      .map(([body, times]) => `(?:${body})${times}`);
    let compared = 0;
    fc.assert(
      fc.property(fc.oneof(noise, repeated), (source) => {
        const engine = compiled(source);
        const tree = parseRegex(source);
        if (engine === undefined || !('type' in tree)) return;
        compared += 1;
        // Two instructions frame every program.
        expect(engine.programSize()).toBeLessThanOrEqual(programSizeBound(tree) + 2);
      }),
      { numRuns: 1000 },
    );
    expect(compared).toBeGreaterThan(150);
  });
});

describe('isPlainRegex', () => {
  test('is true only for what the engine accepts, given that the reader does', () => {
    const sources = fc.oneof(noise, regexSource({ portable: false }));
    let plain = 0;
    fc.assert(
      fc.property(sources, (source) => {
        if (!('type' in parseRegex(source)) || !isPlainRegex(source)) return;
        plain += 1;
        expect(compiled(source)).toBeDefined();
      }),
      { numRuns: 1000 },
    );
    expect(plain).toBeGreaterThan(40);
  });

  test.each(['\\bforbidden\\s+--(force|now)\\b', '(?i)drop\\s+(?:table|database)', '^a.?b*?c+$', '\\.env$'])(
    'is true for %p',
    (source) => {
      expect(isPlainRegex(source)).toBe(true);
    },
  );

  test.each(['a**', '(?P<n>a)', 'a(?i)b', '[z-a]', 'a{2000}', '\\y', '\\pX', '\\é', '\\Qa', 'é'])(
    'leaves %p to the engine',
    (source) => {
      expect(isPlainRegex(source)).toBe(false);
    },
  );
});
