import { isExhausted, takeChars } from '../../reading/bounds.ts';
import { withPlaceholders } from '../../reading/placeholders.ts';
import { knownText, originsOf, type Word } from '../../reading/word.ts';
import { addRemoteCode } from '../../shell/run/shell-text.ts';
import { moduleContent } from '../interpret/fetched-runs.ts';
import {
  type Code,
  type FoundCall,
  isDot,
  isSign,
  nameAt,
  newCode,
  plainWord,
  statementEnd,
} from './code.ts';
import { BARE_CALLS, CODE_CALLS, type CodeCall } from './code-calls.ts';
import type { CodePlace } from './code-place.ts';
import { chainAt, evaluateAt, filled, valuesBetween } from './expressions.ts';
import { noteGiven } from './given-words.ts';
import { noteLoop } from './loops.ts';
import { findFunctions, isDefinition, noteOwnCall, setParametersOfOwn } from './own-functions.ts';
import { passedCall } from './passed-functions.ts';
import { inFolders, runShell } from './run-from-code.ts';
import { isCommandLine } from './shell-in-code.ts';
import { tokenize } from './tokens.ts';
import { useCall } from './use-call.ts';
import {
  alternatives,
  concatenated,
  listValue,
  MORE,
  textValue,
  UNKNOWN_VALUE,
  type Value,
  wordOf,
} from './values.ts';

const MAX_NESTING = 4;

/**
 * Looks at code of another language: which of its calls run commands, use files or the network, with the arguments that
 * can be told. Names that are computed are not followed; code that is computed is a gap.
 */
export function readCode(source: Word, place: CodePlace): void {
  const { text, placeholders } = withPlaceholders(source);
  const { walker, span, language } = place;
  const tokens = takeChars(walker.budget, text.length) ? tokenize(text, language) : undefined;
  if (tokens === undefined || place.depth > MAX_NESTING) {
    walker.gap('unknown_code', span, `Cannot read the ${language} code: it is too large or too deep`);
    return;
  }
  // A slip or an attempt: the interpreter would only complain, a shell would do it.
  if (isCommandLine(text, language)) runShell(source, place);
  const code = newCode(language, tokens, placeholders);
  noteGiven(code, place.given);
  // Once for what the variables are, since a loop may stand behind its body; then for what is done with them.
  findFunctions(code);
  for (let at = 0; at < tokens.length && code.work.left >= 0; at++) {
    noteOwnCall(code, at);
    readToken(code, at, undefined);
  }
  setParametersOfOwn(code);
  for (let at = 0; at < tokens.length && code.work.left >= 0 && !isExhausted(walker.budget); at++)
    readToken(code, at, place);
  if (code.work.left < 0)
    walker.gap('unknown_code', span, `Cannot read the ${language} code: it computes too much`);
}

/** Notes what a token says of variables; with a place, does what its calls do. */
function readToken(code: Code, at: number, place: CodePlace | undefined): void {
  const token = code.tokens[at];
  const before = code.tokens[at - 1];
  if (token?.type === 'command' && place !== undefined) {
    const scripts = filled(code, token.word);
    for (const [script] of alternatives([scripts])) runShell(wordOf(script), place);
  }
  if (token?.type === 'string' || isGroup(code, at)) {
    readReceiver(code, at, place);
    return;
  }
  if (token?.type !== 'name' || (before?.type === 'sign' && /^(?:\.|->|::|\?\.)$/.test(before.text))) return;
  if (isDefinition(code, at)) return;
  noteLoop(code, at);
  if (place !== undefined) readImport(code, at, place);
  if (noteImport(code, at) || noteAssignment(code, at)) return;
  let called = false;
  const { owner, end } = chainAt(code, at, 0, undefined, (call) => {
    called = true;
    readCall(call, code, place);
  });
  // `Pathname.new("x").rmtree`: a call without parentheses behind one with them.
  const isOpen = code.language === 'ruby' && isDot(code.tokens[end - 2]?.text ?? '', 'ruby');
  if ((called && !isOpen) || place === undefined) return;
  if (BARE_CALLS.has(code.language)) readBareCall(code, at, end, owner, place);
  else if (before?.text === '(' && code.tokens[end]?.text === ')') readCallback(code, at, end, place);
}

