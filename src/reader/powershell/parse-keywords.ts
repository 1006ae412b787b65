import {
  parseAttribute,
  parseBlock,
  parseCondition,
  parseParameters,
  parseStatements,
} from './parse-blocks.ts';
import { parseChain } from './parse-pipelines.ts';
import { parseWord } from './parse-words.ts';
import type { Parser } from './parser.ts';
import type { Block, CommandWord, Statement } from './syntax.ts';

/** Reads the rest of a statement behind its first word; undefined if the word begins none here. */
type Keyword = (p: Parser, word: string) => Statement | undefined;

const KEYWORDS: Readonly<Record<string, Keyword>> = {
  if: ifStatement,
  while: (p) => ({ type: 'loop', before: parseCondition(p), body: parseBlock(p) }),
  for: forStatement,
  switch: switchStatement,
  try: tryStatement,
  trap: (p) => {
    if (p.s.peek() === '[') parseAttribute(p);
    return { type: 'sequence', blocks: [parseBlock(p)] };
  },
  function: functionStatement,
  filter: functionStatement,
  class: classStatement,
};

/** Those whose reader passes over the word, if they are statements. */
const OTHERS: Readonly<Record<string, Keyword>> = {
  foreach: forEachStatement,
  do: doStatement,
  return: leave,
  throw: leave,
  exit: leave,
  break: jump,
  continue: jump,
  using: usingStatement,
  enum: enumStatement,
  param: (p, word) => p.s.fail(`"${word}" is not read`),
  else: alone,
  elseif: alone,
  catch: alone,
  finally: alone,
};

const WORD = new RegExp(
  `(?:${[...Object.keys(KEYWORDS), ...Object.keys(OTHERS)].join('|')})(?![\\w\\\\/.:-])`,
  'iy',
);

/** A statement that a word such as `if` begins; undefined if none does. */
export function parseKeyword(p: Parser): Statement | undefined {
  p.countPart();
  const label = p.s.take(/:\w+[ \t]+(?=(?:foreach|for|while|do|switch)\b)/iy);
  const word = p.s.find(WORD)?.[0].toLowerCase();
  const made = word === undefined ? undefined : keywordStatement(p, word);
  if (made === undefined && label !== undefined) p.s.fail('a loop is missing behind its label');
  return made;
}

function keywordStatement(p: Parser, word: string): Statement | undefined {
  const read = KEYWORDS[word];
  if (read === undefined) return OTHERS[word]?.(p, word);
  p.s.at += word.length;
  p.s.skip(true);
  return read(p, word);
}

