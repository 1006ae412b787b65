import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { losesDigits, parseWithExactId } from '../../src/lib/exact-numbers.ts';
import { withinProcessorTime } from '../support/processor-time.ts';

describe('losesDigits', () => {
  test.each([
    '{"a":9007199254740993}',
    '[-12345678901234567890]',
    '{"a":0.1000000000000000055511151231257827}',
    '[1,{"b":"\\"",\n"c":[18446744073709551615]}]',
    '[1e400]',
    '[1e-400]',
  ])('says that %s does', (text) => {
    expect(losesDigits(text)).toBe(true);
  });

  test.each([
    '{"a":9007199254740992,"b":1e21,"c":0.30000000000000004}',
    '{"a":"9007199254740993"}',
    '{"9007199254740993":1}',
    '["\\"9007199254740993\\\\",1]',
    '[1.00000000000000000000,-0.0,100000000000000000000]',
    '{"a":',
    'no JSON at all',
    '',
  ])('says that %s does not', (text) => {
    expect(losesDigits(text)).toBe(false);
  });

  test('says it of what is written otherwise when it is read and written again', () => {
    const whole = fc.oneof(
      fc.bigInt({ min: 0n, max: 10n ** 25n }),
      // Where a number still has a few decimal places, but not all.
      fc.bigInt({ min: 2n ** 47n, max: 2n ** 55n }),
    );
    const number = fc.tuple(whole, fc.constantFrom('', '.5', '.125')).map((parts) => parts.join(''));
    fc.assert(
      fc.property(number, (source) => {
        const written = JSON.stringify(JSON.parse(source));
        expect(losesDigits(`[${source}]`)).toBe(thousandths(written) !== thousandths(source));
      }),
    );
  });

  test('takes time that grows with the text alone', () => {
    const texts = [
      `[12345678901234560000,${'1,'.repeat(1_000_000)}1]`,
      `[12345678901234560000,${Array.from({ length: 100_000 }, (_, index) => 10 ** 9 + index).join()}]`,
      `[1${'0'.repeat(1_000_000)}]`,
      `["${'\\\\'.repeat(500_000)}",${'"",'.repeat(300_000)}1e100]`,
    ];
    for (const text of texts) withinProcessorTime(1_000, () => losesDigits(text));
  });
});

/** A decimal of at most three decimal places, times 1,000. */
function thousandths(decimal: string): bigint {
  const [digits = '', power = '0'] = decimal.split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  return BigInt(whole + fraction) * 10n ** BigInt(Number(power) + 3 - fraction.length);
}

describe('parseWithExactId', () => {
  test.each([
    ['{"id":9007199254740993,"a":1}', '9007199254740993'],
    ['{"a":{"id":1},"id":18446744073709551615}', '18446744073709551615'],
    ['{"id":1,"i\\u0064" : 9007199254740993}', '9007199254740993'],
    ['{"id":7,"a":"1234567890123456"}', '7'],
    ['{"id":"x","a":1234567890123456}', '"x"'],
    ['{"id":1000000000000000000000}', '1000000000000000000000'],
    ['{"a":"id","b":9007199254740993,"id":2}', '2'],
    ['{"id":9007199254740993,"a":{"id":5},"b":[{"id":6}]}', '9007199254740993'],
  ])('of %s keeps the id %s', (text, id) => {
    expect(JSON.stringify((parseWithExactId(text) as { id: unknown }).id)).toBe(id);
  });

  test.each(['[9007199254740993]', '9007199254740993', '{"a":[{"id":9007199254740993}]}'])(
    'reads %s as it is',
    (text) => {
      expect(parseWithExactId(text)).toEqual(JSON.parse(text));
    },
  );
});
