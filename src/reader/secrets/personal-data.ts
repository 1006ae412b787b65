import { checkTime } from '../../lib/time-limit.ts';
import type { SecretSpan } from './secret-span.ts';

/** One kind of personal data that can be found in a text. */
export interface PersonalDetector {
  readonly name: string;
  readonly summary: string;
  /** Linear in the text: each candidate is bounded. */
  readonly find: (text: string) => readonly SecretSpan[];
}

/** The name for all of them. */
export const ALL_PERSONAL = 'personal';

/** Detectors of personal data, the more specific ones first. */
export const PERSONAL_DETECTORS: readonly PersonalDetector[] = [
  { name: 'email', summary: 'Email addresses', find: findEmails },
  {
    name: 'iban',
    summary: 'IBANs of the right length for their country, with the right check digits',
    find: findIbans,
  },
  {
    name: 'card',
    summary: "Numbers of payment cards, by their issuer's prefix, length and check digit",
    find: findCards,
  },
  {
    name: 'phone',
    summary:
      'Phone numbers with a country code, in the form of North America, or behind a word such as "phone"',
    find: findPhones,
  },
];

const MAX_LOCAL = 64;
const DOMAIN =
  /(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}(?:\p{L}{2,24}|xn--[a-z0-9-]{2,59})(?![\p{L}\p{N}_-])/uy;
/** `icon@2x.png` is a file. */
const FILE_ENDING =
  /\.(?:avif|css|gif|html?|ico|jpe?g|jsx?|json|md|mjs|pdf|png|py|svg|tsx?|webp|ya?ml|zip)$/i;

