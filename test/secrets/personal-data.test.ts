import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { PERSONAL_DETECTORS } from '../../src/reader/secrets/personal-data.ts';
import { redactSecrets } from '../../src/reader/secrets/redact-secrets.ts';
import { withinProcessorTime } from '../support/processor-time.ts';

function found(detector: string, text: string): string {
  return redactSecrets(text, [detector]).text;
}

/** The published test numbers of issuers, and examples of the IBAN registry: nobody's. */
const HITS: readonly (readonly [detector: string, before: string, hit: string, after: string])[] = [
  ['email', 'write to ', 'ada.l+x@mail.example.com', '.'],
  ['email', '<', "o'brien@example.co.uk", '>'],
  ['email', 'mailto:', 'a@b.io', '?subject=x'],
  ['email', '{"to":"', 'jürgen@bücher.example', '"}'],
  ['email', 'from ', 'x_1@xn--bcher-kva.example', ': hello'],
  ['iban', 'IBAN ', 'DE89 3704 0044 0532 0130 00', ', Berlin'],
  ['iban', '', 'GB29NWBK60161331926819', ''],
  ['iban', 'iban=', 'fr1420041010050500013m02606', '&'],
  ['iban', '', 'NO9386011117947', '\n'],
  ['iban', '(', 'CH93 0076 2011 6238 5295 7', ')'],
  ['card', 'card: ', '4111 1111 1111 1111', ' 12/29'],
  ['card', '', '5555555555554444', ''],
  ['card', '"', '3782-822463-10005', '"'],
  ['card', '', '6011000990139424', ';'],
  ['card', '', '2223003122003222', ' '],
  ['card', '', '30569309025904', ''],
  ['phone', 'call ', '+49 30 901820', '.'],
  ['phone', '', '+1 (415) 555-0132', ''],
  ['phone', '', '+442079460000', ' '],
  ['phone', 'ring ', '0049 30 901820', ' now'],
  ['phone', '', '(415) 555-0132', ','],
  ['phone', '', '415-555-0132', ''],
  ['phone', 'Tel.: ', '030 901820', ''],
  ['phone', '"phone": "', '0309018200', '"'],
];

const TWINS: readonly (readonly [detector: string, text: string])[] = [
  ['email', 'git@github.com:org/repo.git'],
  ['email', 'https://user@example.com/x'],
  ['email', 'npm i lodash@4.17.21 @types/node@20'],
  ['email', 'uses: actions/checkout@v4.1.1'],
  ['email', 'logo@2x.png'],
  ['email', '@decorator foo@bar root@localhost'],
  ['email', 'image@sha256:0123456789abcdef'],
  ['iban', 'DE89 3704 0044 0532 0130 01'],
  ['iban', 'GB29NWBK6016133192681'],
  ['iban', 'XX89370400440532013000'],
  ['iban', 'AB12 CD34 is a part number'],
  ['iban', 'ade89370400440532013000'],
  ['card', '4111 1111 1111 1112'],
  ['card', '41111111111111111111111'],
  ['card', '1732372800000000000'],
  ['card', 'id-4111111111111111'],
  ['card', '4111  1111  1111  1111'],
  ['card', '550e8400-e29b-41d4-a716-446655440000'],
  ['card', '0.4111111111111111'],
  ['phone', '2026-11-23 10:38:25'],
  ['phone', '10.0.0.1 192.168.100.200 255.255.255.0'],
  ['phone', 'v415.555.0132'],
  ['phone', '1700000000 0012345678 1732372800000'],
  ['phone', '+3.14159 a+4930901820 +5'],
  ['phone', '550e8400-e29b-41d4-a716-446655440000'],
  ['phone', 'telegram 5 hotel 12'],
  ['phone', '100-200-3000'],
];

describe('personal data', () => {
  test.each([...HITS])('%s: finds in %p %p', (detector, before, hit, after) => {
    expect(found(detector, before + hit + after)).toBe(`${before}[redacted:${detector}]${after}`);
    expect(found('personal', before + hit + after)).not.toContain(hit);
    expect(found('secrets', before + hit + after)).toBe(before + hit + after);
  });

  test.each([...TWINS])('%s: leaves %p alone', (detector, text) => {
    expect(found(detector, text)).toBe(text);
  });

  test('one wrong digit is no IBAN and no card', () => {
    for (const number of ['DE89370400440532013000', '4111111111111111', '378282246310005']) {
      for (let at = number.length - 8; at < number.length; at++) {
        const wrong = (Number(number[at]) + 1) % 10;
        const text = number.slice(0, at) + wrong + number.slice(at + 1);
        expect(found('iban', found('card', text))).toBe(text);
      }
    }
  });

  test('digits behind a number do not hide it', () => {
    expect(found('phone', '+49 30 901820 0170 1234567')).toBe('[redacted:phone] 1234567');
    expect(found('card', '4111111111111111 5555555555554444')).toBe('[redacted:card] [redacted:card]');
  });

  test('redacting again changes nothing', () => {
    const piece = fc.constantFrom(...HITS.map(([, , hit]) => hit), ' ', 'x', '@', '+', '4', '0', ', ');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const once = found('personal', pieces.join(', '));
        expect(found('personal', once)).toBe(once);
      }),
    );
  });

  test.each(PERSONAL_DETECTORS.map(({ name }) => name))('%s takes time that grows with the text', (name) => {
    for (const unit of [
      'a@',
      'a.',
      '@a.',
      '4111 ',
      '4',
      '+1 ',
      '+',
      '(',
      'DE89 ',
      'tel ',
      'tel:0 ',
      '0 ',
      '00 ',
    ]) {
      const text = unit.repeat(Math.ceil(300_000 / unit.length));
      withinProcessorTime(2_000, () => found(name, text));
    }
  });
});
