import { knownText } from '../../reading/word.ts';
import { afterComma, type Code, type FoundCall, isSign, nameAt, type Parameter, plainWord } from './code.ts';
import { evaluateAt } from './expressions.ts';
import type { Language } from './language.ts';
import { callRow } from './rows.ts';
import { alternatives, anyOf, UNKNOWN_VALUE, type Value } from './values.ts';

/** So many calls of helpers are followed. */
const MAX_CALLS = 32;
const MAX_HELPERS = 16;
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

/** Is this the name of a function that is defined here, and no call of it? */
export function isDefinition(code: Code, at: number): boolean {
  const before = nameAt(code, at - 1);
  return before !== undefined && before === DEFINERS[code.language];
}

/** Finds the helpers: functions that are defined once, and never named but where they are called. */
export function findHelpers(code: Code): void {
  const { language, tokens, helpers } = code;
  if (language !== 'python' && language !== 'javascript') return;
  // Functions may be called by what is put together, or by whatever decorates them.
  if (tokens.some((_, at) => isSign(code, at, '@') || DYNAMIC.has(nameAt(code, at) ?? ''))) return;
  const seen = new Set<string>();
  tokens.forEach((_, at) => {
    const open = definitionAt(code, at);
    if (open === undefined) return;
    const name = nameAt(code, at) ?? '';
    const parameters = seen.has(name) ? undefined : parametersAt(code, open);
    if (parameters === undefined || helpers.size >= MAX_HELPERS) helpers.delete(name);
    else helpers.set(name, { parameters, open, calls: [] });
    seen.add(name);
  });
  for (const name of helpers.keys())
    if (tokens.some((_, at) => escapes(code, at, name))) helpers.delete(name);
}

/** Is a function named here so that others may call it: as a value, or in a text? */
function escapes(code: Code, at: number, name: string): boolean {
  const token = code.tokens[at];
  if (token?.type === 'string') {
    const text = knownText(plainWord(code, at));
    return text === name || text?.includes(`${name}(`) === true;
  }
  if (token?.type !== 'name' || token.text !== name || isSign(code, at + 1, '(')) return false;
  const isMember = isSign(code, at - 1, '.') && !isSign(code, at - 2, ']');
  return !isMember && definitionAt(code, at) === undefined;
}

/** `def name(`, `function name(`, `const name = async (…) =>`: where the bracket is, if this is the name. */
function definitionAt(code: Code, at: number): number | undefined {
  if (isDefinition(code, at)) return at + 1;
  if (!/^(?:const|let|var)$/.test(nameAt(code, at - 1) ?? '') || !isSign(code, at + 1, '=')) return undefined;
  const open = nameAt(code, at + 2) === 'async' ? at + 3 : at + 2;
  const close = isSign(code, open, '(') ? code.partners[open] : undefined;
  return close !== undefined && isSign(code, close + 1, '=>') ? open : undefined;
}

/** `name`, `name: type = value`, `*names`, `...names`; undefined if a parameter is something else. */
function parametersAt(code: Code, open: number): readonly Parameter[] | undefined {
  const close = isSign(code, open, '(') ? code.partners[open] : undefined;
  if (close === undefined) return undefined;
  const parameters: Parameter[] = [];
  for (let from = open + 1; from < close; from = afterComma(code, from, close)) {
    let at = from;
    while (at < close && (isSign(code, at, '*') || isSign(code, at, '.') || isSign(code, at, '..'))) at++;
    // What stands behind `*` or `/` is given by name only, or by its place only.
    if (isSign(code, at, ',') || isSign(code, at, '/')) continue;
    const name = nameAt(code, at);
    if (name === undefined) return undefined;
    const end = afterComma(code, at, close);
    let sign = at + 1;
    while (sign < end && !isSign(code, sign, '=')) sign++;
    const isNamed = isSign(code, from + 1, '*');
    parameters.push({ name, isRest: at > from && !isNamed, fallback: sign < end ? sign + 1 : undefined });
  }
  return parameters;
}