function ifStatement(p: Parser): Statement {
  const before: Statement[] = [...parseCondition(p)];
  const branches: Block[] = [parseBlock(p)];
  for (;;) {
    const back = p.s.at;
    p.s.skip(true);
    if (p.s.take(/elseif(?=\s*\()/iy)) {
      p.s.skip(true);
      before.push(...parseCondition(p));
      branches.push(parseBlock(p));
    } else if (p.s.take(/else(?=\s*\{)/iy)) {
      branches.push(parseBlock(p));
      return { type: 'branches', before, branches, isComplete: true };
    } else {
      p.s.at = back;
      return { type: 'branches', before, branches, isComplete: false };
    }
  }
}

function tryStatement(p: Parser): Statement {
  const blocks = [parseBlock(p)];
  for (;;) {
    const back = p.s.at;
    p.s.skip(true);
    if (p.s.take(/catch(?=[\s[{])/iy)) {
      p.s.skip(true);
      while (p.s.peek() === '[') {
        parseAttribute(p);
        p.s.take(/,\s*/y);
      }
    } else if (p.s.take(/finally(?=\s*\{)/iy) === undefined) {
      p.s.at = back;
      return { type: 'sequence', blocks };
    }
    blocks.push(parseBlock(p));
  }
}

/** `return value`: the value is read, and may be a command. */
function leave(p: Parser, word: string): Statement {
  p.s.at += word.length;
  p.s.skip();
  const isAlone = p.s.isOver || ';\n\r})'.includes(p.s.peek());
  return { type: 'jump', leaves: true, value: isAlone ? undefined : parseChain(p) };
}

function jump(p: Parser, word: string): Statement {
  p.s.at += word.length;
  p.s.skip();
  p.s.take(/\w+/y);
  return { type: 'jump', leaves: false, value: undefined };
}

function alone(p: Parser, word: string): never {
  return p.s.fail(`"${word}" stands alone`);
}

/** `for (…; …; …) { }` behind its word. */
function forStatement(p: Parser): Statement {
  p.s.expect('(');
  const before: Statement[] = [];
  for (let part = 0; part < 3; part++) {
    p.s.skip(true);
    if (!';)'.includes(p.s.peek())) before.push(p.grammar.statement(p));
    // The parts may be in lines of their own instead.
    p.s.skip();
    const isLine = /[\r\n]/.test(p.s.peek());
    p.s.skip(true);
    if (!p.s.takeText(';') && !isLine) break;
  }
  p.s.expect(')');
  return { type: 'loop', before, body: parseBlock(p) };
}

/** `foreach ($x in …) { }`. Behind a pipe it is a command; only with a parenthesis is it a loop. */
function forEachStatement(p: Parser): Statement | undefined {
  const head = /foreach\s*(?:-parallel\s*)?(?=\(\s*\$)/iy;
  if (p.s.take(head) === undefined) return undefined;
  p.s.expect('(');
  p.s.skip(true);
  const variable = p.s.take(/\$(\w+)/y)?.[1] ?? '';
  p.s.skip(true);
  if (p.s.take(/in(?!\w)/iy) === undefined) p.s.fail('"in" is missing');
  p.s.skip(true);
  const items = p.grammar.statement(p);
  p.s.expect(')');
  return { type: 'foreach', variable: variable.toLowerCase(), items, body: parseBlock(p) };
}

/** `do { } while (…)`, `do { } until (…)`. */
function doStatement(p: Parser): Statement | undefined {
  if (p.s.take(/do(?=\s*\{)/iy) === undefined) return undefined;
  const body = parseBlock(p);
  p.s.skip(true);
  if (p.s.take(/(?:while|until)(?=\s*\()/iy) === undefined) p.s.fail('"while" is missing');
  p.s.skip(true);
  return { type: 'loop', before: parseCondition(p), body };
}

function switchStatement(p: Parser): Statement {
  const before: Statement[] = [];
  for (;;) {
    const flag = p.s.take(/-(?:regex|wildcard|exact|casesensitive|parallel|file)\b\s*/iy);
    if (flag === undefined) break;
    if (/^-file/i.test(flag[0])) {
      const start = p.s.at;
      const word = parseWord(p);
      if (word === undefined) return p.s.fail('a file is missing');
      before.push(commandOf('get-content', word, start, p));
      p.s.skip(true);
    }
  }
  if (p.s.peek() === '(') before.push(...parseCondition(p));
  p.s.expect('{');
  const branches: Block[] = [];
  for (;;) {
    p.endOfStatements();
    if (p.s.takeText('}')) return { type: 'branches', before, branches, isComplete: false };
    const label = parseWord(p);
    if (label === undefined) p.s.fail('"}" is missing');
    branches.push(parseBlock(p));
  }
}

/** A class. Nobody tells when its methods are called, so each may be. */
function classStatement(p: Parser): Statement {
  if (p.s.take(/\w+\s*(?::[\w.,\s]+)?\{/y) === undefined) p.s.fail('"{" is missing');
  const branches: Block[] = [];
  for (;;) {
    p.endOfStatements();
    if (p.s.takeText('}')) return { type: 'branches', before: [], branches, isComplete: false };
    if (p.s.peek() === '[') parseAttribute(p);
    else if (p.s.take(/(?:static|hidden)\s/iy) !== undefined) continue;
    else if (p.s.take(/\$\w+/y) !== undefined) {
      p.s.skip();
      if (!p.s.takeText('=')) continue;
      p.s.skip(true);
      branches.push({ parameters: [], body: [p.grammar.statement(p)] });
    } else {
      if (p.s.take(/\w+\s*\(/y) === undefined) p.s.fail('a member of a class cannot be read');
      const parameters = parseParameters(p);
      p.s.skip(true);
      if (p.s.take(/:\s*base\s*\(/iy) !== undefined) parseStatements(p, ')');
      branches.push({ parameters, body: parseBlock(p).body });
    }
  }
}

/** `function name(…) { }` and `filter name { }` behind their word. */
function functionStatement(p: Parser): Statement {
  const name = p.s.take(/(?:global:|script:|local:)?([^\s({]+)/iy)?.[1] ?? '';
  p.s.skip(true);
  const outer = p.s.takeText('(') ? parseParameters(p) : [];
  const own = parseBlock(p);
  return {
    type: 'function',
    name: name.toLowerCase(),
    block: { parameters: [...outer, ...own.parameters], body: own.body },
  };
}

/** `enum Name { A; B }`. */
function enumStatement(p: Parser): Statement {
  if (p.s.take(/enum\s+\w+\s*\{[^{}]*\}/iy) === undefined) p.s.fail('an enum cannot be read');
  return { type: 'sequence', blocks: [] };
}

/** `using module .\a.psm1` runs the module; `using namespace System.IO` does nothing. */
function usingStatement(p: Parser): Statement {
  const start = p.s.at;
  const isModule = p.s.take(/using\s+module[ \t]+/iy) !== undefined;
  if (!isModule) p.s.take(/using\s+(?:namespace|assembly)[^\n;]*/iy);
  const module = isModule ? parseWord(p) : undefined;
  if (module === undefined) return { type: 'sequence', blocks: [] };
  return commandOf('import-module', module, start, p);
}

/** A command of one word, from a place on. */
function commandOf(cmdlet: string, word: CommandWord, start: number, p: Parser): Statement {
  const name = { value: { type: 'text', text: cmdlet } as const, start, end: start };
  const stage = { start, end: p.s.at, words: [name, word], redirections: [] };
  return { type: 'pipeline', stages: [stage], isBackground: false };
}
