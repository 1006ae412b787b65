import { takeChars } from '../bounds.ts';
import { punchHoles } from '../holes.ts';
import { BARE_CALLS, type CallUse, CODE_CALLS, type CodeCall } from '../knowledge/code-calls.ts';
import type { Via } from '../reading.ts';
import { newScope } from '../scope.ts';
import { runShellText } from '../shell-text.ts';
import type { Arg, Place } from '../walker.ts';
import { joinWords, knownText, leadingText, textWord, type Word } from '../word.ts';
import type { CodePlace } from './code-place.ts';
import {
  bracketPartners,
  type Code,
  chainAt,
  evaluateAt,
  type FoundCall,
  filled,
  valuesBetween,
} from './expressions.ts';
import { readOpen } from './open-call.ts';
import { isCommandLine } from './shell-in-code.ts';
import { type Token, tokenize } from './tokens.ts';
import { concatenated, textValue, UNKNOWN_VALUE, type Value, wordOf } from './values.ts';

const MAX_NESTING = 4;

/**
 * Looks at code of another language: which of its calls run commands, use files or the network, with the arguments that
 * can be told. Names that are computed are not followed; code that is computed is a gap.
 */
export function readCode(source: Word, place: CodePlace): void {
  const { text, holes } = punchHoles(source);
  const { walker, span, language } = place;
  const tokens = takeChars(walker.budget, text.length) ? tokenize(text, language) : undefined;
  if (tokens === undefined || place.depth > MAX_NESTING) {
    walker.gap('unknown_code', span, `Cannot read the ${language} code: it is too large or too deep`);
    return;
  }
  // A slip or an attempt: the interpreter would only complain, a shell would do it.
  if (isCommandLine(text, language)) runShell(source, place);
  const code: Code = {
    language,
    tokens,
    partners: bracketPartners(tokens),
    holes,
    variables: new Map(),
    aliases: new Map(),
  };
  for (let at = 0; at < tokens.length; at++) readToken(code, at, place);
}

function readToken(code: Code, at: number, place: CodePlace): void {
  const token = code.tokens[at];
  const before = code.tokens[at - 1];
  if (token?.type === 'command') runShell(filled(code, token.word), place);
  if (token?.type !== 'name' || (before?.type === 'sign' && /^(?:\.|->|::|\?\.)$/.test(before.text))) return;
  if (noteImport(code, at) || noteAssignment(code, at)) return;
  let called = false;
  const { end } = chainAt(code, at, 0, undefined, (call) => {
    called = true;
    readCall(call, place);
  });
  if (called) return;
  if (BARE_CALLS.has(code.language)) readBareCall(code, at, end, place);
  else if (before?.text === '(' && code.tokens[end]?.text === ')') readCallback(code, at, end, place);
}

/** `answer.then(eval)`: whatever comes is code. */
function readCallback(code: Code, at: number, end: number, place: CodePlace): void {
  const table = CODE_CALLS[place.language];
  const name = code.tokens[at]?.text ?? '';
  const row = end === at + 1 && Object.hasOwn(table, name) ? table[name] : undefined;
  const isGiven = code.tokens[at - 2]?.type === 'name';
  if (isGiven && row !== undefined && 'use' in row && row.use === 'code') runCode(wordOf(undefined), place);
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
  if (sign?.type !== 'sign' || (sign.text !== '=' && sign.text !== '+=')) return false;
  const { value, end } = evaluateAt(code, at + 2);
  const first = code.tokens[at + 2];
  const isName =
    first?.type === 'name' && code.tokens[at + 3]?.text === '.' && code.tokens[at + 4]?.type === 'name';
  if (isName && end === at + 5) code.aliases.set(name, [first.text, code.tokens[at + 4]?.text ?? '']);
  if (first?.type === 'name' && /^(?:require|__import__|import_module)$/.test(first.text)) {
    const module = code.tokens[at + 4];
    if (module?.type === 'string') code.aliases.set(name, [module.text]);
  }
  const before = code.variables.get(name);
  const known = before === undefined ? value : sign.text === '+=' ? concatenated(before, value) : value;
  code.variables.set(name, known);
  return true;
}

