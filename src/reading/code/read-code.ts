import { takeChars } from '../bounds.ts';
import { punchHoles } from '../holes.ts';
import { BARE_CALLS, CODE_CALLS, type CodeCall } from '../knowledge/code-calls.ts';
import { knownText, type Word } from '../word.ts';
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
import { runShell } from './run-from-code.ts';
import { isCommandLine } from './shell-in-code.ts';
import { type Token, tokenize } from './tokens.ts';
import { useCall } from './use-call.ts';
import { concatenated, wordOf } from './values.ts';

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
  if (row !== undefined) useCall(row.use, found, place, runCode);
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
