import type { WordPart } from '../../reading/word.ts';
import { readBody, readBrackets, readGroup, readItem, readItems } from './groups.ts';
import {
  isDot,
  isEnd,
  isKnown,
  isSign,
  nameAt,
  nested,
  newParser,
  type Parser,
  readBetween,
  takes,
  tokenAt,
} from './parser.ts';
import { type Item, type Node, nodeOfText, operation, UNKNOWN } from './tree.ts';

/** How many signs and calls of one expression are followed. */
const MAX_STEPS = 64;

/** Items up to the end of a statement. */
export function readList(p: Parser): readonly Item[] {
  const items = [readItem(p, readExpression)];
  while ((takes(p, ',') || takes(p, '=>')) && tokenAt(p) !== undefined)
    items.push(readItem(p, readExpression));
  return items;
}

/** Signs behind which a value is changed: `=`, `+=`, `||=`, `.=`; `$p =~ s/a/b/`. */
const ASSIGNMENT = /^(?:[^=!<>]*=|<<=?|=~)$/;
/** Signs that are no part of an expression. */
const STOPS = /^(?:[,;:()[\]{}\\@]|=>)$/;

/** A value with all that is behind it up to the end of its statement or item. */
export function readExpression(p: Parser): Node {
  return nested(p, () => readRest(p, readSum(p)));
}

/** Reads the part behind a first value: another to choose from, or one that makes it unknown. */
function readRest(p: Parser, left: Node): Node {
  const { type, text } = tokenAt(p) ?? { type: 'string', text: '' };
  if (isEnd(p) || (type !== 'sign' && type !== 'name') || (type === 'sign' && STOPS.test(text))) return left;
  const isConditional = type === 'name' && text === 'if' && p.language === 'python';
  const isOperator = type === 'sign' || isWordOperator(p, text);
  if (!isConditional && !isOperator) return left;
  p.at++;
  const right = readExpression(p);
  // `a if c else b`, and the condition of a comprehension.
  if (isConditional)
    return {
      type: 'choice',
      condition: right,
      values: takes(p, 'else') ? [left, readExpression(p)] : [left],
    };
  if (type === 'sign' && ASSIGNMENT.test(text))
    return { type: 'assignment', target: left, operator: text, value: right };
  if (text === '?' && takes(p, ':'))
    return { type: 'choice', condition: left, values: [right, readExpression(p)] };
  const isOther = text === 'or' || text === '||' || text === '??' || text === '//' || text === '?:';
  return isOther
    ? { type: 'choice', condition: undefined, values: [left, right] }
    : operation(text, left, right);
}

function isWordOperator(p: Parser, word: string): boolean {
  return p.syntax.operator_words?.includes(word) === true;
}

/** Values that signs put together. */
function readSum(p: Parser): Node {
  const operators = p.syntax.operators;
  let left = readOperand(p);
  for (let step = 0; step < MAX_STEPS && !isEnd(p); step++) {
    const { type, text } = tokenAt(p) ?? { type: 'sign', text: '' };
    if (type !== 'sign' || !operators.includes(text)) break;
    p.at++;
    left = operation(text, left, readOperand(p));
  }
  return left;
}

/** The words and signs in front of a value that change nothing; `$` is a name in JavaScript. */
const SKIPPED = {
  name: /^(?:await|async|new|my|our|local|const|let|var|return|yield|echo)$/,
  sign: /^[\\&@$]$/,
};
const NEGATIONS = /^(?:[-!~+]|\+\+|--|not|typeof|void)$/;

