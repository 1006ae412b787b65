import { parseBlock, parseCondition } from './parse-blocks.ts';
import type { Parser } from './parser.ts';
import type { Statement } from './syntax.ts';

/** `for (…; …; …) { }` behind its word. */
export function forStatement(p: Parser): Statement {
  p.s.expect('(');
  const before: Statement[] = [];
  for (let part = 0; part < 3; part++) {
    p.s.skip(true);
    if (!';)'.includes(p.s.peek())) before.push(p.grammar.statement(p));
    // The parts may stand in lines of their own instead.
    p.s.skip();
    const isLine = /[\r\n]/.test(p.s.peek());
    p.s.skip(true);
    if (!p.s.takeText(';') && !isLine) break;
  }
  p.s.skip(true);
  p.s.expect(')');
  return { type: 'loop', before, body: parseBlock(p) };
}

/** `foreach ($x in …) { }`. Behind a pipe it is a command; only with a parenthesis is it a loop. */
export function forEachStatement(p: Parser): Statement | undefined {
  const head = /foreach\s*(?:-parallel\s*)?(?=\(\s*\$)/iy;
  if (p.s.take(head) === undefined) return undefined;
  p.s.expect('(');
  p.s.skip(true);
  const variable = p.s.take(/\$(\w+)/y)?.[1] ?? '';
  p.s.skip(true);
  if (p.s.take(/in(?!\w)/iy) === undefined) p.s.fail('"in" is missing');
  p.s.skip(true);
  const items = p.grammar.statement(p);
  p.s.skip(true);
  p.s.expect(')');
  return { type: 'foreach', variable: variable.toLowerCase(), items, body: parseBlock(p) };
}

/** `do { } while (…)`, `do { } until (…)`. */
export function doStatement(p: Parser): Statement | undefined {
  if (p.s.take(/do(?=\s*\{)/iy) === undefined) return undefined;
  const body = parseBlock(p);
  p.s.skip(true);
  if (p.s.take(/(?:while|until)(?=\s*\()/iy) === undefined) p.s.fail('"while" is missing');
  p.s.skip(true);
  return { type: 'loop', before: parseCondition(p), body };
}