/** `system "ls", "-l"`: the values up to the end of the statement. */
function readBareCall(code: Code, at: number, end: number, place: CodePlace): void {
  const next = code.tokens[end];
  const starts =
    next !== undefined &&
    (next.type === 'string' || next.type === 'command' || (next.type === 'name' && /^[$@]/.test(next.text)));
  // `eval get $url`, `open F, $file`
  const isName =
    next?.type === 'name' && (code.variables.has(next.text) || TAKES_NAMES.has(code.tokens[at]?.text ?? ''));
  const names = code.tokens
    .slice(at, end)
    .filter((token) => token.type === 'name')
    .map((token) => token.text);
  const last = names.at(-1) ?? '';
  const table = CODE_CALLS[place.language];
  if ((!starts && !isName) || !Object.hasOwn(table, last)) return;
  const close = statementEnd(code.tokens, end);
  const { args, named } = valuesBetween(code, end, close, 0);
  readCall({ names, args, named, receiver: undefined }, place);
}

/** Calls without parentheses whose first argument may be a name: a handle, another call. */
const TAKES_NAMES = new Set(['eval', 'open']);

/** How many tokens of a statement without parentheses are looked at. */
const MAX_STATEMENT = 32;

function statementEnd(tokens: readonly Token[], from: number): number {
  for (let at = from; at < tokens.length && at < from + MAX_STATEMENT; at++) {
    const { type, text } = tokens[at] ?? { type: 'sign', text: ';' };
    if (type === 'sign' && (text === ';' || text === '}' || text === ')' || text === '||' || text === '&&'))
      return at;
    if (
      type === 'name' &&
      (text === 'or' || text === 'and' || text === 'if' || text === 'unless' || text === 'do')
    )
      return at;
  }
  return Math.min(tokens.length, from + MAX_STATEMENT);
}

function readCall(found: FoundCall, place: CodePlace): void {
  const { names } = found;
  const last = names.at(-1) ?? '';
  const table = CODE_CALLS[place.language];
  const rows = Object.hasOwn(table, last) ? table[last] : undefined;
  if (rows === undefined) return;
  const candidates: readonly CodeCall[] = 'use' in rows ? [rows] : rows;
  const row = candidates.find((candidate) => fits(candidate, names));
  if (row !== undefined) use(row.use, found, place);
}

/** Does what stands before the last name agree with what the table wants? */
function fits({ of }: CodeCall, names: readonly string[]): boolean {
  if (of === undefined) return true;
  const wanted = of.split(' ');
  const before = names.slice(0, -1);
  if (before.length === 0) return wanted.includes('-');
  return wanted.includes('*') || before.some((name) => wanted.includes(name.replace(/^\$/, '')));
}

const MOVE = textValue(textWord('mv'));

function use(kind: CallUse, found: FoundCall, place: CodePlace): void {
  const { args, receiver } = found;
  const [first, second] = args;
  const { call, walker, span } = place;
  const path = (word: Word, how: 'read' | 'write' | 'delete' | 'list', recursive = false) => {
    if (leadingText(word).includes('://')) network(word, 'download', place);
    else walker.path(call.command, how, word, { recursive, span });
  };
  const subject = wordOf(first ?? receiver);
  // `Path("x").unlink()`, `Path("x").write_text(data)`: the path stands before the dot.
  const own = receiver?.type === 'text' ? receiver.word : subject;
  switch (kind) {
    case 'shell':
      if (args.length > 0) runShell(first?.type === 'list' ? commandLine(first.items) : subject, place);
      return;
    case 'argv':
    case 'program':
      runProgram(kind, found, place);
      return;
    case 'code':
      if (args.length > 0) runCode(subject, place);
      return;
    case 'read':
    case 'list':
      if (found.names.at(-1) === 'require' && !/^[./~]/.test(leadingText(subject))) return;
      path(own, kind);
      return;
    case 'write':
      path(own, 'write');
      return;
    case 'delete':
      for (const word of first?.type === 'list' ? first.items.map(wordOf) : [own]) path(word, 'delete');
      return;
    case 'delete-tree':
      for (const word of first?.type === 'list' ? first.items.map(wordOf) : [own]) path(word, 'delete', true);
      return;
    case 'open':
      readOpen(found, place, (word) => runShell(word, place));
      return;
    case 'move':
      // What is true of mv is true of this.
      runWords(
        [
          MOVE,
          textValue(own),
          receiver?.type === 'text' ? (first ?? UNKNOWN_VALUE) : (second ?? UNKNOWN_VALUE),
        ],
        place,
      );
      return;
    case 'copy':
      path(subject, 'read', true);
      path(wordOf(second), 'write', true);
      return;
    case 'download':
    case 'upload':
    case 'connect':
    case 'listen':
      if (args.length > 0 || found.named.has('url')) network(hostOf(found), kind, place);
      return;
    case 'request':
      network(wordOf(second ?? found.named.get('url')), 'connect', place);
      return;
    default:
      kind satisfies never;
  }
}

