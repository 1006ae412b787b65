import { knownText } from '../../reading/word.ts';
import { type Code, type Evaluated, isDot, isSign, nameAt } from './code.ts';
import { SYNTAX } from './language.ts';
import { textValue, type Value } from './values.ts';

/** Signs behind which more of an expression stands, which is not worked out. */
const MORE_SIGNS = new Set('? - * / % + . .. < > & | ^ ~ = == != <= >= ['.split(' '));

/** Does something stand behind a value that may make anything of it? What is not accounted for is not known. */
export function goesOn(code: Code, at: number, value: Value): boolean {
  const { type, text } = code.tokens[at] ?? { type: 'sign', text: ';' };
  const isTrue = value.type === 'text' && (knownText(value.word) ?? '') !== '';
  const { bareCalls } = SYNTAX[code.language];
  if (type === 'sign' && (text === '||' || text === '&&'))
    return text === '||' ? !isTrue : bareCalls === undefined;
  if (type === 'sign') return MORE_SIGNS.has(text);
  if (type !== 'name' || (code.language !== 'python' && code.language !== 'lua')) return false;
  if (text === 'or') return !isTrue;
  return text === 'and' || (text === 'if' && hasElse(code, at + 1));
}

/** How far the `else` of a condition is looked for. */
const MAX_CONDITION = 32;

/** Is this `if` one of `a if c else b`, and no statement or part of a comprehension? */
function hasElse({ tokens, partners }: Code, from: number): boolean {
  for (let at = from; at < from + MAX_CONDITION; at = (partners[at] ?? at) + 1) {
    const { type, text } = tokens[at] ?? { type: 'sign', text: ';' };
    if (type === 'name' && text === 'else') return true;
    if (type === 'sign' && /^[,:;)\]}]$/.test(text)) return false;
  }
  return true;
}

/** Does a value without a name have something behind it: `"…".call()`, `(…)[0]`, `("sys" . "tem")(…)`? */
export function isFollowed(code: Code, at: number): boolean {
  const { language } = code;
  if (isSign(code, at, '[')) return language === 'python' || language === 'javascript';
  if (isSign(code, at, '(')) return language === 'php' && isSign(code, at - 1, ')');
  const isNumber = isSign(code, at - 1, ')') || isSign(code, at - 1, ']') || language === 'ruby';
  return isDot(code, at) && nameAt(code, at + 1) !== undefined && (isNumber || isSign(code, at + 2, '('));
}

/** How many signs say that a list goes in as its values: `*list`, `...list`. */
export function spreadSigns(code: Code, at: number): number {
  if (isSign(code, at, '*') && !isSign(code, at + 1, '*')) return 1;
  return isSign(code, at, '..') && isSign(code, at + 1, '.') ? 2 : 0;
}

/** `:name` of Ruby, and `&:name`, a method that is called on what it is given. */
export function symbolAt(code: Code, at: number): Evaluated | undefined {
  const method = isSign(code, at, '&') && isSign(code, at + 1, ':');
  const name = nameAt(code, at + (method ? 2 : 1));
  if (code.language !== 'ruby' || name === undefined || !isSign(code, method ? at + 1 : at, ':'))
    return undefined;
  const value: Value = method
    ? { type: 'function', names: [name], method }
    : textValue([{ type: 'text', text: name }]);
  return { value, end: at + (method ? 3 : 2) };
}