function findEmails(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    checkTime();
    let start = at;
    while (start > 0 && at - start < MAX_LOCAL && /[\p{L}\p{N}._%+'-]/u.test(text.charAt(start - 1))) start--;
    while (start < at && !/[\p{L}\p{N}_]/u.test(text.charAt(start))) start++;
    DOMAIN.lastIndex = at + 1;
    const domain = DOMAIN.exec(text)?.[0];
    if (start === at || domain === undefined || FILE_ENDING.test(domain)) continue;
    const end = at + 1 + domain.length;
    // The user of a URL, and `git@host:path`.
    if (text.startsWith('//', start - 2) || /^:[^\s]/.test(text.slice(end, end + 2))) continue;
    spans.push({ start, end });
  }
  return spans;
}

/** Lengths of IBANs by country, from the registry of SWIFT. */
const IBAN_LENGTHS: ReadonlyMap<string, number> = new Map(
  (
    '15 NO;16 BE;18 DK FI FO GL NL SD FK;19 MK SI;20 AT BA EE KZ LT LU MN XK;21 CH HR LI LV;' +
    '22 BG BH CR DE GB GE IE ME RS VA;23 AE GI IL IQ OM SO TL;24 AD CZ ES MD PK RO SA SE SK TN VG;25 LY PT ST;' +
    '26 IS TR;27 BI DJ FR GR IT MC MR SM;28 AL AZ BY CY DO GT HN HU LB NI PL SV;29 BR EG PS QA UA;' +
    '30 JO KW MU YE;31 MT SC;32 LC;33 RU'
  )
    .split(';')
    .flatMap((line) => {
      const [length, ...countries] = line.split(' ');
      return countries.map((country) => [country, Number(length)] as const);
    }),
);

function findIbans(text: string): readonly SecretSpan[] {
  return spansOf(text, /(?<![\p{L}\p{N}])[A-Za-z]{2}\d{2}(?=[ ]?[A-Za-z0-9])/gu, (start) => {
    const length = IBAN_LENGTHS.get(text.slice(start, start + 2).toUpperCase());
    const found = length === undefined ? undefined : take(text, start, length, /[A-Za-z0-9]/, / /);
    if (found === undefined || /[\p{L}\p{N}]/u.test(text.charAt(found.end))) return undefined;
    return hasRemainderOne(found.characters.toUpperCase()) ? found.end : undefined;
  });
}

/** The check of ISO 7064, MOD 97-10: letters count from 10, the first four characters come last. */
function hasRemainderOne(iban: string): boolean {
  let remainder = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

/** Prefixes and lengths of the large issuers. */
const ISSUERS: readonly RegExp[] = [
  /^4(?:\d{12}|\d{15}|\d{18})$/,
  /^(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}$/,
  /^3[47]\d{13}$/,
  /^(?:6011|64[4-9]\d|65\d\d)\d{12,15}$/,
  /^35(?:2[89]|[3-8]\d)\d{12,15}$/,
  /^3(?:0[0-5]|[689]\d)\d{11,16}$/,
  /^62\d{14,17}$/,
  /^(?:50[1-3]\d|5893|6304|67[5-6]\d)\d{12,15}$/,
];

function findCards(text: string): readonly SecretSpan[] {
  return spansOf(text, /(?<![\p{L}\p{N}_.,+-])[2-6]\d{3}(?=[ -]?\d)/gu, (start) => {
    let digits = '';
    let end = start;
    // A date may follow it: a group of digits counts as a whole or not at all.
    for (const group of text.slice(start, start + MAX_CARD_CHARS).matchAll(/[ -]?(\d+)/gy)) {
      digits += group[1] ?? '';
      end += group[0].length;
      const isWhole = !/[\p{L}\p{N}_]/u.test(text.charAt(end));
      if (isWhole && ISSUERS.some((issuer) => issuer.test(digits)) && hasCheckDigit(digits)) return end;
    }
    return undefined;
  });
}

/** Nineteen digits with a separator behind each, and one to see that they do not go on. */
const MAX_CARD_CHARS = 40;

/** The check of Luhn, ISO 7812. */
function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits.at(-1 - index));
    const doubled = index % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Country codes of the International Telecommunication Union. */
const COUNTRY =
  '(?:1|7|2(?:[07]|[1-689]\\d)|3(?:[0-469]|[578]\\d)|4(?:[013-9]|2\\d)|5(?:[1-8]|[09]\\d)|6(?:[0-6]|[789]\\d)|8(?:[1246]|[058]\\d)|9(?:[0-58]|[679]\\d))';
const REST = '(?:[ ./-]{0,2}\\(?\\d{1,5}\\)?){2,8}';
const PHONES: readonly (() => RegExp)[] = [
  () => new RegExp(`(?<![\\p{L}\\p{N}_.+])\\+${COUNTRY}${REST}(?![\\p{L}\\p{N}_])`, 'gu'),
  () => new RegExp(`(?<![\\p{L}\\p{N}_.+-])00${COUNTRY}[ ./-]${REST}(?![\\p{L}\\p{N}_])`, 'gu'),
  () =>
    /(?<![\p{L}\p{N}_.+(-])(?:\([2-9]\d\d\) ?|[2-9]\d\d[-.])[2-9]\d\d[-.]\d{4}(?![\p{L}\p{N}_.-]\p{N}|[\p{L}\p{N}_])/gu,
  () =>
    new RegExp(
      `(?<![\\p{L}])(?:cell|fax|mobile?|phone|telephone|tele(?:fon|fono)|tel|handy|whatsapp)(?: (?:no\\.?|number))?["']?[.:=]{0,2} {0,2}["']?((?=[(\\d])${REST})(?![\\p{L}\\p{N}_])`,
      'giu',
    ),
];
const PHONE_DIGITS = { least: 7, most: 15 } as const;

function findPhones(text: string): readonly SecretSpan[] {
  return PHONES.flatMap((pattern) =>
    [...text.matchAll(pattern())].flatMap(({ 0: whole, 1: written = whole, index }) => {
      const start = index + whole.length - written.length;
      let number = written;
      // Another number may follow it.
      while (digitsIn(number) > PHONE_DIGITS.most) number = number.replace(/\D*\d+\)?$/, '');
      if (digitsIn(number) < PHONE_DIGITS.least) return [];
      return [{ start, end: start + number.length }];
    }),
  );
}

function digitsIn(text: string): number {
  return text.replace(/\D/g, '').length;
}

/** The spans from where a pattern matches to where `endOf` says that one ends. */
function spansOf(
  text: string,
  pattern: RegExp,
  endOf: (start: number) => number | undefined,
): readonly SecretSpan[] {
  return [...text.matchAll(pattern)].flatMap(({ index }) => {
    const end = endOf(index);
    return end === undefined ? [] : [{ start: index, end }];
  });
}

/** Up to so many characters of a kind, single separators between them left out. */
function take(
  text: string,
  start: number,
  most: number,
  kind: RegExp,
  separator: RegExp,
): { readonly characters: string; readonly end: number } | undefined {
  let characters = '';
  let end = start;
  for (let at = start; characters.length < most && at < text.length; at++) {
    const character = text.charAt(at);
    if (kind.test(character)) {
      characters += character;
      end = at + 1;
    } else if (!separator.test(character) || at !== end) break;
  }
  return characters === '' ? undefined : { characters, end };
}
