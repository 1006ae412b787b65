import type { Scanner } from './scanner.ts';
import type { Expression } from './syntax.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** Reads `${ }`, `$name` and `$( )` at a dollar sign; undefined if it is a plain character. */
export type ReadValue = (scanner: Scanner) => Expression | undefined;

/** The character behind a backtick. */
export function escapeAt(scanner: Scanner): string {
  scanner.at++;
  const unicode = scanner.take(/u\{([0-9a-fA-F]{1,6})\}/y)?.[1];
  if (unicode !== undefined) {
    const code = Number.parseInt(unicode, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : '';
  }
  const char = scanner.peek();
  scanner.at++;
  return ESCAPES[char] ?? char;
}

/** Single and double quotes as keyboards and word processors have them. */
const SINGLE = "'‘’‚‛";
const DOUBLE = '"“”„';

export function isSingleQuote(char: string): boolean {
  return char !== '' && SINGLE.includes(char);
}

export function isDoubleQuote(char: string): boolean {
  return char !== '' && DOUBLE.includes(char);
}

/** `'…'`, in which two quotes are one. */
export function literalString(scanner: Scanner): Expression {
  const start = scanner.at++;
  let text = '';
  for (;;) {
    if (scanner.isOver) failAt(scanner, start);
    const char = scanner.peek();
    scanner.at++;
    if (!isSingleQuote(char)) {
      const [rest = ''] = scanner.take(/[^'‘’‚‛]*/y) ?? [];
      text += char + rest;
    } else if (isSingleQuote(scanner.peek())) {
      text += char;
      scanner.at++;
    } else return { type: 'text', text };
  }
}

function failAt(scanner: Scanner, start: number): never {
  scanner.at = start;
  return scanner.fail('a string has no end');
}

/** `"…"`, with values in it. */
export function expandableString(scanner: Scanner, readValue: ReadValue): Expression {
  return expandable(scanner, readValue, scanner.at++);
}

/** A text with values in it, up to the quote that closes the one at `start`; without one, in which quotes mean nothing. */
function expandable(scanner: Scanner, readValue: ReadValue, start?: number): Expression {
  const plain = start === undefined ? /[^`$]*/y : /[^"“”„`$]*/y;
  const parts: Expression[] = [];
  let text = '';
  for (;;) {
    text += scanner.take(plain)?.[0] ?? '';
    const char = scanner.peek();
    if (scanner.isOver && start !== undefined) failAt(scanner, start);
    if (scanner.isOver) break;
    if (char === '`') text += escapeAt(scanner);
    else if (char === '$') {
      const value = readValue(scanner);
      if (value === undefined) text += takeChar(scanner);
      else {
        parts.push({ type: 'text', text }, value);
        text = '';
      }
    } else if (isDoubleQuote(scanner.peek(1))) {
      text += char;
      scanner.at += 2;
    } else {
      scanner.at++;
      break;
    }
  }
  return parts.length === 0
    ? { type: 'text', text }
    : { type: 'joined', parts: [...parts, { type: 'text', text }] };
}

function takeChar(scanner: Scanner): string {
  const char = scanner.peek();
  scanner.at++;
  return char;
}

/** `@'…'@` and `@"…"@`, whose ends begin a line; undefined if none starts here. */
export function hereString(
  scanner: Scanner,
  readValue: ReadValue,
  makeScanner: (text: string) => Scanner,
): Expression | undefined {
  const opened = scanner.find(/@(['‘’‚‛"“”„])[ \t]*\r?\n/y);
  if (opened === undefined) return undefined;
  const isLiteral = isSingleQuote(opened[1] ?? '');
  const from = scanner.at + opened[0].length;
  const end = /\r?\n?['‘’‚‛"“”„]@/g;
  end.lastIndex = from - 1;
  for (let found = end.exec(scanner.text); found !== null; found = end.exec(scanner.text)) {
    const isOwn = isSingleQuote(found[0].at(-2) ?? '') === isLiteral;
    if (!isOwn || (!found[0].startsWith('\n') && !found[0].startsWith('\r\n'))) continue;
    const text = scanner.text.slice(from, Math.max(from, found.index));
    scanner.at = found.index + found[0].length;
    return isLiteral ? { type: 'text', text } : expandable(makeScanner(text), readValue);
  }
  return scanner.fail('a here-string has no end');
}