/** Names behind which a bracket starts a value. */
const BEFORE_VALUES = new Set(
  'return print puts echo php in of if else and or not await yield lambda do then'.split(' '),
);

/** Does a value in brackets start here, and no call? */
function isGroup(code: Code, at: number): boolean {
  if (!isSign(code, at, '(') && !isSign(code, at, '[')) return false;
  const before = code.tokens[at - 1];
  if (before === undefined) return true;
  if (before.type === 'name') return BEFORE_VALUES.has(before.text);
  return before.type === 'sign' && !/^[)\]}]$/.test(before.text);
}

/** `"…".call()`, `(…).call()`, `[…].call()`: calls on a value that has no name. */
function readReceiver(code: Code, at: number, place: CodePlace | undefined): void {
  const end = code.tokens[at]?.type === 'string' ? at + 1 : (code.partners[at] ?? at) + 1;
  const isCalled = isDot(code.tokens[end]?.text ?? '', code.language) && nameAt(code, end + 1) !== undefined;
  const isNamed = code.language === 'php' && isSign(code, end, '(') && end > at + 1;
  if (isCalled || isNamed) {
    const values =
      code.tokens[at]?.type === 'string'
        ? [filled(code, plainWord(code, at))]
        : valuesBetween(code, at + 1, end - 1, 0).args;
    const isList = isSign(code, at, '[') || values.length !== 1;
    const receiver: Value = isList ? { type: 'list', items: values } : (values[0] ?? textValue([]));
    chainAt(code, end, 0, receiver, (call) => readCall(call, code, place));
  }
}

/** `answer.then(eval)`: whatever comes is code. */
function readCallback(code: Code, at: number, end: number, place: CodePlace): void {
  const table = CODE_CALLS[place.language];
  const name = code.tokens[at]?.text ?? '';
  const row = end === at + 1 && Object.hasOwn(table, name) ? table[name] : undefined;
  const isGiven = code.tokens[at - 2]?.type === 'name';
  if (isGiven && row !== undefined && 'use' in row && row.use === 'code') runCode(wordOf(undefined), place);
}

/** `import a, b.c`, `from a import b` of Python: what the script has written there is run. */
function readImport(code: Code, at: number, place: CodePlace): void {
  const word = code.tokens[at]?.text;
  if (code.language !== 'python' || (word !== 'import' && word !== 'from')) return;
  const { call, span, walker } = place;
  for (const module of modulesAt(code, at + 1)) {
    const content = place.modules.has(module) ? undefined : moduleContent(call, module, walker);
    if (content === undefined) continue;
    place.modules.add(module);
    addRemoteCode(call.command, originsOf(content), span, walker);
    if (knownText(content) !== undefined) runCode(content, place);
  }
}

/** How many tokens of an import are looked at. */
const MAX_IMPORT = 32;

function modulesAt({ tokens }: Code, from: number): readonly string[] {
  const modules: string[] = [];
  let module = '';
  for (const { type, text } of tokens.slice(from, from + MAX_IMPORT)) {
    const isPart = type === 'name' ? module === '' || module.endsWith('.') : text === '.';
    if (isPart) module += text;
    else {
      modules.push(module);
      module = '';
      if (text !== ',') return modules;
    }
  }
  return [...modules, module];
}

