import { isExhausted, takeChars } from '../../reading/bounds.ts';
import { withPlaceholders } from '../../reading/placeholders.ts';
import { knownText, originsOf, type Word } from '../../reading/word.ts';
import { addRemoteCode } from '../../shell/run/shell-text.ts';
import { moduleContent } from '../interpret/fetched-runs.ts';
import {
  noteAssignment,
  noteChanged,
  noteGiven,
  noteImport,
  noteLoop,
  noteTargets,
  passedCall,
} from './bindings.ts';
import {
  type Code,
  type FoundCall,
  innerCode,
  isDot,
  isSign,
  nameAt,
  newCode,
  plainWord,
  statementEnd,
} from './code.ts';
import { isFollowed } from './expression-parts.ts';
import { chainAt, filled, groupValue, valuesBetween } from './expressions.ts';
import { findHelpers, noteDefinition, noteHelperCall } from './helpers.ts';
import { holeExpression } from './interpolation.ts';
import { SYNTAX } from './language.ts';
import type { CodePlace } from './place.ts';
import { callRow } from './rows.ts';
import { inFolders, runShell } from './run-from-code.ts';
import { isCommandLine } from './shell-in-code.ts';
import { tokenize } from './tokens.ts';
import { useCall } from './use-call.ts';
import { alternatives, MORE, type Value, wordOf } from './values.ts';

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
  findHelpers(code);
  // Once for what the variables are, since a loop may stand behind its body; then for what is done with them.
  readTokens(code, undefined);
  code.outer.clear();
  readTokens(code, place);
  if (code.work.left < 0)
    walker.gap('unknown_code', span, `Cannot read the ${language} code: it computes too much`);
}

/** Notes what code says of variables; with a place, does what its calls do. */
function readTokens(code: Code, place: CodePlace | undefined): void {
  for (let at = 0; at < code.tokens.length && code.work.left >= 0; at++) {
    if (place !== undefined && isExhausted(place.walker.budget)) return;
    const { type, word } = code.tokens[at] ?? { type: 'sign', word: [] };
    if (type === 'name' || type === 'sign') noteTargets(code, at);
    if (type === 'command' && place !== undefined)
      for (const [script] of alternatives([filled(code, word)])) runShell(wordOf(script), place);
    if (type === 'command' || type === 'string') readHoles(code, word, place);
    if (type === 'string' || type === 'sign') readReceiver(code, at, place);
    else if (type === 'name' && !isDot(code, at - 1)) readName(code, at, place);
  }
}

