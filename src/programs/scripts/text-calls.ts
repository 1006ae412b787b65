import { decodeBase64, decodeHex } from '../../lib/decode.ts';
import { joinWords, knownText, textWord, type Word } from '../../reading/word.ts';
import { listValue, MAX_CHARS, textValue, UNKNOWN_VALUE, type Value, wordOf } from './values.ts';

const reverse = (text: string) => [...text].reverse().join('');
const lower = (text: string) => text.toLowerCase();
const upper = (text: string) => text.toUpperCase();

/** Calls that make another text of one that is known. */
const CHANGES: Readonly<Record<string, (text: string) => string | undefined>> = {
  b64decode: decodeBase64,
  urlsafe_b64decode: decodeBase64,
  standard_b64decode: decodeBase64,
  decodebytes: decodeBase64,
  atob: decodeBase64,
  decode64: decodeBase64,
  strict_decode64: decodeBase64,
  urlsafe_decode64: decodeBase64,
  base64_decode: decodeBase64,
  decode_base64: decodeBase64,
  fromhex: decodeHex,
  unhexlify: decodeHex,
  hex2bin: decodeHex,
  reverse,
  reversed: reverse,
  strrev: reverse,
  lower,
  lc: lower,
  downcase: lower,
  toLowerCase: lower,
  strtolower: lower,
  upper,
  uc: upper,
  upcase: upper,
  toUpperCase: upper,
  strtoupper: upper,
  str_rot13: rotated,
};

function rotated(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
}

/** The text that a call makes of another; undefined if it is no such call. */
export function changedText(name: string, subject: Value | undefined): Value | undefined {
  const change = Object.hasOwn(CHANGES, name) ? CHANGES[name] : undefined;
  if (change === undefined) return undefined;
  if (subject?.type === 'list' && change === reverse)
    return { type: 'list', items: subject.items.toReversed() };
  const known = knownText(wordOf(subject));
  const text = known === undefined ? undefined : change(known);
  return text === undefined ? UNKNOWN_VALUE : textValue(textWord(text));
}

/** `text.replace(old, new)` of texts that are known; `once`: the first one only. */
export function replacedText(values: readonly (Value | undefined)[], once: boolean): Value {
  const [text, from, to] = values.map((value) => knownText(wordOf(value)));
  if (text === undefined || from === undefined || to === undefined || from === '') return UNKNOWN_VALUE;
  const parts = text.split(from);
  if (text.length + (parts.length - 1) * (to.length - from.length) > MAX_CHARS) return UNKNOWN_VALUE;
  const joined = once ? `${parts[0] ?? ''}${to}${parts.slice(1).join(from)}` : parts.join(to);
  return textValue(textWord(joined));
}

/** A text taken apart, if it is known; otherwise the text itself. */
export function splitText(subject: Value | undefined, separator: Value | undefined): Value {
  const known = subject?.type === 'text' ? knownText(subject.word) : undefined;
  if (known === undefined || /["'\\]/.test(known)) return subject ?? UNKNOWN_VALUE;
  const sign = separator === undefined ? ' ' : knownText(wordOf(separator));
  if (sign === undefined) return subject ?? UNKNOWN_VALUE;
  const parts = sign.trim() === '' && sign !== '' ? known.trim().split(/\s+/) : known.split(sign);
  return listValue(parts.slice(0, MAX_PARTS + 1).map((part) => textValue(textWord(part))));
}

const MAX_PARTS = 256;

/** A text with values put in: `%s`, `%(name)s`, `{}`, `{0}`, `{name}`. */
export function formatted(
  template: Word,
  style: 'percent' | 'braces',
  args: readonly Value[],
  named: ReadonlyMap<string, Value>,
): Value {
  let word: Word = [];
  let next = 0;
  const fields = style === 'percent' ? PERCENT_FIELD : BRACE_FIELD;
  for (const part of template) {
    if (part.type !== 'text') {
      word = joinWords(word, [part]);
      continue;
    }
    let start = 0;
    for (const match of part.text.matchAll(fields)) {
      if (word.length > MAX_PARTS) return UNKNOWN_VALUE;
      const [whole, name = ''] = match;
      word = joinWords(word, textWord(part.text.slice(start, match.index)));
      start = match.index + whole.length;
      const literal = LITERALS[whole];
      const index = /^[0-9]+$/.test(name) ? Number(name) : undefined;
      const value =
        literal !== undefined
          ? undefined
          : name !== '' && index === undefined
            ? named.get(name)
            : args[index ?? next++];
      word = joinWords(word, literal === undefined ? wordOf(value) : textWord(literal));
    }
    word = joinWords(word, textWord(part.text.slice(start)));
  }
  return textValue(word);
}

const PERCENT_FIELD = /%(?:\((\w+)\))?[-+ #0]*(?:[1-9][0-9]*)?(?:\.[0-9]+)?[sdifrqu%]/g;
const BRACE_FIELD = /\{\{|\}\}|\{(\w*)(?:![rsa])?(?::[^{}]*)?\}/g;
const LITERALS: Readonly<Record<string, string | undefined>> = { '%%': '%', '{{': '{', '}}': '}' };
