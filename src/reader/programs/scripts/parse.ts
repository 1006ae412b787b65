import { readExpression, readList, readOperand } from './expressions.ts';
import { BLOCKS, CONDITIONS, readBody, readBrackets, readGroup, readLoopTarget } from './groups.ts';
import {
  isBlock,
  isDot,
  isEnd,
  isSign,
  nameAt,
  nested,
  newParser,
  type Parser,
  readBetween,
  takes,
  tokenAt,
} from './parser.ts';
import type { Language } from './rows.ts';
import { type Aliases, groupOf, type Node, TOPIC, UNKNOWN } from './tree.ts';

/**
 * Parses code to find calls and arguments, in linear time. Parts that are not understood are unknown nodes. Undefined if too
 * long or deep.
 */
export function parseCode(text: string, language: Language, aliases: Aliases): Node | undefined {
  const p = newParser(text, language, aliases, 0, readStatement);
  if (p === undefined) return undefined;
  const code = readGroup(p, '', p.end);
  return p.isTooDeep ? undefined : code;
}

const LOOPS = /^for(?:each)?$/;
/** Words after a statement that decide whether it runs, and how many of them are followed. */
const MODIFIERS = /^(?:if|unless|while|until)$/;
const MAX_MODIFIERS = 64;

function readStatement(p: Parser): Node {
  return nested(p, readOne);
}

function readOne(p: Parser): Node {
  const { type, text, indent = 0 } = tokenAt(p) ?? { type: 'sign', text: '' };
  const next = tokenAt(p, p.at + 1);
  const isWord = type === 'name' && !isDot(p, p.at + 1) && !/^(?:=|\)|,)$/.test(next?.text ?? '');
  if (isWord && LOOPS.test(text)) return readLoop(p, indent);
  // `do "file"` of Perl is a call.
  if (isWord && (CONDITIONS.test(text) || (BLOCKS.test(text) && next?.type !== 'string'))) {
    p.at++;
    const condition = CONDITIONS.test(text) ? readHeader(p) : UNKNOWN;
    return { type: 'choice', condition, values: [readBody(p, indent)] };
  }
  return readModifiers(p, readTuple(p, readExpression(p)));
}

/** `… if x`, `… or die`, `… for @list`, `[… for x in list]` */
function readModifiers(p: Parser, statement: Node): Node {
  if (p.language === 'python') return isBlock(p) ? statement : readComprehension(p, statement);
  let node = statement;
  // Text after a block is a statement of its own.
  const isBraces = statement.type === 'group' && statement.bracket === '{';
  const hasModifiers = p.syntax.bare_calls === true && p.language !== 'lua' && !isBraces;
  for (let step = 0; step < MAX_MODIFIERS && hasModifiers && !isEnd(p); step++) {
    const word = nameAt(p) ?? '';
    if (word !== 'or' && word !== 'and' && !MODIFIERS.test(word) && !LOOPS.test(word)) break;
    p.at++;
    if (LOOPS.test(word))
      node = { type: 'loop', target: TOPIC, list: groupOf(readList(p)), body: node, isScoped: true };
    else if (MODIFIERS.test(word)) node = { type: 'choice', condition: readExpression(p), values: [node] };
    else node = { type: 'choice', condition: undefined, values: [node, readExpression(p)] };
  }
  return node;
}

function readComprehension(p: Parser, body: Node): Node {
  takes(p, 'async');
  if (!takes(p, 'for')) return body;
  const target = readLoopTarget(p);
  takes(p, 'in');
  const list = readExpression(p);
  return { type: 'loop', target, list, body: readComprehension(p, body), isScoped: true };
}

/** `a, b = pair` sets all names before the sign. */
function readTuple(p: Parser, first: Node): Node {
  const isPossible = isBlock(p) && (p.language === 'lua' || p.syntax.lines === true);
  if (!isSign(p, ',') || !isPossible) return first;
  const nodes = [first];
  while (takes(p, ',') && !isEnd(p)) nodes.push(readExpression(p));
  const at = nodes.findIndex(({ type }) => type === 'assignment');
  const found = nodes[at];
  const list = (some: readonly Node[]) => groupOf(some.map((value) => ({ value })));
  if (found?.type !== 'assignment') return list(nodes);
  const target = at === 0 ? found.target : list([...nodes.slice(0, at), found.target]);
  return { ...found, target, value: list([found.value, ...nodes.slice(at + 1)]) };
}

/** Reads the expressions between a statement's word and its block. */
function readHeader(p: Parser): Node {
  const first = readExpression(p);
  const nodes = [first];
  while (p.language === 'python' && !isEnd(p) && !isSign(p, ':')) {
    if (takes(p, ',')) continue;
    // `with open(file) as f:`
    const value = takes(p, 'as') ? nodes.pop() : undefined;
    const node = readExpression(p);
    nodes.push(value === undefined ? node : { type: 'assignment', target: node, operator: '=', value });
  }
  return nodes.length === 1 ? (nodes[0] ?? first) : groupOf(nodes.map((value) => ({ value })));
}

/** `for f in files`, `for (const f of files)`, `foreach (files as $f)`, `for my $f (files)`. */
function readLoop(p: Parser, indent: number): Node {
  p.at++;
  takes(p, 'await');
  const close = isSign(p, '(') ? p.partners.get(p.at) : undefined;
  const loop = (target: Node, list: Node): Node => ({
    type: 'loop',
    target,
    list,
    body: readBody(p, indent),
    isScoped: false,
  });
  if (p.language === 'perl') return loop(nameAt(p) === undefined ? TOPIC : readLoopTarget(p), readOperand(p));
  if (close === undefined || p.language === 'python') {
    const target = readLoopTarget(p);
    takes(p, 'in');
    return loop(target, readHeader(p));
  }
  const start = p.at++;
  let target = UNKNOWN;
  const list = readBetween(p, close, '(', () => {
    if (p.language === 'php') {
      const value = readExpression(p);
      takes(p, 'as');
      target = readLoopTarget(p);
      // `$key => $value`
      if (takes(p, '=>')) target = readLoopTarget(p);
      return value;
    }
    target = readLoopTarget(p);
    return takes(p, 'of') || takes(p, 'in') ? readExpression(p) : undefined;
  });
  p.at = list === undefined ? start : close + 1;
  // `for (let i = 0; i < n; i++)`
  return loop(target, list ?? readBrackets(p, close));
}
