import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { parseRegex, programSizeBound } from '../../src/lib/regex-syntax.ts';
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
    fc.assert(
      fc.property(fc.oneof(noise, regexSource({ portable: false })), (source) => {
        if (compiled(source) !== undefined) expect(parseRegex(source)).toHaveProperty('type');
      }),
      { numRuns: 5000 },
    );
  });
});

describe('programSizeBound', () => {
  test('is never less than the size of the compiled program', () => {
    const repeated = fc
      .tuple(regexSource({ portable: false }), fc.constantFrom('{5}', '{3,9}', '{4,}', '*'))
      .map(([body, times]) => `(?:${body})${times}`);
    fc.assert(
      fc.property(fc.oneof(noise, repeated), (source) => {
        const engine = compiled(source);
        const tree = parseRegex(source);
        if (engine === undefined || !('type' in tree)) return;
        // Two instructions frame every program.
        expect(engine.programSize()).toBeLessThanOrEqual(programSizeBound(tree) + 2);
      }),
      { numRuns: 3000 },
    );
  });
});