/** A URL, a host, or a host and a port. */
function hostOf({ args, named }: FoundCall): Word {
  const [first, second] = args;
  const given = first ?? named.get('url');
  if (given?.type === 'list') return withPort(given.items[0], given.items[1]);
  if (given?.type === 'object') {
    const host = given.entries.get('host') ?? given.entries.get('hostname') ?? given.entries.get('url');
    return withPort(host, given.entries.get('port'));
  }
  const isPort = /^[0-9]+$/.test(knownText(wordOf(given)) ?? '');
  return isPort ? withPort(second, given) : wordOf(given);
}

function withPort(host: Value | undefined, port: Value | undefined): Word {
  return port === undefined ? wordOf(host) : joinWords(joinWords(wordOf(host), textWord(':')), wordOf(port));
}

function network(
  target: Word,
  how: 'download' | 'upload' | 'connect' | 'listen',
  { call, span }: CodePlace,
): void {
  call.command.effects.push({ type: 'network', use: how, target, scheme: 'http', span });
}

function innerPlace({ call }: CodePlace): Place {
  const via: readonly Via[] = [...call.place.via, { kind: 'interpreter', name: call.command.name ?? '' }];
  return {
    ...call.place,
    scope: newScope('process', call.place.scope),
    via,
    parent: call.index,
    input: undefined,
  };
}

function runShell(script: Word, place: CodePlace): void {
  const { call, walker, span } = place;
  runShellText(
    call,
    { word: script, span, at: undefined },
    innerPlace(place),
    'a command that code runs',
    walker,
  );
}

function commandLine(items: readonly Value[]): Word {
  return items
    .map(wordOf)
    .reduce<Word>(
      (line, word, index) => (index === 0 ? word : joinWords(joinWords(line, textWord(' ')), word)),
      [],
    );
}

/** Programs given as a list, as several words, or as one text. */
function runProgram(kind: 'argv' | 'program', found: FoundCall, place: CodePlace): void {
  const listed = found.args[0] ?? found.named.get('args') ?? found.named.get('cmd');
  if (listed === undefined) return;
  const words = programWords(kind, listed, found, place);
  if (words === undefined) runShell(wordOf(listed), place);
  else runWords(words, place);
}

/** The words of the program that is run; undefined if it is one text for a shell. */
function programWords(
  kind: 'argv' | 'program',
  listed: Value,
  { args, names }: FoundCall,
  place: CodePlace,
): readonly Value[] | undefined {
  const [, second] = args;
  const options = args.find((arg) => arg.type === 'object');
  const more =
    options?.type === 'object' ? (options.entries.get('args') ?? options.entries.get('cmd')) : undefined;
  if (listed.type === 'list') return listed.items;
  if (listed.type === 'object') return more?.type === 'list' ? more.items : [UNKNOWN_VALUE];
  const last = names.at(-1) ?? '';
  if (/^(?:exec|spawn)[vl]/.test(last) || last === 'posix_spawn') return withoutName(last, args);
  if (second?.type === 'list') return [listed, ...second.items];
  if (more?.type === 'list') return [listed, ...more.items];
  const words = args.filter((arg) => arg.type === 'text');
  const several = words.length > 1 && (place.language === 'ruby' || place.language === 'perl');
  if (several) return words;
  return kind === 'argv' ? [listed] : undefined;
}

/** `execvp(file, [name, …])`, `execl(file, name, …)`, `spawnv(mode, file, [name, …])`: the name is not an argument. */
function withoutName(name: string, args: readonly Value[]): readonly Value[] {
  const given = name.startsWith('spawn') ? args.slice(1) : args;
  const [file = UNKNOWN_VALUE, next, ...rest] = given;
  return next?.type === 'list' ? [file, ...next.items.slice(1)] : [file, ...rest];
}

function runWords(words: readonly Value[], place: CodePlace): void {
  const { call, walker, span } = place;
  const argv: readonly Arg[] = words
    .filter((value) => value.type !== 'object')
    .map((value) => ({ word: wordOf(value), span, at: undefined }));
  walker.runCommand(argv, innerPlace(place));
  if (argv.length === 0) walker.gap('unknown_code', call.span, 'Cannot tell which program the code runs');
}

function runCode(source: Word, place: CodePlace): void {
  const known =
    knownText(source) !== undefined || source.some((part) => part.type === 'text' && part.text.trim() !== '');
  if (known) readCode(source, { ...place, depth: place.depth + 1 });
  else place.walker.gap('unknown_code', place.span, 'Cannot read the code that is evaluated: it is computed');
}
