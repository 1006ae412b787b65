import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { BUILTIN_PACKS } from '../../src/language/policy/compile/packs.ts';
import { cursorAt } from '../../src/tools/lsp/cursor.ts';

describe('the cursor', () => {
  const text = fc.oneof(
    fc.constantFrom(...BUILTIN_PACKS.names.map((name) => BUILTIN_PACKS.text(name) ?? '')),
    fc.string({
      unit: fc.constantFrom(
        'a',
        ' ',
        '\n',
        ':',
        '-',
        '{',
        '}',
        '[',
        ']',
        '"',
        "'",
        '#',
        '|',
        '&',
        '*',
        '\t',
        '\r',
        '?',
        ',',
      ),
    }),
  );

  test('is found behind empty lines', () => {
    expect(cursorAt('\na', 2)).toMatchObject({ before: 'a' });
    expect(cursorAt('a\n\na', 3)).toMatchObject({ start: 3 });
  });

  test('is found or not at every offset of any text, within that text', () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), (whole, end, at) => {
        const cut = whole.slice(0, end % (whole.length + 1));
        const offset = at % (cut.length + 1);
        const cursor = cursorAt(cut, offset);
        if (cursor === undefined) return;
        expect(cursor.start).toBeLessThanOrEqual(offset);
        expect(cursor.end).toBeGreaterThanOrEqual(offset);
        expect(cursor.start).toBeGreaterThanOrEqual(0);
        expect(cursor.end).toBeLessThanOrEqual(cut.length);
        expect(cut.slice(cursor.start, offset)).toBe(cursor.before);
      }),
      { numRuns: 400 },
    );
  });
});
