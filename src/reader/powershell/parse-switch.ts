import { parseBlock, parseCondition } from './parse-blocks.ts';
import { parseWord } from './parse-words.ts';
import type { Parser } from './parser.ts';
import type { Block, Statement } from './syntax.ts';

export function switchStatement(p: Parser): Statement {
  const before: Statement[] = [];
  for (;;) {
    const flag = p.s.take(/-(?:regex|wildcard|exact|casesensitive|parallel|file)\b\s*/iy);
    if (flag === undefined) break;
    if (/^-file/i.test(flag[0])) {
      const start = p.s.at;
      const word = parseWord(p);
      if (word === undefined) return p.s.fail('a file is missing');
      const name = { value: { type: 'text', text: 'get-content' } as const, start, end: start };
      const stage = {
        start,
        end: p.s.at,
        words: [name, word],
        expression: undefined,
        calls: undefined,
        redirections: [],
      };
      before.push({ type: 'pipeline', stages: [stage], isBackground: false });
      p.s.skip(true);
    }
  }
  const subject = p.s.peek() === '(' ? parseCondition(p) : [];
  p.s.skip(true);
  p.s.expect('{');
  const branches: Block[] = [];
  before.push(...subject);
  for (;;) {
    p.endOfStatements();
    if (p.s.takeText('}')) return { type: 'branches', before, branches, isComplete: false };
    const label = parseWord(p);
    if (label === undefined) p.s.fail('"}" is missing');
    branches.push(parseBlock(p));
  }
}
