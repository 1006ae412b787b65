import { parseExpression } from './parse-operators.ts';
import type { Parser } from './parser.ts';
import { isSingleQuote, literalString } from './strings.ts';
import type { Block, Expression, Parameter, Statement } from './syntax.ts';

/** Statements up to a closing bracket, which is passed over. */
export function parseStatements(p: Parser, close: string): readonly Statement[] {
  return p.deeper(() => {
    const body: Statement[] = [];
    for (;;) {
      p.endOfStatements();
      if (p.s.takeText(close)) return body;
      if (p.s.isOver) p.s.fail(`"${close}" is missing`);
      if (!parseSection(p, body)) body.push(p.grammar.statement(p));
      p.closeStatement();
      if (')}'.includes(p.s.peek() || ' ') && !p.s.starts(close)) p.s.fail(`"${close}" is missing`);
    }
  });
}

export function parseCondition(p: Parser): readonly Statement[] {
  p.s.expect('(');
  return parseStatements(p, ')');
}

/** `begin { }`, `process { }`, `end { }`: parts of one body. */
export function parseSection(p: Parser, body: Statement[]): boolean {
  const found = p.s.find(/(?:begin|process|end|dynamicparam|clean)(?=\s*\{)/iy);
  if (found === undefined) return false;
  p.s.at += found[0].length;
  body.push({ type: 'sequence', blocks: [parseBlock(p)] });
  return true;
}

export function parseBlock(p: Parser): Block {
  p.s.expect('{');
  const parameters = parseHeader(p);
  return { parameters, body: parseStatements(p, '}') };
}

/** `[CmdletBinding()] param( … )` at the start of a block. */
export function parseHeader(p: Parser): readonly Parameter[] {
  p.s.skip(true);
  const start = p.s.at;
  if (p.s.find(/(?:\[[A-Za-z.]+\s*\(|param\s*\()/iy) === undefined) return [];
  while (p.s.peek() === '[') parseAttribute(p);
  const isHeader = p.s.take(/param\s*(?=\()/iy) !== undefined;
  if (!isHeader) {
    p.s.at = start;
    return [];
  }
  p.s.expect('(');
  return parseParameters(p);
}

/** `[Parameter(Mandatory = $true)]`: passed over up to its bracket. */
export function parseAttribute(p: Parser): void {
  let open = 0;
  do {
    const char = p.s.peek();
    if (p.s.isOver) p.s.fail('"]" is missing');
    if (isSingleQuote(char)) {
      literalString(p.s);
      continue;
    }
    if (char === '[') open++;
    if (char === ']') open--;
    p.s.at++;
  } while (open > 0);
  p.s.skip(true);
}

export function parseParameters(p: Parser): readonly Parameter[] {
  const found: Parameter[] = [];
  for (;;) {
    p.s.skip(true);
    if (p.s.takeText(')')) return found;
    while (p.s.peek() === '[') parseAttribute(p);
    const name = p.s.take(/\$(\w+)/y)?.[1];
    if (name === undefined) p.s.fail('the name of a parameter is missing');
    p.s.skip(true);
    let initial: Expression | undefined;
    if (p.s.takeText('=')) {
      p.s.skip(true);
      initial = parseExpression(p);
    }
    found.push({ name: (name ?? '').toLowerCase(), initial });
    p.s.skip(true);
    if (!p.s.takeText(',') && p.s.peek() !== ')') p.s.fail('")" is missing');
  }
}
