import { knownText } from '../../reading/word.ts';
import { afterComma, type Code, isSign, nameAt, plainWord } from './code.ts';
import { evaluateAt, valuesBetween } from './expressions.ts';
import type { Language } from './language.ts';
import type { OwnFunction, Parameter } from './own-function.ts';
import { alternatives, anyOf, UNKNOWN_VALUE, type Value } from './values.ts';

/** What several calls give to the parameters of several functions is followed up to this many. */
const MAX_CALLS = 32;
const MAX_PARAMETERS = 16;
const MAX_FUNCTIONS = 64;
/** Words in front of the name of a function that is defined, by language. */
const DEFINERS: Partial<Record<Language, string>> = {
  python: 'def',
  ruby: 'def',
  javascript: 'function',
  php: 'function',
};
/** Names by which code reaches functions, or what they are given, without their names. */
const DYNAMIC = new Set(
  'eval exec globals locals vars getattr globalThis global self window Function this modules __main__ __name__ arguments runInThisContext runInNewContext'.split(
    ' ',
  ),
);
const DECLARERS = new Set(['const', 'let', 'var']);
/** Names behind which a value is read. */
const READERS = new Set(
  'return in if elif while not and or is await print else yield typeof echo'.split(' '),
);
/** Signs behind which one is. */
const READING_SIGNS = new Set('( , [ { = + % * ? ! == != && || < > . ..'.split(' '));
/** Methods that leave what they are called on as it is. */
const KEEPERS = new Set(
  'join split strip lstrip rstrip trim format get keys values items lower upper toLowerCase toUpperCase toString startswith endswith startsWith endsWith includes indexOf index count replace replaceAll slice map filter forEach encode decode length match test exists resolve'.split(
    ' ',
  ),
);

/**
 * Finds the functions of which each call can be seen: those that are defined once, and never named but where they are
 * called.
 */
export function findFunctions(code: Code): void {
  const { language, tokens, functions } = code;
  if (language !== 'python' && language !== 'javascript') return;
  // Functions may be called by what is put together, or by whatever decorates them.
  if (tokens.some((_, at) => isSign(code, at, '@') || isDynamic(code, at))) return;
  const definitions = new Set<number>();
  const seen = new Set<string>();
  for (let at = 0; at < tokens.length; at++) {
    const open = definitionAt(code, at);
    const name = nameAt(code, at);
    if (open === undefined || name === undefined) continue;
    const found = functionAt(code, open);
    if (found === undefined || seen.has(name)) functions.delete(name);
    else functions.set(name, found);
    seen.add(name);
    definitions.add(at);
  }
  if (functions.size > MAX_FUNCTIONS) functions.clear();
  for (let at = 0; at < tokens.length; at++) {
    const isMember = isSign(code, at - 1, '.') && !isSign(code, at - 2, ']');
    if (!isMember && !isSign(code, at + 1, '(') && !definitions.has(at))
      functions.delete(nameAt(code, at) ?? '');
    for (const name of functions.keys()) if (isNamedInText(code, at, name)) functions.delete(name);
  }
}

/** `'name'` and `'name(…)'`: what is looked up, or run later, by its name. */
function isNamedInText(code: Code, at: number, name: string): boolean {
  const text = code.tokens[at]?.type === 'string' ? knownText(plainWord(code, at)) : undefined;
  return text === name || text?.includes(`${name}(`) === true;
}

function isDynamic(code: Code, at: number): boolean {
  return DYNAMIC.has(nameAt(code, at) ?? '');
}

/** Is this the name of a function that is defined here, and no call of it? */
export function isDefinition(code: Code, at: number): boolean {
  const before = nameAt(code, at - 1);
  return before !== undefined && before === DEFINERS[code.language];
}

/** `def name(`, `function name(`, `const name = async (…) =>`: where the brackets are, if this is the name. */
function definitionAt(code: Code, at: number): number | undefined {
  if (isDefinition(code, at)) return at + 1;
  if (!DECLARERS.has(nameAt(code, at - 1) ?? '') || !isSign(code, at + 1, '=')) return undefined;
  const open = nameAt(code, at + 2) === 'async' ? at + 3 : at + 2;
  const close = isSign(code, open, '(') ? code.partners[open] : undefined;
  return close !== undefined && isSign(code, close + 1, '=>') ? open : undefined;
}

function functionAt(code: Code, open: number): OwnFunction | undefined {
  const close = code.partners[open];
  if (!isSign(code, open, '(') || close === undefined) return undefined;
  const parameters: Parameter[] = [];
  for (let at = open + 1; at < close; at = afterComma(code, at, close)) {
    // What stands behind is given by name only, or by its place only.
    if ((isSign(code, at, '*') || isSign(code, at, '/')) && isSign(code, at + 1, ',')) continue;
    const parameter = parameterAt(code, at, close);
    if (parameter === undefined || parameters.length >= MAX_PARAMETERS) return undefined;
    parameters.push(parameter);
  }
  return { parameters, open, close, calls: [] };
}

/** `name`, `name: type = value`, `*names`, `...names` */
function parameterAt(code: Code, from: number, close: number): Parameter | undefined {
  const isDots = isSign(code, from, '..') && isSign(code, from + 1, '.');
  const isNamed = isSign(code, from, '*') && isSign(code, from + 1, '*');
  const isRest = isDots || (isSign(code, from, '*') && !isNamed);
  const at = from + (isDots || isNamed ? 2 : isRest ? 1 : 0);
  const name = nameAt(code, at);
  if (name === undefined) return undefined;
  const end = afterComma(code, at, close);
  let fallback: number | undefined;
  for (let sign = at + 1; sign < end && fallback === undefined; sign++)
    if (isSign(code, sign, '=')) fallback = sign + 1;
  return { name, isRest, fallback };
}

