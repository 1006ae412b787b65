import { knownText, textWord, type Word } from '../../reading/word.ts';
import { afterComma, type Code, type FoundCall, isSign, nameAt, statementEnd } from './code.ts';
import { evaluateAt, valuesBetween } from './expressions.ts';
import { type Language, SYNTAX } from './language.ts';
import { functionAt, setNames, setUnknown } from './parameters.ts';
import { callRow } from './rows.ts';
import {
  concatenated,
  eitherOf,
  elementOf,
  listValue,
  textValue,
  UNKNOWN_VALUE,
  type Value,
  wordOf,
} from './values.ts';

/** The list of words that code is started with: its names, what may stand before their dots, and how many others come first. */
const GIVEN: Readonly<Partial<Record<Language, readonly [name: string, owners: string, before: number]>>> = {
  python: ['argv', 'sys', 1],
  javascript: ['argv', 'process Bun', 1],
  ruby: ['ARGV', '', 0],
  perl: ['@ARGV', '', 0],
  php: ['$argv', '', 1],
  lua: ['arg', '', 1],
};

/** Sets the variables that hold the words that a program is started with. */
export function noteGiven({ language, variables }: Code, given: readonly Word[] | undefined): void {
  const [name, owners, before] = GIVEN[language] ?? ['', '', 0];
  if (given === undefined || name === '') return;
  const others = new Array<Value>(before).fill(textValue(textWord('')));
  const list = listValue([...others, ...given.map(textValue)]);
  variables.set(name, list);
  for (const owner of owners.split(' ')) variables.set(`${owner}.${name}`, list);
  // Without a list they take one of these.
  if (language === 'perl') for (const taker of ['shift', 'pop']) variables.set(taker, elementOf(list));
}

/** `import os as o`, `from os import system as s`, `import cp from "child_process"`. */
export function noteImport(code: Code, at: number): boolean {
  const { aliases } = code;
  const name = nameAt(code, at) ?? '';
  const [, as, other] = code.tokens.slice(at, at + 3);
  if (other?.type === 'string' && as?.text === 'from') aliases.set(name, [other.text]);
  else if (other?.type === 'name' && as?.type === 'name' && as.text === 'as') aliases.set(other.text, [name]);
  else return false;
  return true;
}

/** Signs that with another behind them change what a variable is: `$p .= x`, `p /= x`, `p << x`, `p ||= x`, `p := x`. */
const CHANGES_TOO = new Set(['.', '/', '%', '*', '-', '..', '||', '&&', '<', ':']);

/** `name = value`: what is known of the value is remembered. Calls in the value are read as they are met. */
export function noteAssignment(code: Code, at: number): boolean {
  const { tokens, variables, language } = code;
  const name = nameAt(code, at) ?? '';
  const { type, text } = tokens[at + 1] ?? { type: 'name', text: '' };
  // `f(name=value)` sets nothing.
  if (type !== 'sign' || (language === 'python' && code.enclosed[at] === true && text === '=')) return false;
  const isPushed = text === '<' && language === 'ruby' && isSign(code, at + 2, '<');
  const isElement = text === '[' && isSign(code, (code.partners[at + 1] ?? at) + 1, '=');
  // `$p =~ s/a/b/`
  const isMatched = text === '=' && isSign(code, at + 2, '~');
  if (isMatched || isElement || (CHANGES_TOO.has(text) && (isPushed || isSign(code, at + 2, '='))))
    variables.set(name, UNKNOWN_VALUE);
  if (isMatched || (text !== '=' && text !== '+=')) return false;
  const { value } = evaluateAt(code, at + 2);
  const before = variables.get(name);
  const known = text === '+=' && before !== undefined ? concatenated(before, value) : value;
  // In a block that may not be run, the one before may stay.
  const depth = depthOf(code, at);
  const outer = code.setAt.get(name) ?? depth;
  const all = before !== undefined && depth > outer ? eitherOf(before, known) : known;
  variables.set(name, all);
  code.outer.set(name, all);
  code.setAt.set(name, Math.min(depth, outer));
  // `a, b = pair`
  if (language === 'python')
    for (let more = at; isSign(code, more - 1, ',') && nameAt(code, more - 2) !== undefined; more -= 2)
      setUnknown(code, more - 2, at + 1);
  return true;
}

