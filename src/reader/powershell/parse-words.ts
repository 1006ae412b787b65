import { parseMembers, parsePrimary, parseVariable } from './parse-values.ts';
import type { Parser } from './parser.ts';
import { escapeAt, expandableString, isDoubleQuote, isSingleQuote, literalString } from './strings.ts';
import type { CommandWord, Expression } from './syntax.ts';

const BARE = /[^\s;|&(){},'"‘’‚‛“”„`$<>\u00a0\0]+/y;
const SPACE = /[\s\u00a0\0]/;

/** A word of a command, with commas a list; undefined if none starts here. */
export function parseWord(p: Parser, isName = false, isRaw = false): CommandWord | undefined {
  const start = p.s.at;
  const named =
    isName || isRaw
      ? undefined
      : p.s.find(/[-–—](?![-–—])([A-Za-z_?][\w?-]*)(?:(:)|(?=[\s\u00a0;|&(){},'"$@]|$))/y);
  if (named !== undefined) {
    p.s.at += named[0].length;
    const parameter = `-${named[1] ?? ''}`;
    const text: Expression = { type: 'text', text: named[0], bare: true };
    if (named[2] !== ':') return { value: text, parameter, start, end: p.s.at };
    p.s.skip();
    const given = parseWordList(p);
    if (given === undefined) return { value: text, parameter, start, end: p.s.at };
    return { value: text, parameter, given, start, end: p.s.at };
  }
  const value = isName ? parseSimpleWord(p, true) : parseWordList(p);
  return value === undefined ? undefined : { value, start, end: p.s.at };
}

function parseWordList(p: Parser): Expression | undefined {
  const first = parseSimpleWord(p);
  return first && p.list(first, () => parseSimpleWord(p) ?? p.s.fail('an item is missing behind ","'));
}

function parseSimpleWord(p: Parser, isName = false): Expression | undefined {
  p.countPart();
  const char = p.s.peek();
  if (char === '' || SPACE.test(char) || ';|&)},'.includes(char)) return undefined;
  if (char === '(' || char === '{' || char === '@') {
    const splat = p.s.take(/@(\w+)(?=[\s;|)}]|$)/y)?.[1];
    if (splat !== undefined) return { type: 'splat', name: splat.toLowerCase() };
    const isOpen = char !== '@' || /[({'"‘’“”]/.test(p.s.peek(1));
    if (isOpen) return parseMembers(p, parsePrimary(p));
  }
  if (isSingleQuote(char) || isDoubleQuote(char)) return parseMembers(p, parsePrimary(p));
  const parts: Expression[] = [];
  if (char === '$') {
    const value = parseVariable(p, false);
    if (value !== undefined) {
      const whole = isName ? value : parseMembers(p, value);
      if (wordEnds(p)) return whole;
      parts.push(whole);
    }
  }
  while (!wordEnds(p)) {
    const next = p.s.peek();
    if (next === '`') parts.push({ type: 'text', text: bareEscapeAt(p) });
    else if (next === '$') {
      const value = parseVariable(p, true);
      if (value === undefined) p.s.at++;
      parts.push(value ?? { type: 'text', text: '$' });
    } else if (isSingleQuote(next)) parts.push(literalString(p.s));
    else if (isDoubleQuote(next)) parts.push(p.deeper(() => expandableString(p.s, p.value)));
    else if (next === '<' || next === '>') {
      if (parts.length === 0) return undefined;
      break;
    } else {
      const [text = ''] = p.s.take(BARE) ?? [];
      if (text === '') return p.s.fail(`"${next}" is not expected here`);
      parts.push({ type: 'text', text });
    }
  }
  return merged(parts);
}

function wordEnds(p: Parser): boolean {
  const char = p.s.peek();
  if (char === '`') return /[\r\n]/.test(p.s.peek(1)) || p.s.at + 1 >= p.s.text.length;
  return char === '' || SPACE.test(char) || ';|&(){},'.includes(char);
}

function merged(parts: readonly Expression[]): Expression | undefined {
  if (parts.length === 0) return undefined;
  if (parts.every((part) => part.type === 'text')) {
    const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    return { type: 'text', text, bare: true };
  }
  return { type: 'joined', parts, bare: true };
}

/** Older versions know no escape `e`, and one in a name is meant to hide it. */
function bareEscapeAt(p: Parser): string {
  if (p.s.peek(1).toLowerCase() !== 'e') return escapeAt(p.s);
  p.s.at += 2;
  return 'e';
}
