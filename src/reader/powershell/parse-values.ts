import type { Parser } from './parser.ts';
import { Scanner } from './scanner.ts';
import { expandableString, hereString, isDoubleQuote, isSingleQuote, literalString } from './strings.ts';
import type { Expression, Statement } from './syntax.ts';

/** Members that one value may have. */
const MAX_MEMBERS = 500;
export const NUMBER =
  /(?:0x[0-9a-fA-F]+(?![0-9a-fA-F])|(?:[0-9]+(?:\.(?!\.)[0-9]*)?|\.[0-9]+)(?:e[-+]?[0-9]+)?(?![0-9]))(?:u?[lsy]|d|n)?(?:[kmgtp]b)?(?![\w.]*[A-Za-z_\\:])/iy;
const VARIABLE = /\$(?:\{((?:[^{}`]|`.)*)\}|([$?^]|(?:[A-Za-z]+:(?!:))?\w+))/y;
const SCOPES = /^(?:global|local|script|private|using|variable):/;

export function parsePrimary(p: Parser): Expression {
  const { s } = p;
  const char = s.peek();
  if (char === '$') {
    const value = parseVariable(p, false);
    if (value !== undefined) return value;
  }
  if (isSingleQuote(char)) return literalString(s);
  if (isDoubleQuote(char)) return p.deeper(() => expandableString(s, p.value));
  if (s.takeText('(')) return { type: 'statements', body: p.grammar.statements(p, ')') };
  if (char === '{') {
    const start = s.at + 1;
    const block = p.grammar.block(p);
    return { type: 'block', block, text: s.text.slice(start, s.at - 1) };
  }
  if (s.takeText('@(')) return { type: 'statements', body: p.grammar.statements(p, ')') };
  if (s.takeText('@{')) return parseTable(p);
  if (char === '@') {
    const text = hereString(s, p.value, (inner) => new Scanner(inner));
    if (text !== undefined) return text;
    const splat = s.take(/@(\w+)/y)?.[1];
    if (splat !== undefined) return { type: 'splat', name: splat.toLowerCase() };
  }
  const number = s.take(NUMBER)?.[0];
  if (number !== undefined) return { type: 'text', text: number };
  return s.fail(s.isOver ? 'a value is missing' : `"${char}" is not expected here`);
}

/** `@{ name = value; … }`. */
function parseTable(p: Parser): Expression {
  return p.deeper(() => {
    const entries: (readonly [Expression, Statement])[] = [];
    for (;;) {
      p.endOfStatements();
      if (p.s.takeText('}')) return { type: 'table', entries };
      const bare = p.s.take(/[\w-]+(?=\s*=)/y)?.[0];
      const key: Expression =
        bare === undefined ? parseMembers(p, parsePrimary(p)) : { type: 'text', text: bare };
      p.s.expect('=');
      p.s.skip(true);
      entries.push([key, p.grammar.statement(p)]);
      p.closeStatement();
    }
  });
}

/** `$name`, `${name}`, `$( )`; undefined for a dollar sign that is a plain character. */
export function parseVariable(p: Parser, inText: boolean): Expression | undefined {
  const { s } = p;
  if (s.takeText('$(')) return { type: 'statements', body: p.grammar.statements(p, ')') };
  // In a text a colon may end the name: "$x: 1".
  const found = s.find(
    inText
      ? /\$(?:\{((?:[^{}`]|`.)*)\}|([$?^]|(?:env|global|script|local|private|using|variable|function):\w+|\w+))/iy
      : VARIABLE,
  );
  if (found === undefined) return undefined;
  s.at += found[0].length;
  const name = (found[1] ?? found[2] ?? '').replace(/`(.)/g, '$1').toLowerCase();
  return { type: 'variable', name: name.replace(SCOPES, '') };
}

/** `.name`, `.Call( )`, `::name`, `[ ]` and `++` behind a value. */
export function parseMembers(p: Parser, of: Expression): Expression {
  let value = of;
  for (let count = 0; ; count++) {
    if (count > MAX_MEMBERS) p.s.fail('it has too many members', true);
    const { s } = p;
    if (s.peek() === '[' && !(of.type === 'text' && of.bare === true)) {
      s.at++;
      s.skip(true);
      const at = p.grammar.expression(p);
      s.expect(']');
      value = { type: 'index', of: value, at };
      continue;
    }
    const dot = s.find(/(?:\?\.|\.(?![.\\/\s])|::)[ \t]*(?=[A-Za-z_$'"({])/y)?.[0];
    if (dot === undefined) {
      s.take(/(?:\+\+|--)(?![\w-])/y);
      return value;
    }
    s.at += dot.length;
    const name = parseMemberName(p);
    // `$x.part\y` and `$x.y/z` are words in which nothing is a member.
    const args = s.peek() === '(' ? parseArguments(p) : undefined;
    value = { type: 'member', of: value, name, args };
    if (args !== undefined && s.peek() === '{') s.fail('"{" is not expected here');
    if (args !== undefined) {
      const back = s.at;
      // A call may go on in the next line.
      s.skip(true);
      if (s.find(/\.[A-Za-z]+\(/y) === undefined) s.at = back;
    }
  }
}

function parseMemberName(p: Parser): Expression {
  const name = p.s.take(/[A-Za-z_]\w*/y)?.[0];
  return name === undefined ? parsePrimary(p) : { type: 'text', text: name.toLowerCase() };
}

function parseArguments(p: Parser): readonly Expression[] {
  return p.deeper(() => {
    p.s.at++;
    const found: Expression[] = [];
    for (;;) {
      p.s.skip(true);
      if (p.s.takeText(')')) return found;
      const value = p.grammar.expression(p);
      // Between the parentheses of a call, commas part the arguments.
      found.push(...(value.type === 'list' ? value.items : [value]));
      p.s.skip(true);
      if (!p.s.takeText(',') && p.s.peek() !== ')') p.s.fail('")" is missing');
    }
  });
}
