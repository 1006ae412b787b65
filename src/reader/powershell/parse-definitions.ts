import { parseAttribute, parseBlock, parseParameters, parseStatements } from './parse-blocks.ts';
import { parseWord } from './parse-words.ts';
import type { Parser } from './parser.ts';
import type { Block, Statement } from './syntax.ts';

/** A class. Nobody tells when its methods are called, so each may be. */
export function classStatement(p: Parser): Statement {
  if (p.s.take(/\w+\s*(?::\s*[\w.,\s]+)?\{/y) === undefined) p.s.fail('"{" is missing');
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
export function functionStatement(p: Parser): Statement {
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
export function enumStatement(p: Parser): Statement {
  if (p.s.take(/enum\s+\w+\s*\{[^{}]*\}/iy) === undefined) p.s.fail('an enum cannot be read');
  return { type: 'sequence', blocks: [] };
}

/** `using module .\a.psm1` runs the module; `using namespace System.IO` does nothing. */
export function usingStatement(p: Parser): Statement {
  const start = p.s.at;
  const isModule = p.s.take(/using\s+module[ \t]+/iy) !== undefined;
  if (!isModule) p.s.take(/using\s+(?:namespace|assembly)[^\n;]*/iy);
  const module = isModule ? parseWord(p) : undefined;
  if (module === undefined) return { type: 'sequence', blocks: [] };
  const value = { type: 'text', text: 'import-module' } as const;
  const stage = {
    start,
    end: p.s.at,
    words: [{ value, start, end: start }, module],
    expression: undefined,
    calls: undefined,
    redirections: [],
  };
  return { type: 'pipeline', stages: [stage], isBackground: false };
}