/** `import os as o`, `from os import system as s`, `import cp from "child_process"`. */
function noteImport(code: Code, at: number): boolean {
  const [token, as, alias] = [code.tokens[at], code.tokens[at + 1], code.tokens[at + 2]];
  if (token?.type !== 'name' || alias?.type !== 'name') {
    const module = code.tokens[at + 2];
    if (token?.type !== 'name' || as?.text !== 'from' || module?.type !== 'string') return false;
    code.aliases.set(token.text, [module.text]);
    return true;
  }
  if (as?.type === 'name' && as.text === 'as') {
    code.aliases.set(alias.text, [token.text]);
    return true;
  }
  // `const { execSync: run } = require("child_process")`
  const renames =
    as?.text === ':' && code.language === 'javascript' && Object.hasOwn(CODE_CALLS.javascript, token.text);
  if (renames) code.aliases.set(alias.text, [token.text]);
  return false;
}

/** `name = value`: what is known of the value is remembered. Calls in the value are read as they are met. */
function noteAssignment(code: Code, at: number): boolean {
  const name = code.tokens[at]?.text ?? '';
  const sign = code.tokens[at + 1];
  if (sign?.type === 'sign' && CHANGES_TOO.has(sign.text) && isChanged(code, at + 1)) {
    code.variables.set(name, UNKNOWN_VALUE);
    return false;
  }
  if (sign?.type !== 'sign' || (sign.text !== '=' && sign.text !== '+=')) return false;
  const { value } = evaluateAt(code, at + 2);
  const before = code.variables.get(name);
  const known = before === undefined ? value : sign.text === '+=' ? concatenated(before, value) : value;
  code.variables.set(name, known);
  return true;
}

/** Signs that with another behind them change what a variable is: `$p .= x`, `p /= x`, `p << x`, `p ||= x`. */
const CHANGES_TOO = new Set(['.', '/', '%', '*', '-', '..', '||', '&&', '<']);

function isChanged(code: Code, at: number): boolean {
  const next = code.tokens[at]?.text === '<' ? '<' : '=';
  return isSign(code, at + 1, next) && (next === '=' || code.language === 'ruby');
}

/** How many tokens the name of a call is made of at most. */
const MAX_NAME_TOKENS = 64;

/** `system "ls", "-l"`: the values up to the end of the statement. `owner`: what stands before the dot of `path.rmtree`. */
function readBareCall(
  code: Code,
  at: number,
  chainEnd: number,
  owner: Value | undefined,
  place: CodePlace,
): void {
  if (chainEnd - at > MAX_NAME_TOKENS) return;
  const names = code.tokens
    .slice(at, chainEnd)
    .filter((token) => token.type === 'name')
    .map((token) => token.text);
  const last = names.at(-1) ?? '';
  if (!Object.hasOwn(CODE_CALLS[place.language], last)) return;
  // `exec {"ls"} "ls", "-l"`
  const isNamed = code.language === 'perl' && isSign(code, chainEnd, '{') && last !== 'eval';
  const end = isNamed ? (code.partners[chainEnd] ?? chainEnd) + 1 : chainEnd;
  if (startsArguments(code, end, last)) {
    const close = statementEnd(code, end);
    const { args, named } = valuesBetween(code, end, close, 0);
    // A list that is longer than a statement that is looked at.
    const isCut = isSign(code, close, ',') || isSign(code, close - 1, ',');
    readCall({ names, args: isCut ? [...args, MORE] : args, named, receiver: undefined }, code, place);
    return;
  }
  const isAlone = end >= code.tokens.length || statementEnd(code, end) === end;
  if (!isAlone) return;
  const topic = code.variables.get('$_');
  const receiver = code.language === 'ruby' && owner?.type === 'text' ? owner : undefined;
  const own = code.language === 'perl' && USES_TOPIC.has(last) ? topic : undefined;
  if (own !== undefined || receiver !== undefined)
    readCall({ names, args: own === undefined ? [] : [own], named: new Map(), receiver }, code, place);
}