/** How deep in blocks an assignment stands; one with a condition on its line stands deeper. */
function depthOf(code: Code, at: number): number {
  const { type, text } = code.tokens[at - 1] ?? { type: 'sign', text: ';' };
  const open = text === ')' ? code.partners.lastIndexOf(at - 1, at - 1) : -1;
  const isBehind =
    type === 'sign'
      ? text === '&&' ||
        text === '||' ||
        text === ':' ||
        /^(?:if|while|for)$/.test(nameAt(code, open - 1) ?? '')
      : text === 'else' || text === 'then';
  const hasModifier =
    SYNTAX[code.language].bareCalls === true && code.tokens[statementEnd(code, at)]?.type === 'name';
  return (code.depths[at] ?? 0) + (isBehind || hasModifier ? 1 : 0);
}

/** Words whose brackets are followed by a block, and that are no methods. */
const NO_METHODS = /^(?:if|while|for|switch|function)$/;

/** `(a, b) = pair`, `const { exec: run } = require("child_process")`, and the parameters of functions. */
export function noteTargets(code: Code, at: number): void {
  const given = code.bound.get(at);
  for (const [name, value] of given ?? []) code.variables.set(name, value);
  if (given !== undefined) return;
  const written = functionAt(code, at);
  for (const name of written?.parameters ?? []) code.variables.set(name, UNKNOWN_VALUE);
  const close = code.partners[at];
  if (close === undefined) return;
  noteComprehension(code, at, close);
  // `go(command) { … }` of a class
  const before = nameAt(code, at - 1);
  const isMethod = code.language === 'javascript' && isSign(code, at, '(') && isSign(code, close + 1, '{');
  if (isMethod && before !== undefined && !NO_METHODS.test(before)) setUnknown(code, at + 1, close);
  if (
    !isSign(code, close + 1, '=') ||
    (before !== undefined && !/^(?:const|let|var|my|our|local|list)$/.test(before))
  )
    return;
  const { value } = evaluateAt(code, close + 2);
  for (let index = 0, from = at + 1; from < close; index++, from = afterComma(code, from, close)) {
    const name = nameAt(code, from);
    const other = isSign(code, from + 1, ':') ? nameAt(code, from + 2) : name;
    const member: Value =
      value.type === 'function' && name !== undefined
        ? { type: 'function', names: [...value.names, name], method: false }
        : UNKNOWN_VALUE;
    const item = value.type === 'list' ? value.items[index] : isSign(code, at, '{') ? member : undefined;
    if (other === undefined) setUnknown(code, from, afterComma(code, from, close));
    else code.variables.set(other, item ?? UNKNOWN_VALUE);
  }
}

/** `[f(x) for x in list]` of Python: what stands in front of the loop already has its variables. */
function noteComprehension(code: Code, open: number, close: number): void {
  let isLoop = false;
  for (let at = open + 1; code.language === 'python' && at < close; at = (code.partners[at] ?? at) + 1) {
    if (isLoop && nameAt(code, at) === 'in') noteIn(code, at);
    isLoop = nameAt(code, at) === 'for' || (isLoop && nameAt(code, at) !== 'in');
  }
}

/** `words.append("x")`; another method of which nothing is known may make anything of them. */
export function noteChanged({ names, args, receiver }: FoundCall, { variables, language }: Code): void {
  const [variable = '', call = ''] = names;
  if (receiver?.type !== 'list' || names.length !== 2) return;
  const more = call === 'extend' ? args.flatMap((arg) => (arg.type === 'list' ? arg.items : [arg])) : args;
  if (/^(?:append|push|add|extend)$/.test(call))
    variables.set(variable, listValue([...receiver.items, ...more]));
  else if (callRow(language, names) === undefined) variables.set(variable, UNKNOWN_VALUE);
}

/** How many variables one loop sets at most. */
const MAX_NAMES = 4;

