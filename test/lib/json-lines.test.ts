import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createLineSplitter } from '../../src/lib/json-lines.ts';

function split(chunks: readonly Uint8Array[]): readonly string[] {
  const lines: string[] = [];
  const splitter = createLineSplitter((line) => lines.push(line));
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return lines;
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

describe('createLineSplitter', () => {
  test.each<[string, readonly string[]]>([
    ['{"a":1}\n{"b":2}\n', ['{"a":1}', '{"b":2}']],
    ['a\r\nb\r\n', ['a', 'b']],
    ['a\n\nb', ['a', '', 'b']],
    ['no end', ['no end']],
    ['', []],
    ['\n', ['']],
    ['a\rb\n', ['a\rb']],
  ])('splits %j', (text, expected) => {
    expect(split([bytes(text)])).toEqual(expected);
  });

  test('gives the same lines wherever the chunks are cut', () => {
    const text = fc
      .array(fc.constantFrom('a', 'é', '😀', '\n', '\r\n', '"'), { maxLength: 40 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.array(fc.nat(60)), (source, cuts) => {
        const whole = bytes(source);
        const places = [0, ...cuts.filter((at) => at < whole.length).sort((a, b) => a - b), whole.length];
        const chunks = places.slice(1).map((end, i) => whole.slice(places[i], end));
        const lines = source.split(/\r?\n/);
        if (lines.at(-1) === '') lines.pop();
        expect(split(chunks)).toEqual(lines);
      }),
    );
  });

  test('delivers a line as soon as it is complete and forgets the bytes it was given', () => {
    const lines: string[] = [];
    const splitter = createLineSplitter((line) => lines.push(line));
    const buffer = bytes('one\ntw');
    splitter.push(buffer);
    expect(lines).toEqual(['one']);
    buffer.fill(120);
    splitter.push(bytes('o\n'));
    expect(lines).toEqual(['one', 'two']);
  });

  test('takes a line of 64 MB in small chunks without copying it again and again', () => {
    const lengths: number[] = [];
    const splitter = createLineSplitter((line) => lengths.push(line.length));
    const chunk = new Uint8Array(4096).fill(97);
    for (let i = 0; i < 16_384; i++) splitter.push(chunk);
    splitter.push(bytes('\n'));
    expect(lengths).toEqual([64 * 1024 * 1024]);
  });

  test('keeps only the beginning of a line that is too long', () => {
    const line = fc.oneof(fc.constantFrom('', 'x'.repeat(10), 'x'.repeat(11)), fc.string({ maxLength: 30 }));
    fc.assert(
      fc.property(
        fc.array(line.map((text) => text.replace(/[\r\n]/g, ''))),
        fc.integer({ min: 1, max: 7 }),
        (lines, size) => {
          const seen: [string, string][] = [];
          const splitter = createLineSplitter((text) => seen.push(['line', text]), {
            maxBytes: 10,
            onTooLong: (head) => seen.push(['too long', head]),
          });
          const whole = bytes(lines.map((text) => `${text}\n`).join(''));
          for (let at = 0; at < whole.length; at += size) splitter.push(whole.subarray(at, at + size));
          splitter.end();
          expect(seen.map(([what]) => what)).toEqual(
            lines.map((text) => (bytes(text).length > 10 ? 'too long' : 'line')),
          );
          for (const [index, [, text]] of seen.entries())
            expect(lines[index]).toStartWith(text.replace(/\ufffd$/, ''));
        },
      ),
    );
  });

  test('says that a line is too long once, where it ends', () => {
    const heads: string[] = [];
    const lines: string[] = [];
    const splitter = createLineSplitter((line) => lines.push(line), {
      maxBytes: 2000,
      onTooLong: (head) => heads.push(head),
    });
    for (let i = 0; i < 5000; i++) splitter.push(bytes('x'));
    expect(heads).toEqual([]);
    splitter.push(bytes('y\nnext\n'));
    expect(heads).toEqual(['x'.repeat(1024)]);
    for (let i = 0; i < 3000; i++) splitter.push(bytes('z'));
    splitter.end();
    expect(heads).toEqual(['x'.repeat(1024), 'z'.repeat(1024)]);
    expect(lines).toEqual(['next']);
  });

  test('replaces bytes that are no UTF-8 and keeps the line break behind them', () => {
    expect(split([Uint8Array.of(0xf0, 0x9f, 10, 97, 10)])).toEqual(['\ufffd', 'a']);
  });
});