/** Reads the expressions that are put into a text: `"#{File.read("a")}"`. */
function readHoles(code: Code, word: Word, place: CodePlace | undefined): void {
  for (const part of word) {
    const source = part.type === 'unknown' ? holeExpression(part.source, code.language) : undefined;
    if (source === undefined || !/[(`]/.test(source) || --code.work.left < 0) continue;
    readTokens(innerCode(code, tokenize(source, code.language) ?? []), place);
  }
}

/** `"…".call()`, `(…).call()`, `[…].call()`: calls on a value that has no name. */
function readReceiver(code: Code, at: number, place: CodePlace | undefined): void {
  const isText = code.tokens[at]?.type === 'string';
  const close = isText ? at : isGroup(code, at) ? code.partners[at] : undefined;
  if (close === undefined || !isFollowed(code, close + 1) || isSign(code, close + 1, '[')) return;
  const receiver = isText ? filled(code, plainWord(code, at)) : groupValue(code, at, close, 0);
  chainAt(code, close + 1, 0, receiver, (call) => readCall(call, code, place));
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
  return before.type === 'sign' && !/^[)\]]$/.test(before.text);
}

function readName(code: Code, at: number, place: CodePlace | undefined): void {
  if (noteDefinition(code, at)) return;
  noteLoop(code, at);
  if (place !== undefined) readImport(code, at, place);
  if (noteImport(code, at) || noteAssignment(code, at)) return;
  let called = false;
  const { owner, end } = chainAt(code, at, 0, undefined, (call) => {
    called = true;
    readCall(call, code, place);
  });
  // `Pathname.new("x").rmtree`: a call without parentheses behind one with them.
  const isOpen = code.language === 'ruby' && isDot(code, end - 2);
  if ((called && !isOpen) || place === undefined) return;
  if (SYNTAX[code.language].bareCalls === true) readBareCall(code, at, end, owner, place);
  else if (isSign(code, at - 1, '(') && isSign(code, end, ')')) readCallback(code, at, end, place);
}

/** `answer.then(eval)`: whatever comes is code. */
function readCallback(code: Code, at: number, end: number, place: CodePlace): void {
  const isCode = end === at + 1 && callRow(code.language, [nameAt(code, at) ?? ''])?.runs === 'code';
  if (isCode && nameAt(code, at - 2) !== undefined) runCode(wordOf(undefined), place);
}

/** How many tokens of an import are looked at. */
const MAX_IMPORT = 32;

/** `import a, b.c`, `from a import b` of Python: what the script has written there is run. */
function readImport(code: Code, at: number, place: CodePlace): void {
  if (code.language !== 'python' || !/^(?:import|from)$/.test(nameAt(code, at) ?? '')) return;
  const { call, span, walker } = place;
  for (const module of modulesAt(code, at + 1)) {
    const content = place.modules.has(module) ? undefined : moduleContent(call, module, walker);
    if (content === undefined) continue;
    place.modules.add(module);
    addRemoteCode(call.command, originsOf(content), span, walker);
    if (knownText(content) !== undefined) runCode(content, place);
  }
}

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
  const names = code.tokens.slice(at, chainEnd).flatMap(({ type, text }) => (type === 'name' ? [text] : []));
  const row = chainEnd - at > MAX_NAME_TOKENS ? undefined : callRow(code.language, names.slice(-1));
  const hasRow = row !== undefined || callRow(code.language, names) !== undefined;
  if (!hasRow) return;
  // `exec {"ls"} "ls", "-l"`
  const isNamed = code.language === 'perl' && isSign(code, chainEnd, '{') && row?.runs !== 'code';
  const end = isNamed ? (code.partners[chainEnd] ?? chainEnd) + 1 : chainEnd;
  const close = statementEnd(code, end);
  if (startsArguments(code, end, close, names)) {
    const { args, named } = valuesBetween(code, end, close, 0);
    // A list that is longer than a statement that is looked at.
    const isCut = isSign(code, close, ',') || isSign(code, close - 1, ',');
    readCall({ names, args: isCut ? [...args, MORE] : args, named, receiver: undefined }, code, place);
    return;
  }
  if (end < code.tokens.length && close !== end) return;
  const topic = row?.topic === true ? code.variables.get('$_') : undefined;
  const receiver = code.language === 'ruby' && owner?.type === 'text' ? owner : undefined;
  if (topic !== undefined || receiver !== undefined)
    readCall({ names, args: topic === undefined ? [] : [topic], named: new Map(), receiver }, code, place);
}

function startsArguments(code: Code, at: number, close: number, names: readonly string[]): boolean {
  const { type, text } = code.tokens[at] ?? { type: 'sign', text: ';' };
  if (type === 'string' || type === 'command') return true;
  if (type === 'sign') return code.language === 'ruby' && (text === '[' || text === '*');
  if (type !== 'name' || close === at) return false;
  if (/^[$@%]/.test(text) || code.variables.has(text)) return true;
  if (code.language === 'ruby' ? /^[A-Z]/.test(text) : isValueOfPerl(code, text)) return true;
  // A handle, or another call.
  const row = callRow(code.language, names);
  return row?.runs === 'code' || row?.opens !== undefined || row?.topic === true;
}

function isValueOfPerl({ language }: Code, name: string): boolean {
  const isList = name === 'map' || name === 'grep' || name === 'reverse';
  return language === 'perl' && (isList || callRow(language, [name])?.gives !== undefined);
}

function readCall(found: FoundCall, code: Code, place: CodePlace | undefined): void {
  noteChanged(found, code);
  if (place === undefined) {
    noteHelperCall(code, found);
    return;
  }
  for (const one of eachWay(found)) {
    if (--code.work.left < 0) return;
    readOneCall(one, code, place);
    const passed = passedCall(code, one);
    for (const way of passed === undefined ? [] : eachWay(passed)) readOneCall(way, code, place);
  }
}

/** A call once for each of the values that its arguments may have. */
function eachWay(call: FoundCall): readonly FoundCall[] {
  const { receiver, args } = call;
  if (receiver === undefined) return alternatives(args).map((some) => ({ ...call, args: some }));
  return alternatives([receiver, ...args]).map(([own, ...some]) => ({ ...call, receiver: own, args: some }));
}

function readOneCall(found: FoundCall, { language }: Code, place: CodePlace): void {
  const row = callRow(language, found.names);
  if (row !== undefined) inFolders(place, (here) => useCall(row, found, here, runCode));
}

function runCode(source: Word, place: CodePlace): void {
  const isKnown =
    knownText(source) !== undefined || source.some((part) => part.type === 'text' && part.text.trim() !== '');
  if (isKnown) readCode(source, { ...place, depth: place.depth + 1 });
  else place.walker.gap('unknown_code', place.span, 'Cannot read the code that is evaluated: it is computed');
}