/** `for f in files`, `for (const f of files)`, `foreach (files as $f)`, `for my $f (files)`, `… for files`. */
export function noteLoop(code: Code, at: number): void {
  const word = nameAt(code, at) ?? '';
  if (word === 'in' || word === 'of') noteIn(code, at);
  else if ((word === 'for' || word === 'foreach') && code.language === 'perl') notePerl(code, at);
  else if (word === 'foreach' && code.language === 'php') notePhp(code, at);
}

/** `a, b in pairs`: the names before it. */
function noteIn(code: Code, at: number): void {
  const names: string[] = [];
  let before = at - 1;
  if (isSign(code, before, ')') || isSign(code, before, ']')) before--;
  while (names.length < MAX_NAMES) {
    const name = nameAt(code, before);
    if (name === undefined) return;
    names.unshift(name);
    if (!isSign(code, before - 1, ',')) break;
    before -= 2;
  }
  const element = elementOf(evaluateAt(code, at + 1).value);
  // Behind a comprehension its variables are what they were.
  const isLoop = code.language !== 'python' || code.enclosed[at] !== true;
  for (const name of isLoop ? names : []) code.outer.delete(name);
  setNames(code, names, element);
  for (const name of isLoop ? names : []) code.outer.set(name, code.variables.get(name) ?? UNKNOWN_VALUE);
}

function notePhp(code: Code, at: number): void {
  if (!isSign(code, at + 1, '(')) return;
  const { value, end } = evaluateAt(code, at + 2);
  if (nameAt(code, end) !== 'as') return;
  // `$key => $value`
  const name = nameAt(code, isSign(code, end + 2, '=>') ? end + 3 : end + 1);
  if (name !== undefined) code.variables.set(name, elementOf(value));
}

/** Without a variable of its own a loop of Perl uses `$_`. */
function notePerl(code: Code, at: number): void {
  const own = at + (/^(?:my|our|local)$/.test(nameAt(code, at + 1) ?? '') ? 2 : 1);
  const name = isSign(code, own + 1, '(') ? nameAt(code, own) : undefined;
  const hasOwn = name?.startsWith('$') === true;
  const from = hasOwn ? own + 1 : at + 1;
  // `… for "a", "b"` ends with its statement.
  const isBlock = isSign(code, (code.partners[from] ?? from) + 1, '{');
  let end = from;
  while (end < code.tokens.length && !/^[;)\]}]$/.test(code.tokens[end]?.text ?? ''))
    end = (code.partners[end] ?? end) + 1;
  const list: Value = isBlock
    ? evaluateAt(code, from).value
    : { type: 'list', items: valuesBetween(code, from, end, 0).args };
  code.variables.set(hasOwn ? name : '$_', elementOf(list));
}

/** Functions that a call is given to call: `map(os.remove, files)`, `send(:system, "ls")`, and with what. */
export function passedCall(code: Code, call: FoundCall): FoundCall | undefined {
  const { names, args, named, receiver } = call;
  const row = callRow(code.language, names);
  if (row?.calls === undefined) return undefined;
  const { calls, each, given, skip, spread } = row;
  const own = names.slice(0, -1);
  const at = typeof calls === 'number' ? calls : 0;
  const target = typeof calls === 'number' ? args[at - 1] : named.get(calls);
  const list = spread === undefined ? named.get('args') : args[spread - 1];
  const rest = list?.type === 'list' ? list.items : args.slice(at + (skip ?? 0));
  const valueAt = (index: number) => (index === 0 ? receiver : args[index - 1]);
  const passed =
    given !== undefined
      ? [valueAt(given) ?? UNKNOWN_VALUE]
      : each === undefined
        ? rest
        : [elementOf(valueAt(each))];
  if (calls === 0) return { names: own, args: rest, named, receiver: undefined };
  if (target?.type === 'function' && target.method)
    return {
      names: ['Pathname', ...target.names],
      args: passed.slice(1),
      named: new Map(),
      receiver: passed[0],
    };
  if (target?.type === 'function')
    return { names: target.names, args: passed, named: new Map(), receiver: undefined };
  // PHP and Ruby give functions by their names.
  const name = code.language === 'php' || code.language === 'ruby' ? knownText(wordOf(target)) : undefined;
  return name === undefined
    ? undefined
    : { names: [...own, name], args: passed, named, receiver: own.length > 0 ? receiver : undefined };
}