/** Notes what a helper is called with, if this is a call of one. */
export function noteHelperCall(code: Code, { names, args, named }: FoundCall): void {
  const helper = names.length === 1 ? code.helpers.get(names[0] ?? '') : undefined;
  if (helper === undefined || helper.calls.length > MAX_CALLS) return;
  // `f(*list)`, `f(**map)`: what there is more of may be anything.
  const isOpen = args.some(({ type }) => type === 'unknown' || type === 'function');
  const values = helper.parameters.map(({ name, isRest, fallback }, index): Value => {
    if (isRest) return isOpen ? UNKNOWN_VALUE : { type: 'list', items: args.slice(index) };
    const given = args[index] ?? named.get(name);
    if (given !== undefined || fallback === undefined || isOpen) return given ?? UNKNOWN_VALUE;
    return evaluateAt(code, fallback).value;
  });
  helper.calls.push(...alternatives(values));
}

/**
 * Sets the parameters of helpers to what these are given: each to one of as many values as there are calls, so that those
 * of one call stay together. Left alone is what is set elsewhere too, and what belongs to a helper that is never called.
 */
export function setParametersOfHelpers(code: Code): void {
  const all = [...code.helpers.values()];
  const called = all.filter(({ calls }) => calls.length > 0);
  const calls = called.reduce((sum, helper) => sum + helper.calls.length, 0);
  if (calls === 0 || calls > MAX_CALLS) return;
  const names = new Set(called.flatMap(({ parameters }) => parameters.map(({ name }) => name)));
  for (const helper of all.filter((each) => each.calls.length === 0))
    for (const { name } of helper.parameters) names.delete(name);
  const brackets = new Set(all.map(({ open }) => open));
  const around: number[] = [];
  for (let at = 0; at < code.tokens.length; at++) {
    if (code.partners[at] !== undefined) around.push(at);
    else if (code.partners[around.at(-1) ?? -1] === at) around.pop();
    const name = nameAt(code, at) ?? '';
    const open = around.at(-1);
    if (!names.has(name) || isSign(code, at - 1, '.') || (open !== undefined && brackets.has(open))) continue;
    if (!isRead(code, at) || isChanged(code, at) || (open !== undefined && holdsTargets(code, open)))
      names.delete(name);
  }
  for (const name of names) {
    const given = called.map(({ parameters, calls }) => {
      const index = parameters.findIndex((parameter) => parameter.name === name);
      return calls.map((call) => (index < 0 ? undefined : (call[index] ?? UNKNOWN_VALUE)));
    });
    // A call of a helper without such a parameter takes the place of one with the first value.
    const first = given.flat().find((value) => value !== undefined) ?? UNKNOWN_VALUE;
    code.variables.set(name, anyOf(given.flat().map((value) => value ?? first)));
  }
}

/** Does a value stand here, and no name that is set? */
function isRead(code: Code, at: number): boolean {
  const { type, text } = code.tokens[at - 1] ?? { type: 'sign', text: ';' };
  return type === 'name'
    ? /^(?:return|in|if|elif|while|not|and|or|is|await|print|else|yield|typeof)$/.test(text)
    : /^(?:[([{,=+%*?!<>.]|[=!]=|&&|\|\||\.\.)$/.test(text);
}

/** Is a value set or changed here: `a = b`, `a[0] = b`, `a.append(b)`, `for … a in b`, `a => b`, `a := b`? */
function isChanged(code: Code, at: number): boolean {
  if (isSign(code, at + 1, ':') && isSign(code, at + 2, '=')) return true;
  if (isSign(code, at + 1, '[')) return isTarget(code, (code.partners[at + 1] ?? at) + 1);
  const method = isSign(code, at + 1, '.') ? (nameAt(code, at + 2) ?? '') : undefined;
  const gives = method === undefined ? undefined : callRow(code.language, ['', method])?.gives;
  return isTarget(code, at + 1) || (method !== undefined && (gives === undefined || gives === 'element'));
}

/** Does what stands in front of a token get something from it? */
function isTarget(code: Code, at: number): boolean {
  const { type, text } = code.tokens[at] ?? { type: 'sign', text: ';' };
  return type === 'name' ? text === 'in' || text === 'of' : /^(?:=|\+=|=>)$/.test(text);
}

/** Do these brackets hold names that are set: parameters of another function, `(a, b) = c`, `catch (a)`? */
function holdsTargets(code: Code, open: number): boolean {
  const end = (code.partners[open] ?? open) + 1;
  const before = nameAt(code, open - 1) ?? '';
  if (isTarget(code, end) || before === 'catch' || before === 'function') return true;
  if (isDefinition(code, open - 1)) return true;
  return isSign(code, open, '(') && isSign(code, end, '{') && !/^(?:if|while|switch)$/.test(before);
}