function startsArguments(code: Code, at: number, last: string): boolean {
  const next = code.tokens[at];
  if (next?.type === 'string' || next?.type === 'command') return true;
  if (next?.type === 'name' && /^[$@]/.test(next.text)) return true;
  if (isSign(code, at, '[') && code.language === 'ruby') return true;
  if (isSign(code, at, '*') && code.language === 'ruby') return true;
  if (next?.type !== 'name' || statementEnd(code, at) === at) return false;
  const isValue = code.language === 'ruby' ? /^[A-Z]/.test(next.text) : GIVE_VALUES.has(next.text);
  return code.variables.has(next.text) || isValue || TAKES_NAMES.has(last);
}

/** Calls without parentheses whose first argument may be a name: a handle, another call. */
const TAKES_NAMES = new Set(['eval', 'open', 'unlink']);
/** Calls of Perl that may be the first argument of one without parentheses. */
const GIVE_VALUES = new Set('glob join sprintf map grep sort reverse pack decode_base64'.split(' '));
/** Calls of Perl that without arguments take what the loop around them goes through. */
const USES_TOPIC = new Set(['unlink', 'rmdir']);
const APPENDERS = new Set(['append', 'push', 'extend', 'add', 'array_push']);

function readCall(found: FoundCall, code: Code, place: CodePlace | undefined): void {
  noteChanged(found, code);
  if (place === undefined) return;
  for (const one of eachWay(found)) {
    if (--code.work.left < 0) return;
    readOneCall(one, place);
    const passed = passedCall(one, place.language);
    for (const way of passed === undefined ? [] : eachWay(passed)) readOneCall(way, place);
  }
}

/** A call once for each of the values that its arguments may have. */
function eachWay(call: FoundCall): readonly FoundCall[] {
  const { receiver, args } = call;
  if (receiver === undefined) return alternatives(args).map((some) => ({ ...call, args: some }));
  return alternatives([receiver, ...args]).map(([own, ...some]) => ({ ...call, receiver: own, args: some }));
}

/** `words.append("x")`, `words.insert(0, "x")`, `words.unshift("x")`, `words.reverse()` */
function noteChanged({ names, args, receiver }: FoundCall, { variables }: Code): void {
  const [variable = '', call = ''] = names;
  if (receiver?.type !== 'list' || names.length !== 2) return;
  const { items } = receiver;
  if (APPENDERS.has(call)) {
    const more = args.flatMap((arg) => (call === 'extend' && arg.type === 'list' ? arg.items : [arg]));
    variables.set(variable, listValue([...items, ...more]));
  } else if (call === 'unshift') variables.set(variable, listValue([...args, ...items]));
  else if (call === 'reverse') variables.set(variable, listValue(items.toReversed()));
  else if (call === 'insert' && args.length === 2) {
    const at = Number(knownText(wordOf(args[0])) ?? items.length);
    variables.set(variable, listValue([...items.slice(0, at), args[1] ?? UNKNOWN_VALUE, ...items.slice(at)]));
  }
}

function readOneCall(found: FoundCall, place: CodePlace): void {
  const { names } = found;
  const last = names.at(-1) ?? '';
  const table = CODE_CALLS[place.language];
  const rows = Object.hasOwn(table, last) ? table[last] : undefined;
  if (rows === undefined) return;
  const candidates: readonly CodeCall[] = 'use' in rows ? [rows] : rows;
  const row = candidates.find((candidate) => fits(candidate, names));
  if (row !== undefined) inFolders(place, (here) => useCall(row.use, found, here, runCode));
}

/** Does what stands before the last name agree with what the table wants? */
function fits({ of }: CodeCall, names: readonly string[]): boolean {
  if (of === undefined) return true;
  const wanted = of.split(' ');
  const before = names.slice(0, -1);
  if (before.length === 0) return wanted.includes('-');
  return wanted.includes('*') || before.some((name) => wanted.includes(name.replace(/^\$/, '')));
}

function runCode(source: Word, place: CodePlace): void {
  const known =
    knownText(source) !== undefined || source.some((part) => part.type === 'text' && part.text.trim() !== '');
  if (known) readCode(source, { ...place, depth: place.depth + 1 });
  else place.walker.gap('unknown_code', place.span, 'Cannot read the code that is evaluated: it is computed');
}
