import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { sha256Hex } from '../../src/lib/digest.ts';

const part = fc.oneof(fc.string({ unit: 'grapheme' }), fc.uint8Array());

describe('sha256Hex', () => {
  test('is the SHA-256 of the parts, each after its length in bytes', () => {
    const expected = createHash('sha256').update('2:é3:abc').digest('hex');
    expect(sha256Hex(['é', 'abc'])).toBe(expected);
    expect(sha256Hex([])).toBe(createHash('sha256').digest('hex'));
  });

  test('takes a string for its UTF-8 bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(sha256Hex([text])).toBe(sha256Hex([new TextEncoder().encode(text)]));
      }),
    );
  });

  test('changes when text moves from one part to another', () => {
    expect(sha256Hex(['ab', 'c'])).not.toBe(sha256Hex(['a', 'bc']));
    expect(sha256Hex(['', 'a'])).not.toBe(sha256Hex(['a', '']));
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        expect(sha256Hex([...parts, ''])).not.toBe(sha256Hex(parts));
      }),
    );
  });
});
