import { parseAttribute, parseBlock, parseCondition } from './parse-blocks.ts';
import { classStatement, enumStatement, functionStatement, usingStatement } from './parse-definitions.ts';
import { doStatement, forEachStatement, forStatement } from './parse-loops.ts';
import { parseChain } from './parse-pipelines.ts';
import { switchStatement } from './parse-switch.ts';
import type { Parser } from './parser.ts';
import type { Block, Statement } from './syntax.ts';

/** Reads what follows a word that begins a statement; undefined if it does not here. */
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

/** Those that are passed over by what reads them, if they are what they look like. */
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