/** Notes what a function of the code's own is called with, if a call of one stands here. */
export function noteOwnCall(code: Code, at: number): void {
  const own = code.functions.get(nameAt(code, at) ?? '');
  const close = code.partners[at + 1];
  const isOther = isSign(code, at - 1, '.') || !isSign(code, at + 1, '(') || at + 1 === own?.open;
  if (own === undefined || isOther || close === undefined || own.calls.length > MAX_CALLS) return;
  const { args, named, isComprehension } = valuesBetween(code, at + 2, close, 0);
  const isSpread = isComprehension || hasSpread(code, at + 1, close);
  const values = own.parameters.map((parameter, index): Value => {
    if (isSpread) return UNKNOWN_VALUE;
    if (parameter.isRest) return { type: 'list', items: args.slice(index) };
    const given = args[index] ?? named.get(parameter.name);
    if (given !== undefined) return given;
    return parameter.fallback === undefined ? UNKNOWN_VALUE : evaluateAt(code, parameter.fallback).value;
  });
  own.calls.push(...alternatives(values));
}

/** Does a call get values that cannot be told apart: `f(*list)`, `f(**map)`, `f(...list)`? */
function hasSpread(code: Code, open: number, close: number): boolean {
  for (let at = open + 1; at < close; at = afterComma(code, at, close))
    if (isSign(code, at, '*') || isSign(code, at, '..')) return true;
  return false;
}

/**
 * Sets the parameters of the code's own functions to what they are given: each to one of as many values as there are
 * calls, so that those of one call stay together. Left alone is what is set elsewhere too, and what belongs to a function
 * that is never seen to be called.
 */
export function setParametersOfOwn(code: Code): void {
  const functions = [...code.functions.values()];
  const owners = functions.filter(({ calls }) => calls.length > 0);
  const calls = owners.reduce((sum, own) => sum + own.calls.length, 0);
  if (calls === 0 || calls > MAX_CALLS) return;
  const left = writtenNames(code, functions);
  for (const own of functions)
    if (own.calls.length === 0) for (const { name } of own.parameters) left.add(name);
  const names = new Set(owners.flatMap(({ parameters }) => parameters.map(({ name }) => name)));
  for (const name of names) {
    const [first] = owners.flatMap((own) => givenTo(name, own) ?? []);
    if (first === undefined || left.has(name)) continue;
    // A call of a function without such a parameter takes the place of one with the first value.
    const values = owners.flatMap((own) => givenTo(name, own) ?? own.calls.map(() => first));
    code.variables.set(name, anyOf(values));
  }
}

function givenTo(name: string, { parameters, calls }: OwnFunction): readonly Value[] | undefined {
  const index = parameters.findIndex((parameter) => parameter.name === name);
  return index < 0 ? undefined : calls.map((call) => call[index] ?? UNKNOWN_VALUE);
}

/** The names that may be set, or changed, anywhere but as parameters of these functions. */
function writtenNames(code: Code, functions: readonly OwnFunction[]): Set<string> {
  const own = new Set(functions.map(({ open }) => open));
  const written = new Set<string>();
  const around: number[] = [];
  for (let at = 0; at < code.tokens.length; at++) {
    const name = nameAt(code, at);
    if (code.partners[at] !== undefined) around.push(at);
    else if (code.partners[around.at(-1) ?? -1] === at) around.pop();
    const open = around.at(-1);
    if (name === undefined || isSign(code, at - 1, '.') || (open !== undefined && own.has(open))) continue;
    if (!isRead(code, at) || isChanged(code, at) || (open !== undefined && holdsTargets(code, open)))
      written.add(name);
  }
  return written;
}

/** Does a value stand here, and no name that is set? */
function isRead(code: Code, at: number): boolean {
  const before = code.tokens[at - 1];
  if (before === undefined) return false;
  return before.type === 'name' ? READERS.has(before.text) : READING_SIGNS.has(before.text);
}

/** Is a value set or changed here: `a = b`, `a[0] = b`, `a.append(b)`, `for … a in b`, `a => b`? */
function isChanged(code: Code, at: number): boolean {
  if (isSign(code, at + 1, ':') && isSign(code, at + 2, '=')) return true;
  if (isSign(code, at + 1, '[')) return isTarget(code, (code.partners[at + 1] ?? at) + 1);
  return isTarget(code, at + 1) || (isSign(code, at + 1, '.') && !KEEPERS.has(nameAt(code, at + 2) ?? ''));
}

/** Does what stands in front of a token get something from it? */
function isTarget(code: Code, at: number): boolean {
  const next = code.tokens[at];
  if (next?.type === 'name') return next.text === 'in' || next.text === 'of';
  return next?.type === 'sign' && /^(?:=|\+=|=>)$/.test(next.text);
}

/** Do these brackets hold names that are set: parameters of another function, `(a, b) = c`, `catch (a)`? */
function holdsTargets(code: Code, open: number): boolean {
  const end = (code.partners[open] ?? open) + 1;
  const before = nameAt(code, open - 1) ?? '';
  if (isTarget(code, end) || before === 'catch' || before === 'function') return true;
  if (isDefinition(code, open - 1)) return true;
  return isSign(code, open, '(') && isSign(code, end, '{') && !/^(?:if|while|switch)$/.test(before);
}
