import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { fenceValue } from '../../src/hook/judge/fence.ts';
import { withinProcessorTime } from '../support/processor-time.ts';

const PLAIN = { redact: [], maxChars: 1_000 };

describe('fenceValue', () => {
  test('leaves ordinary text of any script as it is', () => {
    for (const text of ['git push -f\n\tnext', 'Пример', '日本語のテキスト', 'naïve café', 'γλώσσα', '😀']) {
      expect(fenceValue(text, PLAIN)).toEqual({ parts: [text], leftOut: 0 });
    }
  });

  test.each([
    ['a control', 'a\u001b[2Kb', 'a\\u{1b}[2Kb'],
    ['a carriage return', 'rm -rf /\rls', 'rm -rf /\\u{d}ls'],
    ['a direction mark', 'a\u202eb', 'a\\u{202e}b'],
    ['a zero-width space', 'r\u200bm', 'r\\u{200b}m'],
    ['a zero-width joiner', 'r\u200dm', 'r\\u{200d}m'],
    ['a tag character', 'a\u{e0041}', 'a\\u{e0041}'],
    ['a variation selector', 'a\ufe0f', 'a\\u{fe0f}'],
    ['a supplementary variation selector', 'a\u{e0100}', 'a\\u{e0100}'],
    ['a Hangul filler', 'a\u3164b', 'a\\u{3164}b'],
    ['a blank Braille pattern', 'a\u2800b', 'a\\u{2800}b'],
    ['a no-break space', 'a\u00a0b', 'a\\u{a0}b'],
    ['a line separator', 'a\u2028b', 'a\\u{2028}b'],
    ['half a surrogate pair', 'a\ud800b', 'a\\u{d800}b'],
    ['a private character', 'a\ue000b', 'a\\u{e000}b'],
  ])('shows %s as an escape', (_name, text, shown) => {
    expect(fenceValue(text, PLAIN).parts).toEqual([shown]);
  });

  test('redacts secrets before anything else, so that a cut cannot leave half of one', () => {
    const key = `ghp_${'a1B2'.repeat(9)}`;
    const text = `${'x'.repeat(480)} ${key} ${'y'.repeat(600)}`;
    const { parts, leftOut } = fenceValue(text, { redact: ['secrets'], maxChars: 1_000 });
    expect(parts.join('')).not.toContain('ghp_');
    expect(parts.join('')).toContain('[redacted:github]');
    expect(leftOut).toBeGreaterThan(0);
  });

  test.each(['\u200b', '\u200d', '\u00ad', '\u2060', '\ufeff', '\u001b', '\u202e', '\ufe0f', '\u{e0041}'])(
    'redacts secrets in which %j stands, and shows that it stood there',
    (hidden) => {
      const code = `\\u{${hidden.codePointAt(0)?.toString(16)}}`;
      const text = `a${hidden}b AKIAABCD${hidden}EFGHIJKLMNOP c${hidden}d`;
      const { parts } = fenceValue(text, { redact: ['secrets'], maxChars: 1_000 });
      expect(parts).toEqual([`a${code}b [redacted:aws]${code} c${code}d`]);
    },
  );

  test('redacts every secret in which something hidden stands, beside those that stand in the open', () => {
    const text =
      'AKIAABCDEFGHIJKLMNOP x\u200by AKIAABCD\u200bEFGHIJKLMNOP z AKIA\u200bABCDEFGHIJKLMNOP\u200b';
    const { parts } = fenceValue(text, { redact: ['secrets'], maxChars: 1_000 });
    expect(parts[0].match(/\[redacted:aws\]/g)).toHaveLength(3);
    expect(parts[0]).not.toMatch(/AKIA|MNOP|EFGH/);
    expect(parts[0].match(/\\u\{200b\}/g)).toHaveLength(4);
  });

  test('sends secrets as they are only where redaction is off', () => {
    const key = `ghp_${'a1B2'.repeat(9)}`;
    expect(fenceValue(key, PLAIN).parts).toEqual([key]);
  });

  test('cuts out the middle and says how much', () => {
    const text = `start${'x'.repeat(5_000)}end`;
    const { parts, leftOut } = fenceValue(text, { redact: [], maxChars: 200 });
    expect(parts[0].startsWith('start')).toBe(true);
    expect(parts.at(-1)?.endsWith('end')).toBe(true);
    expect(leftOut).toBe(text.length - 200);
  });

  test('never shows more than the bound, half a character or anything hidden', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 3_000 }),
        fc.integer({ min: 200, max: 800 }),
        (text, maxChars) => {
          const { parts, leftOut } = fenceValue(text, { redact: ['secrets'], maxChars });
          const shown = parts.join('');
          expect(shown.length).toBeLessThanOrEqual(maxChars);
          expect(shown.isWellFormed()).toBe(true);
          expect(/(?![\n\t])[\p{Cc}\p{Cf}\p{Co}]/u.test(shown)).toBe(false);
          if (leftOut === 0) expect(parts).toHaveLength(1);
        },
      ),
    );
  });

  test('is done with 8 MB in a moment', () => {
    const text = 'password=hunter2hunter2 \u202e'.repeat(300_000);
    withinProcessorTime(3_000, () => fenceValue(text, { redact: ['secrets'], maxChars: 16_000 }));
  });
});
