import { NUMBER, parseMembers, parsePrimary } from './parse-values.ts';
import type { Parser } from './parser.ts';
import { isDoubleQuote, isSingleQuote } from './strings.ts';
import type { Expression } from './syntax.ts';

/** Operators that one value may have. */
const MAX_OPERATORS = 500;

const OPERATORS: readonly (readonly string[])[] = [
  ['-and', '-or', '-xor', '??'],
  ['-band', '-bor', '-bxor', '-shl', '-shr'],
  'eq ne gt ge lt le like notlike match notmatch replace contains notcontains in notin split join is isnot as'
    .split(' ')
    .map((name) => `-${name}`),
  ['+', '-'],
  ['*', '/', '%'],
  ['-f'],
  ['..'],
];
const LEVELS = new Map(OPERATORS.flatMap((names, level) => names.map((name) => [name, level] as const)));
const WORD_OPERATOR = /[-–—―]([A-Za-z]+)(?![\w-])/y;
const UNARY_WORDS = new Set(['-not', '-bnot', '-split', '-join']);
const TYPE = /\[[A-Za-z_][\w.+`]*(?:\[[\w.,\s[\]+`]{0,200}\])?(?:\s*,\s*[\w.]+(?:\s*=\s*[\w.]+)?)*\]/y;

export function parseExpression(p: Parser, level = -1): Expression {
  if (level < 0) {
    const value = p.deeper(() => parseExpression(p, 0));
    p.s.skip();
    if (p.s.peek() !== '?' || p.s.peek(1) === '?' || p.s.peek(1) === '.') return value;
    p.s.at++;
    p.s.skip(true);
    const then = parseExpression(p);
    p.s.expect(':');
    p.s.skip(true);
    return { type: 'choice', condition: value, then, otherwise: parseExpression(p) };
  }
  let left = parseCommas(p);
  for (let count = 0; ; count++) {
    if (count > MAX_OPERATORS) p.s.fail('it has too many operators', true);
    const operator = parseOperator(p);
    const own = operator === undefined ? undefined : LEVELS.get(operator.name);
    if (operator === undefined || own === undefined || own < level) return left;
    p.s.at = operator.end;
    p.s.skip(true);
    const right = p.deeper(() => parseExpression(p, own + 1));
    left = { type: 'binary', operator: operator.name, left, right };
  }
}

/** The operator here, without letters for its letter case, and its end. */
function parseOperator(p: Parser): { readonly name: string; readonly end: number } | undefined {
  const { s } = p;
  let at = s.at;
  while (s.text[at] === ' ' || s.text[at] === '\t') at++;
  if (s.text[at] === '`' || s.text[at] === '<' || s.text[at] === '#') {
    s.skip();
    at = s.at;
  }
  WORD_OPERATOR.lastIndex = at;
  const word = WORD_OPERATOR.exec(s.text)?.[1]?.toLowerCase();
  if (word !== undefined) {
    const short = `-${word.slice(1)}`;
    const name = LEVELS.has(`-${word}`)
      ? `-${word}`
      : /^[ci]/.test(word) && LEVELS.has(short)
        ? short
        : undefined;
    return name === undefined ? undefined : { name, end: at + word.length + 1 };
  }
  const [symbol] = /^(?:\.\.|\?\?(?!=)|[-+*/%](?![=+-]))/.exec(s.text.slice(at, at + 3)) ?? [];
  return symbol === undefined ? undefined : { name: symbol, end: at + symbol.length };
}

function parseCommas(p: Parser): Expression {
  if (p.s.peek() === ',') {
    p.s.at++;
    p.s.skip(true);
    return { type: 'list', items: [parseUnary(p)] };
  }
  return p.list(parseUnary(p), () => parseUnary(p));
}

function parseUnary(p: Parser): Expression {
  p.countPart();
  const word = p.s.find(WORD_OPERATOR)?.[1]?.toLowerCase();
  const name = word === undefined ? undefined : UNARY_WORDS.has(`-${word}`) ? `-${word}` : undefined;
  const symbol = name ?? p.s.find(/\+\+|--|[-+!](?![A-Za-z])|!/y)?.[0];
  if (symbol !== undefined) {
    p.s.at += symbol.length;
    p.s.skip(true);
    return { type: 'unary', operator: symbol, value: p.deeper(() => parseUnary(p)) };
  }
  const type = p.s.peek() === '[' ? p.s.find(TYPE)?.[0] : undefined;
  if (type !== undefined) {
    const name = type.slice(1, -1).replace(/\s/g, '').toLowerCase();
    p.s.at += type.length;
    if (p.s.starts('::')) return parseMembers(p, { type: 'type', name });
    const back = p.s.at;
    p.s.skip();
    const next = p.s.peek();
    const isCast =
      next !== '' &&
      ('$({@[!'.includes(next) ||
        isSingleQuote(next) ||
        isDoubleQuote(next) ||
        p.s.find(NUMBER) !== undefined ||
        (/[-+]/.test(next) && /[$\d(]/.test(p.s.peek(1))));
    if (isCast) return { type: 'cast', to: name, value: p.deeper(() => parseUnary(p)) };
    p.s.at = back;
    return parseMembers(p, { type: 'type', name });
  }
  return parseMembers(p, parsePrimary(p));
}

/** True if a value starts here rather than the name of a command. */
export function startsExpression(p: Parser): boolean {
  const char = p.s.peek();
  if (char === '') return false;
  if ('$({'.includes(char) || isSingleQuote(char) || isDoubleQuote(char)) return true;
  if (char === '@') return /[({'"‘’“”$\w]/.test(p.s.peek(1));
  if (char === '[') return p.s.find(TYPE) !== undefined;
  if (char === '!' || char === ',') return true;
  if (p.s.find(NUMBER) !== undefined) return true;
  if (/[-+]/.test(char)) {
    const operator = p.s.find(WORD_OPERATOR)?.[1];
    return operator === undefined
      ? /[-+]{1,2}[\s$(\d]/.test(p.s.text.slice(p.s.at, p.s.at + 3))
      : UNARY_WORDS.has(`-${operator.toLowerCase()}`);
  }
  return false;
}