/** A value with the calls on it: one side of a sign. */
export function readOperand(p: Parser): Node {
  const symbol = readSymbol(p);
  if (symbol !== undefined) return symbol;
  let isNegated = false;
  for (let token = tokenAt(p); token?.type === 'sign' || token?.type === 'name'; token = tokenAt(p)) {
    const isNegation = NEGATIONS.test(token.text);
    const next = tokenAt(p, p.at + 1);
    const isValue = next !== undefined && (next.type !== 'sign' || /^[([{$@%\\&*!:-]$/.test(next.text));
    const isSkipped = SKIPPED[token.type].test(token.text) && isValue;
    if (!isNegation && !isSkipped) break;
    isNegated ||= isNegation;
    p.at++;
  }
  const value = readPostfix(p, readPrimary(p));
  return isNegated ? operation('!', UNKNOWN, value) : value;
}

/** `:name` of Ruby, and `&:name`, a function that calls a method of its argument. */
function readSymbol(p: Parser): Node | undefined {
  const isMethod = isSign(p, '&') && isSign(p, ':', p.at + 1);
  const name = nameAt(p, p.at + (isMethod ? 2 : 1));
  if (p.language !== 'ruby' || name === undefined || (!isMethod && !isSign(p, ':'))) return undefined;
  p.at += isMethod ? 3 : 2;
  const own: Node = { type: 'name', name: 'Pathname' };
  return isMethod
    ? { type: 'function', parameters: [{ value: own }], body: { type: 'member', owner: own, name } }
    : nodeOfText(name);
}

function readPrimary(p: Parser): Node {
  const token = tokenAt(p);
  if (token === undefined) return UNKNOWN;
  const written = readFunction(p);
  if (written !== undefined) return written;
  if (token.type === 'string' || token.type === 'command') return readText(p);
  const close = token.type === 'sign' ? p.partners.get(p.at) : undefined;
  if (close !== undefined) return readBrackets(p, close);
  p.at++;
  if (token.type === 'number') return nodeOfText(token.text);
  return token.type === 'name' ? { type: 'name', name: token.text } : UNKNOWN;
}

/** `def f(a): …`, `lambda a: …`, `function (a) {…}`, `fn(a) => …`, `(a, b) => …`, `a => …` */
function readFunction(p: Parser): Node | undefined {
  const { type, text, indent = 0 } = tokenAt(p) ?? { type: 'sign', text: '' };
  const { language } = p;
  if (language === 'javascript' && (type === 'name' || text === '(')) {
    const close = type === 'name' ? p.at : p.partners.get(p.at);
    const arrow = (close ?? p.at) + 1;
    if (close !== undefined && isSign(p, '=>', arrow)) {
      const parameters =
        type === 'name' ? [{ value: { type: 'name', name: text } as const }] : readBrackets(p, close).items;
      p.at = arrow + 1;
      return { type: 'function', parameters, body: readBranch(p) };
    }
  }
  if (type !== 'name') return undefined;
  if (text === 'lambda' && language === 'python') {
    p.at++;
    let colon = p.at;
    while (colon < p.end && !isSign(p, ':', colon)) colon = (p.partners.get(colon) ?? colon) + 1;
    const parameters = readBetween(p, colon, '(', () => readItems(p));
    p.at++;
    return { type: 'function', parameters, body: readExpression(p) };
  }
  const definer =
    language === 'python' || language === 'ruby' ? /^def$/ : language === 'perl' ? /^$/ : /^(?:function|fn)$/;
  if (!definer.test(text)) return undefined;
  p.at++;
  const name = isSign(p, '(', p.at + 1) ? nameAt(p) : undefined;
  while (nameAt(p) !== undefined || isDot(p) || isSign(p, '*')) p.at++;
  const close = isSign(p, '(') ? p.partners.get(p.at) : undefined;
  const parameters = close === undefined ? [] : readBrackets(p, close).items;
  if (language === 'ruby' || language === 'lua') return { type: 'function', parameters, body: undefined };
  // Types, and `use ($x)` of PHP.
  const start = language === 'python' ? ':' : '{';
  while (language !== 'r' && !isEnd(p) && !isSign(p, start) && !isSign(p, '=>')) p.at++;
  if (language === 'python') return { type: 'function', name, parameters, body: readBody(p, indent) };
  takes(p, '=>');
  return { type: 'function', name, parameters, body: readBranch(p) };
}

/** Reads the body of a function outside Python: a block in braces, or an expression. */
function readBranch(p: Parser): Node {
  const close = isSign(p, '{') ? p.partners.get(p.at) : undefined;
  return close === undefined ? readExpression(p) : readBrackets(p, close);
}

/** A text, with those that are next to it in Python, and the expressions in it. */
function readText(p: Parser): Node {
  const isCommand = tokenAt(p)?.type === 'command';
  const word: WordPart[] = [];
  const interpolations = new Map<number, Node>();
  do {
    const { word: parts = [], interpolations: sources } = tokenAt(p) ?? {};
    for (const [index, source] of sources ?? []) {
      const inner = newParser(source, p.language, p.aliases, p.depth, p.readStatement);
      if (inner !== undefined) interpolations.set(word.length + index, readGroup(inner, '(', inner.end));
      p.isTooDeep ||= inner?.isTooDeep === true;
    }
    word.push(...parts);
    p.at++;
  } while (p.language === 'python' && tokenAt(p)?.type === 'string' && !isEnd(p));
  return { type: 'text', word, interpolations, isCommand };
}

/** A value with the parts that follow: `a.b(c)[d].e(f)`, `system "ls"`. */
function readPostfix(p: Parser, value: Node): Node {
  let node = value;
  for (let step = 0; step < MAX_STEPS && !isEnd(p); step++) {
    const next = readMember(p, node) ?? readBlock(p, node) ?? readCall(p, node) ?? readBareCall(p, node);
    if (next === undefined) break;
    node = next;
  }
  return node;
}

function readMember(p: Parser, owner: Node): Node | undefined {
  if (!isDot(p)) return undefined;
  const name = nameAt(p, p.at + 1);
  // `$a->[0]`, `f?.(x)`
  if (name === undefined && !p.partners.has(p.at + 1)) return undefined;
  p.at++;
  if (name === undefined) return readCall(p, owner, true);
  p.at++;
  return { type: 'member', owner, name };
}

/** `f(a)`, `a[0]`, `$a{b}`, `go(a) { … }`. `isForced`: behind a dot. */
function readCall(p: Parser, owner: Node, isForced = false): Node | undefined {
  const close = tokenAt(p)?.type === 'sign' ? p.partners.get(p.at) : undefined;
  const isBlock = owner.type === 'group' && owner.bracket === '{' && p.language !== 'python' && !isForced;
  if (close === undefined || owner.type === 'unknown' || isBlock) return undefined;
  const isVariable = owner.type === 'index' || (owner.type === 'name' && /^[$@%]/.test(owner.name));
  if (isSign(p, '{') && !(p.language === 'perl' && (isForced || isVariable))) return undefined;
  if (isSign(p, '[') && p.language === 'ruby' && isKnown(p, owner)) return undefined;
  if (!isSign(p, '(')) return { type: 'index', owner, items: readBrackets(p, close).items };
  if (owner.type === 'text') return undefined;
  const { items } = readBrackets(p, close);
  const isMethod = p.language === 'javascript' && owner.type === 'name' && isSign(p, '{');
  if (isMethod) return { type: 'function', parameters: items, body: readBranch(p) };
  return { type: 'call', callee: owner, items };
}

/** `list.each { |f| … }`, `list.each do |f| … end` */
function readBlock(p: Parser, callee: Node): Node | undefined {
  if (p.language !== 'ruby' || !isSign(p, '|', p.at + 1)) return undefined;
  const close = p.partners.get(p.at);
  if (close === undefined && nameAt(p) !== 'do') return undefined;
  p.at += 2;
  const parameters: Item[] = [];
  for (; nameAt(p) !== undefined || /^[,()[\]]$/.test(tokenAt(p)?.text ?? ''); p.at++) {
    const name = nameAt(p);
    if (name !== undefined) parameters.push({ value: { type: 'name', name } });
  }
  takes(p, '|');
  const body = close === undefined ? undefined : readGroup(p, '{', close);
  if (close !== undefined) p.at++;
  const block: Item = { value: { type: 'function', parameters, body } };
  const call = callee.type === 'call' ? callee : ({ type: 'call', callee, items: [] } as const);
  return { ...call, items: [...call.items, block] };
}

const NO_ARGUMENTS =
  /^(?:or|and|if|unless|while|until|for|foreach|do|then|else|end|x|eq|ne|lt|gt|le|ge|cmp)$/;

/** `system "ls", "-l"` */
function readBareCall(p: Parser, callee: Node): Node | undefined {
  if ((callee.type !== 'name' && callee.type !== 'member') || !isKnown(p, callee)) return undefined;
  const { type, text } = tokenAt(p) ?? { type: 'sign', text: '' };
  const isText = type === 'string' || type === 'command';
  const isTagged = p.language === 'javascript' || p.language === 'lua';
  if (isTagged && isText) return { type: 'call', callee, items: [{ value: readText(p) }] };
  if (isTagged || p.syntax.bare_calls !== true) return undefined;
  const isName = type === 'name' && !NO_ARGUMENTS.test(text);
  const signs = p.language === 'ruby' ? /^[[*:$@]$/ : /^[\\@]$/;
  // `exec {"ls"} "ls", "-l"`
  const block =
    p.language === 'perl' && callee.type === 'name' && /^(?:system|exec)$/.test(callee.name)
      ? p.partners.get(p.at)
      : undefined;
  if (block !== undefined) readBrackets(p, block);
  else if (!isText && !isName && type !== 'number' && !(type === 'sign' && signs.test(text)))
    return undefined;
  return { type: 'call', callee, items: readList(p) };
}
