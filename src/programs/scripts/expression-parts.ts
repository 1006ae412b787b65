import { knownText } from '../../reading/word.ts';
import { type CallListener, type Code, type Evaluated, isDot, isSign, nameAt } from './code.ts';
import { SYNTAX } from './language.ts';
import { textValue, type Value } from './values.ts';

/** Signs behind which more of an expression stands, which is not worked out. */
const MORE_SIGNS = new Set('? - * / % + . .. < > & && | ^ ~ = == != <= >= [ -> :: ?.'.split(' '));

/** Does something stand behind a value that may make anything of it? What is not accounted for is not known. */
export function goesOn({ tokens, language }: Code, at: number): boolean {
  const { type, text } = tokens[at] ?? { type: 'sign', text: ';' };
  if (type === 'sign') return MORE_SIGNS.has(text);
  if (type !== 'name') return false;
  return language === 'perl' ? text === 'x' : text === 'and' && (language === 'python' || language === 'lua');
}

/** Where the value starts that is there instead of the one before: behind `or`, `||`, `??`, `?:`, or the `else` of `a if c else b`. */
export function otherAt(code: Code, at: number, value: Value): number | undefined {
  const name = code.language === 'python' || code.language === 'lua' ? nameAt(code, at) : undefined;
  if (name === 'if') return elseAt(code, at + 1);
  const isNullish = isSign(code, at, '?') && (isSign(code, at + 1, '?') || isSign(code, at + 1, ':'));
  if (name !== 'or' && !isSign(code, at, '||') && !isNullish) return undefined;
  // `system "x" || die`: a text that is not empty is true, so that what stands behind it is not reached.
  const isTrue = value.type === 'text' && (knownText(value.word) ?? '') !== '' && code.enclosed[at] !== true;
  return isTrue && SYNTAX[code.language].bareCalls === true ? undefined : at + (isNullish ? 2 : 1);
}

/** How far the `else` of a condition is looked for. */
const MAX_CONDITION = 32;

/** Where the `else` of a condition ends; undefined if the `if` is a statement or part of a comprehension. */
function elseAt({ tokens, partners }: Code, from: number): number | undefined {
  for (let at = from; at < from + MAX_CONDITION; at = (partners[at] ?? at) + 1) {
    const { type, text } = tokens[at] ?? { type: 'sign', text: ';' };
    if (type === 'name' && text === 'else') return at + 1;
    if (type === 'sign' && /^[,:;)\]}]$/.test(text)) return undefined;
  }
  return from + MAX_CONDITION;
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

/** A name with what follows while it is read. */
export interface Chain {
  readonly code: Code;
  readonly depth: number;
  readonly found: CallListener | undefined;
  names: readonly string[];
  value: Value | undefined;
  /** What stands before the last dot. */
  owner: Value | undefined;
  end: number;
  /** True while it is no call, so that what it names may be called. */
  isName: boolean;
}

/** A variable that holds a function, or its name (PHP), stands for it. */
export function nameFunction(chain: Chain): void {
  const { code, value, end } = chain;
  if (value?.type === 'function') chain.names = value.names;
  else if (code.language === 'php' && isSign(code, end, '(') && value?.type === 'text')
    chain.names = [knownText(value.word) ?? ''];
  else return;
  chain.value = undefined;
}
